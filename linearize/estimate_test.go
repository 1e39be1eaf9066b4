package linearize

import (
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
	// what a row of operations takes while it grows, or if its length is known
	growing, fixed := n*growth*float64(operationBytes), float64(n*operationBytes)
	for ending, need := range map[string]float64{".jsonl": growing, ".jsonl.gz": growing, ".sph": fixed} {
		path := filepath.Join(t.TempDir(), "large"+ending)
		require.NoError(t, WriteFile(path, h))
		_, err := ReadFileWith(path, ReadOptions{Memory: 1 << 20})
		require.ErrorContains(t, err, "large"+ending+": its operations need about")
		require.ErrorContains(t, err, "of memory, and the limit is 1.0 MiB")
		mib, convErr := strconv.ParseFloat(regexp.MustCompile(`about ([0-9.]+) MiB`).FindStringSubmatch(err.Error())[1], 64)
		require.NoError(t, convErr)
		require.InEpsilon(t, need/(1<<20), mib, 0.2, fmt.Sprint(err))
		_, err = ReadFileWith(path, ReadOptions{Memory: 1 << 30})
		require.NoError(t, err)
	}
}
