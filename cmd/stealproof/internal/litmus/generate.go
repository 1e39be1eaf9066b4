package litmus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/files"
	"stealproof/cmd/stealproof/internal/words"
	"stealproof/ref/litmus/library"
)

// expectedOfLibrary is the file with the verdicts of our own tests.
const expectedOfLibrary = "expected.csv"

// generate writes our own library of tests, and a list of what is expected
// of them.
func generate(cmd *cobra.Command, con *console.Console, folder string, args []string) error {
	if len(args) > 0 {
		return errors.New("--generate only writes tests: expected no file to decide")
	}
	var idle error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name != "generate" && idle == nil {
			idle = fmt.Errorf("--%s does not apply to --generate: it only writes tests", f.Name)
		}
	})
	if idle != nil {
		return idle
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return files.Error(folder, err)
	}
	all := library.Tests()
	var expected strings.Builder
	for _, g := range all {
		name := g.Name + ".litmus"
		if err := files.Save(filepath.Join(folder, name), g.Text); err != nil {
			return err
		}
		fmt.Fprintf(&expected, "%s,%d\n", name, map[bool]int{true: 1}[g.Allowed])
	}
	if err := files.Save(filepath.Join(folder, expectedOfLibrary), expected.String()); err != nil {
		return err
	}
	con.Print("%s: %s written, and their verdicts under ptx to %s\n", folder, words.Plural(len(all), "litmus test"), expectedOfLibrary)
	return nil
}
