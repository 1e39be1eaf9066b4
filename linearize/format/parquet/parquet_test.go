package parquet_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/linearize/format"
	"stealproof/linearize/format/parquet"
	"stealproof/model"
)

// A format that is appended is known by its ending, where it is written and where
// it is not read.
func TestParquetAmongTheFormats(t *testing.T) {
	formats := append(format.Standard(), parquet.Format())
	folder := t.TempDir()
	err := formats.WriteFile(filepath.Join(folder, "a.csv"), nil)
	require.ErrorContains(t, err, "a.csv: unknown file ending: expected .jsonl, .jsonl.gz, .sph or .parquet")
	_, err = formats.ReadFile(context.Background(), filepath.Join(folder, "a.parquet"), format.Options{})
	require.ErrorContains(t, err, "a.parquet: parquet is written, not read: expected .jsonl, .jsonl.gz, .sph, .edn, .txt or .log")
}

func ExampleFormat() {
	formats := append(format.Standard(), parquet.Format())
	var table bytes.Buffer
	err := formats.Write(&table, &model.History{Kind: model.Bag}, "parquet")
	fmt.Println(table.String()[:4], err)
	name, err := formats.WrittenAs("run.parquet", "")
	fmt.Println(name, err)
	// Output:
	// PAR1 <nil>
	// parquet <nil>
}
