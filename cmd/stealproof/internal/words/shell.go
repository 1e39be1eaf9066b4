package words

import (
	"regexp"
	"strings"
)

var plainWord = regexp.MustCompile(`^[\pL\pN_./,:=@%+-]+$`)

// ShellWord is a text as a shell takes it for one word that means nothing else.
func ShellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// Command is a list of words as a shell takes it for these.
func Command(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = ShellWord(w)
	}
	return strings.Join(quoted, " ")
}
