package format

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// What would not fit is refused before it is read, and the size that is named
// is about right.
func TestFilesLargerThanMemoryAreRefused(t *testing.T) {
	const n = 50_000
	h := longHistory(n)
	// what a row of operations takes if its length is guessed, or known
	guess, fixed := n*guessed*float64(operationBytes), float64(n*operationBytes)
	for ending, need := range map[string]float64{".jsonl": guess, ".jsonl.gz": guess, ".sph": fixed} {
		path := filepath.Join(t.TempDir(), "large"+ending)
		require.NoError(t, WriteFile(path, h))
		_, err := ReadFile(t.Context(), path, Options{Memory: 1 << 20})
		require.ErrorContains(t, err, "large"+ending+": its operations need about")
		require.ErrorContains(t, err, "of memory, and the limit is 1.0 MiB")
		mib, convErr := strconv.ParseFloat(regexp.MustCompile(`about ([0-9.]+) MiB`).FindStringSubmatch(err.Error())[1], 64)
		require.NoError(t, convErr)
		require.InEpsilon(t, need/(1<<20), mib, 0.2, fmt.Sprint(err))
		_, err = ReadFile(t.Context(), path, Options{Memory: 1 << 30})
		require.NoError(t, err)
	}
}

// Of what comes from a pipe, and of what is compressed unevenly, the limit shows
// only while it is read.
func TestStreamsLargerThanMemoryAreRefused(t *testing.T) {
	var plain, zipped bytes.Buffer
	h := longHistory(50_000)
	require.NoError(t, Write(&plain, h))
	require.NoError(t, writeZipped(&zipped, h))
	// 6,241 operations of 56 bytes, three times; the header is line 1
	for from, text := range map[string][]byte{"jsonl": plain.Bytes(), "jsonl.gz": zipped.Bytes()} {
		_, err := Read(bytes.NewReader(text), "a pipe", Options{Memory: 1 << 20, From: from})
		require.EqualError(t, err, fmt.Sprintf("a pipe:%d: more operations than fit into 1.0 MiB of memory (--memory moves the limit)", 6_241+2), from)
		_, err = Read(bytes.NewReader(text), "a pipe", Options{Memory: 1 << 30, From: from})
		require.NoError(t, err, from)
	}
}
