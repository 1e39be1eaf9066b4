package ptx_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref"
	"stealproof/ref/ptx"
)

// What is wrong with a whole module is said with its file and, where there is one, the
// line.
func TestBadModules(t *testing.T) {
	text, err := os.ReadFile("../../gpu/examples/ticket.ptx")
	require.NoError(t, err)
	source := string(text)
	begin := strings.Index(source, ".visible .entry stealproof_deq(")
	in := func(kernel, code string) string { // at the beginning of a kernel's body
		at := strings.Index(source, ".visible .entry stealproof_"+kernel+"(")
		at += strings.IndexByte(source[at:], '{') + 1
		return source[:at] + "\n" + code + source[at:]
	}
	const count = ".reg .b32 %much; l: add.u32 %much, %much, 1; bra l;"
	for _, c := range []struct{ name, source, want string }{
		{"nothing", "", "m.ptx:1: expected .version, which every PTX module begins with, found the end of the text"},
		{"no text", "\x7fELF\x02\x01", "m.ptx:1: this is no PTX: a byte that its text never has"},
		{"truncated", source[:begin+900], "m.ptx:2134: expected an operand, found the end of the text, inside of function stealproof_deq, which begins in line 2098"},
		{"older", strings.Replace(source, ".version 7.0", ".version 5.0", 1), "m.ptx:5: .version 5.0: expected 6.0 to 9.x"},
		{"newer", strings.Replace(source, ".version 7.0", ".version 10.1", 1), "m.ptx:5: .version 10.1: expected 6.0 to 9.x"},
		{"older GPU", strings.Replace(source, "sm_70", "sm_60", 1), "m.ptx:6: .target sm_60: PTX has a memory model for sm_70 and above; compile for one of them, as with nvcc -arch=sm_70"},
		{"directive", source[:begin] + ".frobnicate 3;\n" + source[begin:], "m.ptx:2098: unknown directive .frobnicate"},
		{"no interface", strings.Replace(source, "stealproof_abi", "other_abi", 1), "m.ptx:1: this module has no word stealproof_abi: compile it with include/stealproof.cuh and STEALPROOF_KERNELS"},
		{"no operation", strings.ReplaceAll(source, "stealproof_deq", "other_deq"), "m.ptx:1: no kernel stealproof_deq"},
		{"recursion", strings.Replace(in("deq", "call recur;\n"), ".visible .entry stealproof_deq(", ".func recur() {\ncall recur;\nret;\n}\n.visible .entry stealproof_deq(", 1),
			"m.ptx:2098: function recur calls itself, which is not supported"},
		{"too large", source + strings.Repeat("\n", ptx.Largest), "at most 16777216 are read"},
		{"endless describe", in("describe", "l: bra l;"), "m.ptx:17: an endless loop: nothing changes in it, and it makes no access to shared memory"},
		{"endless prepare", in("prepare", "l: bra l;"), "structure m-ptx: making an object: m.ptx:53: an endless loop: nothing changes in it, and it makes no access to shared memory"},
		{"endless operation", in("deq", "l: bra l;"), "m.ptx:2102: an endless loop: nothing changes in it, and it makes no access to shared memory"},
		{"endless count", in("deq", count), "m.ptx:2102: an endless loop: more than 1048576 instructions without an access to shared memory"},
	} {
		e, err := execute(t, c.source, "0: enq deq", "sc")
		if err == nil {
			require.Equal(t, ref.Faulted, e.Ending, c.name)
			err = errors.New(e.Fault)
		}
		assert.ErrorContains(t, err, c.want, c.name)
	}
}
