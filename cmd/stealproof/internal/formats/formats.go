// Package formats says in which formats the command reads and writes histories.
package formats

import (
	"stealproof/linearize/format"
	"stealproof/linearize/format/parquet"
)

// All are the standard ones, and tables, which are only written.
func All() format.Formats { return append(format.Standard(), parquet.Format()) }
