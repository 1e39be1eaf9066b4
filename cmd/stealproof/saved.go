package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"stealproof/model"
)

// saveCase writes a case into a folder, which is made if there is none: as
// STRUCTURE.WHAT.case. Nothing is saved where no folder is named.
func saveCase(folder string, structure string, what fmt.Stringer, c *model.Case) error {
	if folder == "" || c == nil {
		return nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return unreadable(folder, err)
	}
	name := strings.NewReplacer(":", "-", ",", "-", "=", "-").Replace(structure)
	file := filepath.Join(folder, fmt.Sprintf("%s.%s.case", name, what))
	if err := os.WriteFile(file, []byte(c.String()), 0o644); err != nil {
		return unreadable(file, err)
	}
	return nil
}
