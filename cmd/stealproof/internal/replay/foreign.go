package replay

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"stealproof/cmd/stealproof/internal/words"
	"stealproof/model"
	"stealproof/ref"
)

// foreign says whether a case is of somebody's own queue, whose text only its own
// test has.
func foreign(c model.Case) bool {
	_, err := ref.FindDesign(c.Spec.Structure)
	return err != nil
}

// ofItsTest is the command that replays the case of a file: package queuetest saves
// cases in testdata/stealproof/TEST, beside the test.
func ofItsTest(file string) string {
	parts := strings.Split(filepath.ToSlash(file), "/")
	i := slices.Index(parts, "testdata")
	if i < 0 || len(parts) < i+4 || parts[i+1] != "stealproof" {
		return "go test -run '^TestOfTheQueue$' -stealproof.case=" + words.ShellWord(file) + ", in the folder of its test"
	}
	var test []string
	for _, part := range parts[i+2 : len(parts)-1] {
		test = append(test, "^"+regexp.QuoteMeta(part)+"$")
	}
	command := "go test "
	if i > 0 {
		command += "-C " + words.ShellWord(strings.Join(parts[:i], "/")) + " "
	}
	return command + "-run " + words.ShellWord(strings.Join(test, "/")) + " -stealproof.case=" + words.ShellWord(strings.Join(parts[i:], "/"))
}
