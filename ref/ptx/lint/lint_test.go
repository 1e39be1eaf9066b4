package lint_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/ptx/lint"
	"stealproof/ref/ptx/syntax"
)

func check(t *testing.T, file, text string) (found []string) {
	t.Helper()
	m, err := syntax.Parse(file, text)
	require.NoError(t, err)
	for _, f := range lint.Check(m) {
		found = append(found, fmt.Sprintf("%s %d %d", f.Kind, f.Line, f.WithLine))
	}
	return found
}

// What is named, and what in between makes it right.
func TestFindings(t *testing.T) {
	for _, c := range []struct {
		body string
		want []string
	}{
		// the loop of a published queue whose wait ptxas takes out
		{"l: ld.global.cg.u32 %r1, [%d1];\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra l;", []string{"wait 5 0"}},
		{"l: ld.relaxed.gpu.u32 %r1, [%d1];\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra l;", nil},
		{"l: ld.u32 %r1, [%d1];\nmembar.gl;\nsetp.ne.u32 %p1, %r1, %r2;\n@%p1 bra l;", nil},
		{"l: ld.u32 %r1, [%d1];\nadd.u32 %r2, %r2, 1;\nsetp.ne.u32 %p1, %r2, 9;\n@%p1 bra l;", nil},
		{"ld.u32 %r1, [%d1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra l;\nld.u32 %r2, [%d1+4];\nl:", []string{"order 5 8"}},
		{"ld.volatile.u32 %r1, [%d1];\nsetp.eq.u32 %p1, %r1, 0;\n@!%p1 ld.u32 %r2, [%d1+4];", []string{"order 5 7"}},
		{"ld.acquire.gpu.u32 %r1, [%d1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra l;\nld.u32 %r2, [%d1+4];\nl:", nil},
		{"ld.relaxed.gpu.u32 %r1, [%d1];\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra l;\nfence.acq_rel.gpu;\nld.u32 %r2, [%d1+4];\nl:", nil},
		{"ld.u32 %r1, [%d1];\nld.u32 %r2, [%d1+4];", nil}, // nothing depends on the first
		{"st.u32 [%d1+4], 1;\nst.relaxed.gpu.u32 [%d1], 1;", []string{"publish 5 6"}},
		{"st.u32 [%d1+4], 1;\natom.exch.b32 %r1, [%d1], 1;", []string{"publish 5 6"}},
		{"st.u32 [%d1+4], 1;\nst.release.gpu.u32 [%d1], 1;", nil},
		{"st.u32 [%d1+4], 1;\nmembar.gl;\nst.volatile.u32 [%d1], 1;", nil},
		{"st.local.u32 [%d1+4], 1;\nst.volatile.u32 [%d1], 1;", nil},
	} {
		text := ".version 7.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 p) { .reg .pred %p<3>; .reg .b32 %r<4>; .reg .b64 %d<3>; mov.u64 %d1, 0;\n" + c.body + "\nret; }"
		assert.Equal(t, c.want, check(t, "m.ptx", text), c.body)
	}
}

// The kernels with all their orders have nothing to be named; those that lack some do.
func TestModules(t *testing.T) {
	for file, want := range map[string]int{
		"ptx/abp": 0, "ptx/tz": 0, "ptx/the": 0, "ptx/blocking": 0, "ptx/list": 0, "examples/ticket": 0, "examples/warp-ring": 0,
		"ptx/abp-book": 1, "examples/warp-ring-trusting": 1,
	} {
		text, err := os.ReadFile("../../../gpu/" + file + ".ptx")
		require.NoError(t, err)
		assert.Equal(t, want, min(1, len(check(t, file+".ptx", string(text)))), file)
	}
}
