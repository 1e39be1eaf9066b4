// Package lines fills lines of text with words.
package lines

import "strings"

// Fill fills lines of a width with words.
func Fill(words []string, between string, width int) []string {
	var lines []string
	line := ""
	for i, word := range words {
		if i < len(words)-1 {
			word += strings.TrimRight(between, " ")
		}
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > width:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
