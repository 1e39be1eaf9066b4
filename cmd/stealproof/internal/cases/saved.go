package cases

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/model"
)

// Save writes a case into a folder, which is made if there is none: as
// STRUCTURE.WHAT.case. Nothing is saved where no folder is named.
func Save(folder string, structure string, what fmt.Stringer, c *model.Case) error {
	if folder == "" || c == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return console.FileError(folder, err)
	}
	name := strings.NewReplacer(":", "-", ",", "-", "=", "-").Replace(structure)
	file := filepath.Join(folder, fmt.Sprintf("%s.%s.case", name, what))
	if err := os.WriteFile(file, []byte(c.String()), 0o644); err != nil {
		return console.FileError(file, err)
	}
	return nil
}
