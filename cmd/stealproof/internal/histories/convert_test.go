package histories_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/command"
)

const stolenTwice = `{"format":"stealproof-history","version":1,"model":"wsdeque","vendor":"x"}
{"process":0,"op":"push","result":"ok","value":17,"call":120,"return":131,"block":4}
{"process":2,"op":"steal","result":"ok","value":17,"call":125,"return":160}
{"process":3,"op":"steal","result":"ok","value":17,"call":140,"return":171}
`

// runIn runs the program with standard input, and returns its exit code and
// what it wrote.
func runIn(in string, args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = command.Run(context.Background(), args, strings.NewReader(in), &o, &e)
	return code, o.String(), e.String()
}

func fileWith(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestConvertKeepsUnknownFieldsBetweenLines(t *testing.T) {
	in := fileWith(t, "a.jsonl", stolenTwice)
	zipped, back := filepath.Join(t.TempDir(), "b.jsonl.gz"), filepath.Join(t.TempDir(), "c.jsonl")
	for _, step := range [][]string{{in, zipped}, {zipped, back}} {
		code, _, errs := runIn("", "convert", step[0], step[1])
		require.Equal(t, 0, code, errs)
	}
	text, err := os.ReadFile(back)
	require.NoError(t, err)
	require.Equal(t, stolenTwice, string(text))

	code, out, _ := runIn(stolenTwice, "convert", "-", "-")
	require.Equal(t, 0, code)
	require.Equal(t, stolenTwice, out)

	code, out, _ = runIn(stolenTwice, "convert", "--to", "jsonl.gz", "-", "-")
	require.Equal(t, 0, code)
	z, err := gzip.NewReader(strings.NewReader(out))
	require.NoError(t, err)
	text, err = io.ReadAll(z)
	require.NoError(t, err)
	require.Equal(t, stolenTwice, string(text))
}

func TestConvertThroughBinary(t *testing.T) {
	dir := t.TempDir()
	binary := filepath.Join(dir, "a.sph")
	code, _, errs := runIn(stolenTwice, "convert", "-", binary)
	require.Equal(t, 0, code, errs)
	code, out, _ := runIn("", "convert", binary, "-")
	require.Equal(t, 0, code)
	require.Equal(t, 4, strings.Count(out, "\n"))
	code, out, _ = runIn("", "check", binary)
	require.Equal(t, 1, code)
	require.Contains(t, out, "see records 1, 2, 3")
	data, err := os.ReadFile(binary)
	require.NoError(t, err)
	code, _, _ = runIn(string(data), "check", "--from", "sph", "-")
	require.Equal(t, 1, code)
}

func TestConvertImports(t *testing.T) {
	edn := fileWith(t, "a.edn", "{:process 0 :type :invoke :f :enqueue :value 1}\n{:process 0 :type :ok :f :enqueue :value 1}\n")
	text := fileWith(t, "a.log", "# queue\npush 1 0 1\npop 1 2 3\n")
	code, out, errs := runIn("", "convert", "--model", "fifo", edn, "-")
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, `"op":"enq","result":"ok","value":1,"call":0,"return":1`)
	code, out, errs = runIn("", "check", text)
	require.Equal(t, 0, code, errs)
	require.Contains(t, out, "linearizable: 2 operations")
	code, _, errs = runIn("", "check", edn)
	require.Equal(t, 2, code)
	require.Contains(t, errs, "--model")
}

func TestConvertExportsATable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	code, _, errs := runIn(stolenTwice, "convert", "-", path)
	require.Equal(t, 0, code, errs)
	type row struct {
		Process uint32  `parquet:"process"`
		Op      string  `parquet:"op"`
		Value   *uint64 `parquet:"value,optional"`
		Return  *uint64 `parquet:"return,optional"`
	}
	rows, err := parquet.ReadFile[row](path)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Equal(t, []any{uint32(3), "steal", uint64(17), uint64(171)}, []any{rows[2].Process, rows[2].Op, *rows[2].Value, *rows[2].Return})
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	info, err := f.Stat()
	require.NoError(t, err)
	table, err := parquet.OpenFile(f, info.Size())
	require.NoError(t, err)
	kind, found := table.Lookup("stealproof.model")
	require.True(t, found)
	require.Equal(t, "wsdeque", kind)
}

// A name without an ending is JSON Lines, as shells name pipes, or what --to says.
func TestConvertToNamesWithoutEnding(t *testing.T) {
	dir := t.TempDir()
	good := fileWith(t, "a.jsonl", stolenTwice)
	plain, table := filepath.Join(dir, "plain"), filepath.Join(dir, "parquet")
	code, _, errs := runIn("", "convert", good, plain)
	require.Equal(t, 0, code, errs)
	text, err := os.ReadFile(plain)
	require.NoError(t, err)
	require.Equal(t, stolenTwice, string(text), "copied, with the fields that are not known")
	code, _, errs = runIn("", "convert", plain, filepath.Join(dir, "again"))
	require.Equal(t, 0, code, errs)

	code, _, errs = runIn("", "convert", "--to", "parquet", good, table)
	require.Equal(t, 0, code, errs)
	data, err := os.ReadFile(table)
	require.NoError(t, err)
	require.Equal(t, "PAR1", string(data[:4]))

	r, w, err := os.Pipe()
	require.NoError(t, err)
	if _, err := os.Stat("/dev/fd"); err == nil {
		link := filepath.Join(dir, "sph") // a pipe may be called as it likes
		require.NoError(t, os.Symlink(fmt.Sprintf("/dev/fd/%d", w.Fd()), link))
		code, _, errs = runIn("", "convert", good, link)
		require.Equal(t, 0, code, errs)
		require.NoError(t, w.Close())
		piped, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, stolenTwice, string(piped))
	}
}

func TestConvertRefuses(t *testing.T) {
	dir := t.TempDir()
	good := fileWith(t, "a.jsonl", stolenTwice)
	bad := fileWith(t, "bad.jsonl", stolenTwice+"{}\n")
	noZip, emptyZip := fileWith(t, "plain.jsonl.gz", stolenTwice), fileWith(t, "empty.jsonl.gz", "")
	out := filepath.Join(dir, "out.sph")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{good}, "convert: expected two files, IN and OUT, found 1"},
		{[]string{good, filepath.Join(dir, "out.csv")}, "out.csv: unknown file ending: expected .jsonl, .jsonl.gz, .sph or .parquet"},
		{[]string{good, filepath.Join(dir, "out.edn")}, "out.edn: edn is read, not written: expected .jsonl, .jsonl.gz, .sph or .parquet"},
		// An abort, say, would have to be left out, and nothing is left out in silence.
		{[]string{good, filepath.Join(dir, "out.txt")}, "out.txt: text is read, not written, for it has no words for abort, full and several objects: expected .jsonl, .jsonl.gz, .sph or .parquet"},
		{[]string{good, filepath.Join(dir, "out.log")}, "out.log: text is read, not written, for it has"},
		{[]string{"--to", "text", good, "-"}, "text is read, not written, for it has"},
		{[]string{filepath.Join(dir, "no.parquet"), out}, "no.parquet: parquet is written, not read: expected .jsonl, .jsonl.gz, .sph, .edn, .txt or .log"},
		{[]string{good, filepath.Join(dir, "parquet")}, "parquet: this is the name of a format, not of a file: did you mean a file like run.parquet? (--to says the format of a name without an ending)"},
		{[]string{good, filepath.Join(dir, "SPH")}, "SPH: this is the name of a format, not of a file: did you mean a file like run.sph?"},
		{[]string{good, filepath.Join(dir, "txt")}, "txt: this is the name of a format, not of a file"},
		{[]string{filepath.Join(dir, "none.sph"), out}, "none.sph: no such file or directory"},
		{[]string{filepath.Join(dir, "none.jsonl"), filepath.Join(dir, "out.jsonl")}, "stealproof: " + filepath.Join(dir, "none.jsonl") + ": no such file or directory"},
		{[]string{noZip, filepath.Join(dir, "out.jsonl")}, "stealproof: " + noZip + ": the compressed data is damaged: expected a gzip file"},
		{[]string{emptyZip, filepath.Join(dir, "out.jsonl")}, "stealproof: " + emptyZip + ": the file is empty: expected a gzip file"},
		{[]string{bad, out}, `bad.jsonl:5: the field "process" is missing`},
		{[]string{bad, filepath.Join(dir, "out.jsonl")}, `bad.jsonl:5: the field "process" is missing`},
		{[]string{"--to", "sph", good, out}, "--to is for standard output and names without an ending: that of " + out + " says its format"},
		{[]string{"--to", "csv", good, "-"}, `unknown format "csv": expected one of jsonl, jsonl.gz, sph, edn, text, parquet`},
		{[]string{"--model", "stack", good, out}, `--model: unknown model "stack"`},
	} {
		code, _, errs := runIn("", append([]string{"convert"}, c.args...)...)
		require.Equal(t, 2, code, c.want)
		require.Contains(t, errs, c.want)
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left, "nothing may be left of a conversion that failed")
}
