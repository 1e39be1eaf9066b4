// Package version says which version of the program this is.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/usage"
)

// Command is "stealproof version".
func Command(con *console.Console) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  usage.NoArguments("version"),
		Run:   func(*cobra.Command, []string) { con.Print("%s\n", Line()) },
	}
}

// Line names the version, those of the formats, and what it was built with.
func Line() string {
	return fmt.Sprintf("stealproof %s, history format 1, case format 1, %s %s/%s", Name(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// released is the version of a release; .ci/release sets it.
var released string

// Name is that of the release or of the module, or the commit that the program was built
// from.
func Name() string {
	if released != "" {
		return released
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value[:min(12, len(s.Value))]
		}
	}
	return "development"
}
