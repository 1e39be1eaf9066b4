// Package words writes numbers and times for people.
package words

import (
	"fmt"
	"strings"
	"time"
)

// Plural is "1 operation" or "12 operations".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	switch {
	case strings.HasSuffix(what, "ss"):
		return fmt.Sprintf("%d %ses", n, what)
	case strings.HasSuffix(what, "x"):
		return fmt.Sprintf("%d %sices", n, strings.TrimSuffix(what, "ex"))
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Thousands is Plural with marks between the digits.
func Thousands(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Digits(n) + " " + what + "s"
}

// Digits writes 1234567 as 1,234,567.
func Digits(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Roughly writes a number as in 4·10⁹.
func Roughly(n float64) string {
	exponent := 0
	for ; n >= 9.5; n /= 10 {
		exponent++
	}
	if exponent < 4 {
		for ; exponent > 0; exponent-- {
			n *= 10
		}
		return fmt.Sprintf("%.0f", n)
	}
	raised := strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")
	return fmt.Sprintf("%.0f·10%s", n, raised.Replace(fmt.Sprint(exponent)))
}

// RoughTime is a duration in one number, from seconds to years.
func RoughTime(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < 2*time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < 2*time.Hour:
		return fmt.Sprintf("%.0f min", d.Minutes())
	case d < 2*day:
		return fmt.Sprintf("%.0f h", d.Hours())
	case d < 1000*day:
		return fmt.Sprintf("%.0f days", d.Hours()/24)
	}
	return fmt.Sprintf("%.0f years", d.Hours()/24/365)
}

const longestLine = 600

// Readable cuts lines that nobody would read to their end.
func Readable(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if n := len(line) - longestLine; n > 0 {
			line = fmt.Sprintf("%s ... and %d characters more, which --save keeps\n", line[:longestLine], n)
		}
		b.WriteString(line)
	}
	return b.String()
}
