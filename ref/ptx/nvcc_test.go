package ptx_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref/ptx"
)

// What nvcc 13.0 makes of our kernels (-arch=sm_90 -lineinfo) has the same executions
// and histories as what clang 16 makes of them, and its accesses are those of lines of
// the source.
func TestOtherCompilers(t *testing.T) {
	files, err := filepath.Glob("testdata/nvcc13-*.ptx.gz")
	require.NoError(t, err)
	require.Len(t, files, 2)
	for i, file := range files {
		w := []twin{twins[0], twins[4]}[i] // abp and tz
		z, err := os.Open(file)
		require.NoError(t, err)
		r, err := gzip.NewReader(z)
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, err)
		z.Close()
		m, err := ptx.Load(file, text)
		require.NoError(t, err)
		f, err := m.Foreign(w.kind, w.setup)
		require.NoError(t, err)
		assert.Regexp(t, `^(abp|tz)\.cu:[0-9]+( from [a-z.]+:[0-9]+)?: [a-z]+$`, f.Sites[0])
		f.Capacity = w.bound
		other, err := f.Subject(model.Spec{})
		require.NoError(t, err)
		_, module := w.subjects(t, "sc")
		all, err := programs.All(module, programs.Bounds{Shape: programs.Shape{2, 1}})
		require.NoError(t, err)
		for _, p := range all {
			require.Equal(t, search(t, module, p), search(t, other, p), "%s: %s", file, p)
		}
	}
}
