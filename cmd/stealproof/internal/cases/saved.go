package cases

import (
	"fmt"
	"path/filepath"
	"strings"

	"stealproof/cmd/stealproof/internal/files"
	"stealproof/model"
)

// Save writes a case into a folder, as STRUCTURE.WHAT.case. Nothing is saved where no folder is named.
func Save(folder string, structure string, what fmt.Stringer, c *model.Case) error {
	if folder == "" || c == nil {
		return nil
	}
	name := strings.NewReplacer(":", "-", ",", "-", "=", "-").Replace(structure)
	file := filepath.Join(folder, fmt.Sprintf("%s.%s.case", name, what))
	return files.Save(file, c.String())
}
