package files

import (
	"stealproof/linearize/format"
	"stealproof/linearize/format/parquet"
)

// Formats are those in which the command reads and writes histories: the standard
// ones, and tables, which are only written.
func Formats() format.Formats { return append(format.Standard(), parquet.Format()) }
