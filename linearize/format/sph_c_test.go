package format

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// fencedBlocks are the blocks of a language in a page of the documentation.
func fencedBlocks(t *testing.T, path, language string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var blocks []string
	for _, part := range strings.Split(string(text), "```"+language+"\n")[1:] {
		block, _, closed := strings.Cut(part, "```")
		require.True(t, closed, "%s: a block without an end", path)
		blocks = append(blocks, block)
	}
	return blocks
}

const cProgram = `
#include <stddef.h>
#include <stdio.h>

_Static_assert(sizeof(struct sph_header) == 64, "header");
_Static_assert(sizeof(struct sph_record) == 40, "record");
_Static_assert(sizeof(struct sph_range_record) == 56, "range record");

int main(int argc, char **argv)
{
    struct sph_record log[] = {
        {.value = 17, .call = 120, .return_ = 131, .op = 1, .result = 1},
        {.value = 17, .call = 125, .return_ = 160, .process = 3, .op = 3, .result = 1},
        {.value = UINT64_MAX, .call = 140, .return_ = UINT64_MAX, .process = 2, .object = 0, .op = 3, .result = 0},
    };
    FILE *f = fopen(argv[1], "wb");
    return argc == 2 && f && sph_write(f, 1, log, 3) && fclose(f) == 0 ? 0 : 1;
}
`

// The documentation's C is what vendors copy: it must compile, and what it
// writes must be what we read, however hard the compiler tries.
func TestDocumentedCWritesWhatWeRead(t *testing.T) {
	for _, effort := range []string{"-O0", "-O1", "-O2", "-O3"} {
		t.Run(effort, func(t *testing.T) { documentedCWritesWhatWeRead(t, effort) })
	}
}

func documentedCWritesWhatWeRead(t *testing.T, effort string) {
	compiler, err := exec.LookPath("gcc")
	if err != nil {
		if compiler, err = exec.LookPath("cc"); err != nil {
			t.Skip("there is no C compiler")
		}
	}
	blocks := fencedBlocks(t, "../../docs/history-format.md", "c")
	require.Len(t, blocks, 2)
	dir := t.TempDir()
	source, program, file := filepath.Join(dir, "log.c"), filepath.Join(dir, "log"), filepath.Join(dir, "log.sph")
	require.NoError(t, os.WriteFile(source, []byte(strings.Join(blocks, "\n")+cProgram), 0o600))
	out, err := exec.Command(compiler, "-std=c11", effort, "-Wall", "-Wextra", "-Werror", "-o", program, source).CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(program, file).CombinedOutput()
	require.NoError(t, err, "%s", out)

	h, err := ReadFile(t.Context(), file, Options{})
	require.NoError(t, err)
	require.Equal(t, &model.History{Kind: model.WSDeque, Ops: []model.Operation{
		{Op: model.Push, Result: model.OK, Value: 17, Call: 120, Return: 131, Line: 1},
		{Process: 3, Op: model.Steal, Result: model.OK, Value: 17, Call: 125, Return: 160, Line: 2},
		{Process: 2, Op: model.Steal, Value: model.NoValue, Call: 140, Return: model.Never, Line: 3},
	}}, h)
	// and byte by byte what we write ourselves
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, data, binaryOf(t, h))
}

func TestDocumentedExamplesAreRead(t *testing.T) {
	page := "../../docs/history-format.md"
	lines := fencedBlocks(t, page, "json")
	require.Len(t, lines, 1)
	_, err := Read(strings.NewReader(lines[0]), "json", Options{})
	require.NoError(t, err)
	edn := fencedBlocks(t, page, "clojure")
	require.Len(t, edn, 1)
	h, err := readEDN(strings.NewReader(edn[0]), "edn", Options{Kind: model.FIFO})
	require.NoError(t, err)
	require.Len(t, h.Ops, 2)
	texts := fencedBlocks(t, page, "text")
	require.Len(t, texts, 2)
	for i, text := range texts {
		kind := []model.Kind{0, model.Bag}[i]
		h, err := readText(strings.NewReader(text), "text", Options{Kind: kind})
		require.NoError(t, err)
		require.Len(t, h.Ops, 3-i)
	}
}
