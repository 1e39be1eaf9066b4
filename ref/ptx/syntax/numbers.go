package syntax

import (
	"math"
	"strconv"
	"strings"
)

// integer reads a number without sign: decimal, 0x, 0b, or octal behind a 0; a U
// behind it says that it is unsigned, which changes nothing here.
func integer(text string) (uint64, bool) {
	text = strings.TrimRight(text, "uU")
	if strings.ContainsRune(text, '_') {
		return 0, false
	}
	n, err := strconv.ParseUint(text, 0, 64)
	return n, err == nil
}

// floating reads a number as its bits: 0f and 8 hexadecimal digits, 0d and 16, or a
// decimal fraction, which has double precision.
func floating(text string) (bits uint64, size uint8, ok bool) {
	if len(text) > 2 && text[0] == '0' {
		switch digits := text[2:]; text[1] {
		case 'f', 'F':
			n, err := strconv.ParseUint(digits, 16, 32)
			return n, 32, err == nil && len(digits) == 8
		case 'd', 'D':
			n, err := strconv.ParseUint(digits, 16, 64)
			return n, 64, err == nil && len(digits) == 16
		}
	}
	if !strings.ContainsAny(text, ".eE") || strings.HasPrefix(text, "0x") || strings.ContainsRune(text, '_') {
		return 0, 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return math.Float64bits(f), 64, err == nil
}
