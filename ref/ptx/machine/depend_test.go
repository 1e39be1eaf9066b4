package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// followed is a Follower that writes down what it is told.
type followed struct {
	brought, arguments Reads
	count              int
	lines              []string
}

func (f *followed) Brought() (control, arguments Reads) { return f.brought, f.arguments }

func (f *followed) Count(*Access) int { f.count++; return f.count - 1 }

func (f *followed) Depends(control, data Reads) {
	f.lines = append(f.lines, fmt.Sprintf("%s/%s", named(control), named(data)))
}

func named(r Reads) string {
	var s strings.Builder
	for n := range 256 {
		if r[n/64]>>(n%64)&1 != 0 {
			fmt.Fprint(&s, n)
		}
	}
	return s.String()
}

// Of each access, what it depends on: whether and where it is made / what it writes.
// Reads are numbered from 0; the last entry is what comes behind the kernel.
func TestDependencies(t *testing.T) {
	const two = "ld.u32 %r1, [%p]; ld.u32 %r2, [%p+8]; " // / /
	for _, c := range []struct{ name, body, want string }{
		{"data", two + "add.u32 %r3, %r1, %r2; st.u32 [%p], %r3;", "/ / /01 /"},
		{"no data", two + "st.u32 [%p], 3;", "/ / / /"},
		{"a value that cancels itself out", two + "xor.b32 %r3, %r1, %r1; st.u32 [%p], %r3;", "/ / /0 /"},
		{"overwritten", two + "mov.u32 %r1, %r2; st.u32 [%p], %r1;", "/ / /1 /"},
		{"address", "ld.u64 %d1, [%p]; add.u64 %d1, %d1, %p; ld.u32 %r1, [%d1]; st.u32 [%d1+8], %r1;", "/ 0/ 0/1 /"},
		{"control", two + "setp.eq.u32 %q1, %r1, 0; @%q1 bra $a; st.u32 [%p], 1; $a: st.u32 [%p+8], %r2;", "/ / 0/1 0/"},
		{"both ways the same", two + "setp.eq.u32 %q1, %r1, 77; @!%q1 bra $a; $a: st.u32 [%p+8], 2;", "/ / 0/ 0/"},
		{"a guard that lets pass", two + "setp.eq.u32 %q1, %r1, 0; @%q1 st.u32 [%p], %r2; st.u32 [%p+8], 2;", "/ / 0/1 / /"},
		{"a guard that leaves out", two + "setp.ne.u32 %q1, %r1, 0; @%q1 st.u32 [%p], %r2; st.u32 [%p+8], 2;", "/ / / /"},
		{"a register under a guard", two + "setp.eq.u32 %q1, %r1, 0; mov.u32 %r3, %r2; @%q1 mov.u32 %r3, 7; st.u32 [%p], %r3; st.u32 [%p], %r2;", "/ / /01 /1 /"},
		{"a register that is left alone", two + "setp.ne.u32 %q1, %r1, 0; mov.u32 %r3, 7; @%q1 mov.u32 %r3, 8; st.u32 [%p], %r3;", "/ / /0 /"},
		{"a load under a guard", two + "setp.eq.u32 %q1, %r1, 0; @%q1 ld.u32 %r2, [%p]; st.u32 [%p], %r2;", "/ / 0/ /012 /"},
		{"a return under a guard", two + "setp.ne.u32 %q1, %r1, 0; @%q1 ret; st.u32 [%p], 1;", "/ / 0/ 0/"},
		{"selected", two + "setp.eq.u32 %q1, %r1, 0; selp.b32 %r3, 4, %r2, %q1; st.u32 [%p], %r3;", "/ / /01 /"},
		{"inserted", two + "bfi.b32 %r3, 1, 2, %r1, %r2; st.u32 [%p], %r3;", "/ / /01 /"},
		{"a carry", two + "add.cc.u32 %r3, %r1, 1; addc.cc.u32 %r4, %r2, 0; addc.u32 %r5, 0, 0; st.u32 [%p], %r5; st.u32 [%p], %r3;", "/ / /01 /0 /"},
		{"a vector", "ld.v2.u32 {%r1, %r2}, [%p]; st.u32 [%p], %r2;", "/ / /1 /"},
		{"an addition", two + "atom.add.u32 %r3, [%p], %r1; st.u32 [%p], %r3;", "/ / /02 /2 /"},
		{"a swap", two + "atom.cas.b32 %r3, [%p], %r1, %r2; st.u32 [%p], %r3;", "/ / /012 /2 /"},
		{"an exchange", two + "atom.exch.b32 %r3, [%p], %r1; st.u32 [%p], %r3;", "/ / /0 /2 /"},
		{"a reduction", two + "red.max.u32 [%p], %r1;", "/ / /02 /"},
		{"a fence", two + "setp.eq.u32 %q1, %r1, 0; @%q1 bra $a; $a: fence.acq_rel.gpu; st.u32 [%p], %r2;", "/ / 0/ 0/1 0/"},
		{"local memory", ".local .b32 x; .local .b32 y; " + two + "st.local.u32 [x], %r1; st.local.u32 [y], %r2; ld.local.u32 %r3, [x]; st.u32 [%p], %r3;", "/ / /0 /"},
		{"a half of it", ".local .b64 x; " + two + "st.local.u32 [x], %r1; st.local.u32 [x+4], %r2; ld.local.u16 %h1, [x+6]; st.u16 [%p], %h1; ld.local.u64 %d1, [x]; st.u64 [%p], %d1;", "/ / /1 /01 /"},
		{"its generic address", ".local .b32 x; " + two + "st.local.u32 [x], %r1; mov.u64 %d1, x; cvta.local.u64 %d1, %d1; ld.u32 %r3, [%d1]; st.u32 [%p], %r3; st.u32 [%d1], %r2; ld.local.u32 %r3, [x]; st.u32 [%p], %r3;", "/ / /0 /1 /"},
		{"a table", "t: .branchtargets $a, $b; " + two + "brx.idx %r1, t; $a: st.u32 [%p], 1; $b: st.u32 [%p], 2;", "/ / 0/ 0/ 0/"},
		{"a loop", two + "$a: ld.u32 %r3, [%p+16]; setp.ne.u32 %q1, %r3, 0; @%q1 bra $a; st.u32 [%p], 2;", "/ / / 2/ 2/"},
		{"a call", ".param .b32 x; .param .b32 y; " + two + "st.param.b32 [x], %r1; call (y), f, (x, %r2); ld.param.b32 %r3, [y]; st.u32 [%p], %r3;", "/ / /01 /"},
		{"a call under a guard", ".param .b32 x; .param .b32 y; " + two + "setp.eq.u32 %q1, %r1, 0; st.param.b32 [x], 1; @%q1 call (y), f, (x, 1); st.u32 [%p], 2;", "/ / 0/ 0/"},
	} {
		p, err := load(kernel(`.func (.param .b32 r) f(.param .b32 a, .param .b32 b) {
	.reg .b32 %x<3>;
	ld.param.b32 %x0, [a]; ld.param.b32 %x1, [b]; or.b32 %x2, %x0, %x1; st.param.b32 [r], %x2; ret;
}`, strings.ReplaceAll(c.body, "; ", ";\n")))
		require.NoError(t, err, c.name)
		m := NewMachine(p)
		for range 2 { // nothing is left of a run
			f := &followed{}
			m.Shared, m.Follower = &trace{words: map[uint64]uint64{}}, f
			require.NoError(t, m.Run("k", Shared), c.name)
			assert.Equal(t, c.want, strings.Join(f.lines, " "), c.name)
		}
	}
}

// What a thread brings along, and what stands in its arguments, depends on what was read
// before.
func TestDependenciesThatAreBrought(t *testing.T) {
	p, err := load(kernel("", "ld.u32 %r1, [%p];\nst.u32 [%p+8], 1;\nld.u32 %r2, [%p+8];\nmov.u64 %d1, 0x500000000000;\nst.u32 [%d1], %r1;\nst.u32 [%d1], %r2;"))
	require.NoError(t, err)
	m := NewMachine(p)
	f := &followed{brought: Reads{1 << 3}, arguments: Reads{1 << 5}}
	m.Arguments, m.Shared, m.Follower = make([]byte, 16), &trace{words: map[uint64]uint64{}}, f
	require.NoError(t, m.Run("k", Arguments))
	assert.Equal(t, []string{"3/5", "3/", "3/"}, f.lines)
}
