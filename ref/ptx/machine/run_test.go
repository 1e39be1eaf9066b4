package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/ref/ptx/syntax"
)

// trace is a memory of words that writes down how it is accessed.
type trace struct {
	words map[uint64]uint64
	lines []string
}

var (
	orderNames = []string{"weak", "relaxed", "acquire", "release", "acq_rel", "sc"}
	scopeNames = []string{"cta", "cluster", "gpu", "sys"}
)

func (t *trace) note(what string, a *Access) {
	t.lines = append(t.lines, fmt.Sprintf("%s%d %s.%s", what, 8*a.Size, orderNames[a.Order], scopeNames[a.Scope]))
}

func (t *trace) Load(at uint64, a *Access) uint64 {
	t.note("load", a)
	return t.words[at] & maskOf(8*uint(a.Size))
}

func (t *trace) Store(at, v uint64, a *Access) {
	t.note("store", a)
	t.words[at] = v
}

func (t *trace) Update(at, x, y uint64, a *Access) uint64 {
	t.note("update", a)
	old := t.words[at]
	t.words[at] = a.Atomic.Apply(old, x, y, a.Size)
	return old
}

func (t *trace) Fence(a *Access) { t.note("fence", a) }

const head = ".version 7.8\n.target sm_70\n.address_size 64\n"

// kernel makes a module of declarations and of the body of a kernel with one
// parameter, which stands in %p.
func kernel(declarations, body string) string {
	return head + declarations + `
.visible .entry k(.param .u64 k_p) {
	.reg .pred %q<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>, %p; .reg .f32 %f<9>;
	ld.param.u64 %p, [k_p];
` + body + "\n}\n"
}

func load(text string) (*Program, error) {
	m, err := syntax.Parse("m.ptx", text)
	if err != nil {
		return nil, err
	}
	return Decode(m, "k")
}

// run runs a kernel on an object at Shared.
func run(t *testing.T, text string) (*trace, *Machine, error) {
	t.Helper()
	p, err := load(text)
	require.NoError(t, err)
	m := NewMachine(p)
	w := &trace{words: map[uint64]uint64{}}
	m.Shared, m.Process, m.Processes = w, 3, 5
	return w, m, m.Run("k", Shared)
}

// results runs a kernel that must not fail, and returns what it has stored.
func results(t *testing.T, declarations, body string) []uint64 {
	t.Helper()
	w, _, err := run(t, kernel(declarations, body))
	require.NoError(t, err)
	all := make([]uint64, 0, len(w.words))
	for at := Shared; len(all) < len(w.words); at += 8 {
		all = append(all, w.words[at])
	}
	return all
}

func TestOrdersAndScopes(t *testing.T) {
	w, _, err := run(t, kernel("", `
	ld.global.u32 %r1, [%p];
	ld.u64 %d1, [%p];
	ld.global.cg.u16 %h1, [%p];
	ld.global.nc.L1::no_allocate.L2::128B.b32 %r1, [%p];
	ld.weak.global.b32 %r1, [%p];
	ld.volatile.u64 %d1, [%p];
	ld.relaxed.sys.u8 %h1, [%p];
	ld.acquire.cta.global.u32 %r1, [%p];
	st.global.cs.u8 [%p], 1;
	st.release.gpu.b64 [%p], 0;
	st.relaxed.cluster.u32 [%p], 0;
	atom.cas.b32 %r1, [%p], 0, 1;
	atom.acq_rel.sys.global.exch.b64 %d1, [%p], 7;
	red.release.cta.add.u32 [%p], 1;
	atom.release.gpu.global.add.s32 %r1, [%p], 1;
	atom.cas.b16 %h1, [%p], 0, 1;
	fence.sc.gpu;
	fence.acq_rel.cta;
	fence.sys;
	membar.gl;
	membar.cta;
	membar.sys;`))
	require.NoError(t, err)
	assert.Equal(t, []string{
		"load32 weak.cta", "load64 weak.cta", "load16 weak.cta", "load32 weak.cta", "load32 weak.cta", "load64 relaxed.sys", "load8 relaxed.sys",
		"load32 acquire.cta", "store8 weak.cta", "store64 release.gpu", "store32 relaxed.cluster",
		"update32 relaxed.gpu", "update64 acq_rel.sys", "update32 release.cta", "update32 release.gpu", "update16 relaxed.gpu",
		"fence0 sc.gpu", "fence0 acq_rel.cta", "fence0 acq_rel.sys", "fence0 sc.gpu", "fence0 sc.cta", "fence0 sc.sys",
	}, w.lines)
}

func TestAtomics(t *testing.T) {
	for _, c := range []struct {
		op           AtomicOp
		old, x, y    uint64
		size         uint8
		want         uint64
		instructions string
	}{
		{Exchange, 5, 7, 0, 4, 7, "exch.b32"},
		{CompareAndSwap, 5, 5, 9, 8, 9, "cas.b64"},
		{CompareAndSwap, 5, 6, 9, 8, 5, "cas.b64"},
		{Add, 0xffffffff, 2, 0, 4, 1, "add.u32"},
		{Add, 1<<64 - 1, 2, 0, 8, 1, "add.u64"},
		{And, 0xf0, 0x3c, 0, 4, 0x30, "and.b32"},
		{Or, 0xf0, 0x3c, 0, 8, 0xfc, "or.b64"},
		{Xor, 0xf0, 0x3c, 0, 4, 0xcc, "xor.b32"},
		{Increment, 3, 4, 0, 4, 4, "inc.u32"},
		{Increment, 4, 4, 0, 4, 0, "inc.u32"},
		{Increment, 9, 4, 0, 4, 0, "inc.u32"},
		{Decrement, 3, 4, 0, 4, 2, "dec.u32"},
		{Decrement, 0, 4, 0, 4, 4, "dec.u32"},
		{Decrement, 5, 4, 0, 4, 4, "dec.u32"},
		{MinUnsigned, 0xffffffff, 1, 0, 4, 1, "min.u32"},
		{MaxUnsigned, 0xffffffff, 1, 0, 4, 0xffffffff, "max.u32"},
		{MinSigned, 0xffffffff, 1, 0, 4, 0xffffffff, "min.s32"},
		{MaxSigned, 0xffffffff, 1, 0, 4, 1, "max.s32"},
		{MinSigned, 1, 1 << 63, 0, 8, 1 << 63, "min.s64"},
		{MaxSigned, 1, 1 << 63, 0, 8, 1, "max.s64"},
	} {
		bits := 8 * c.size
		y := ""
		if c.op == CompareAndSwap {
			y = fmt.Sprintf(", %d", c.y)
		}
		register := map[uint8]string{32: "%r1", 64: "%d1"}[bits]
		got := results(t, "", fmt.Sprintf(`
	st.u%d [%%p], %d;
	atom.%s %s, [%%p], %d%s;
	st.u%d [%%p+8], %s;`, bits, c.old, c.instructions, register, c.x, y, bits, register))
		assert.Equal(t, []uint64{c.want, c.old}, got, c.instructions)
	}
}

func TestPrivateMemory(t *testing.T) {
	assert.Equal(t, []uint64{0x11223344, 0x33, 0xffffffff}, results(t,
		".const .align 4 .u32 table[3] = {1, 0x11223344, 3};\n.const .u64 where = generic(table)+4;", `
	.local .align 8 .b8 depot[16];
	ld.const.u64 %d1, [where];
	ld.u32 %r1, [%d1];
	st.u32 [%p], %r1;
	mov.u64 %d2, depot;
	cvta.local.u64 %d3, %d2;
	st.u32 [%d3+4], %r1;
	ld.local.u8 %h1, [%d2+5];
	st.u16 [%p+8], %h1;
	mov.u32 %r2, -1;
	st.local.u32 [depot+8], %r2;
	cvta.to.local.u64 %d4, %d3;
	ld.local.u32 %r3, [%d4+8];
	st.u32 [%p+16], %r3;`))
}

func TestCalls(t *testing.T) {
	assert.Equal(t, []uint64{5, 120, 30}, results(t, `
.func (.param .b32 r) twice(.param .b32 a) {
	.reg .b32 %x<3>;
	ld.param.u32 %x1, [a];
	add.u32 %x2, %x1, %x1;
	st.param.b32 [r+0], %x2;
	ret;
}
.func (.reg .b32 r) more(.reg .b32 a, .reg .b64 b) {
	.reg .b32 t;
	.param .b32 x; .param .b32 y;
	st.param.b32 [x], a;
	call (y), twice, (x);
	ld.param.b32 r, [y];
	cvt.u32.u64 t, b;
	add.u32 r, r, t;
	call (r), factor, (r, 4);
}
.func (.reg .b32 r) factor(.reg .b32 a, .reg .b32 b);
.func (.reg .b32 r) factor(.reg .b32 a, .reg .b32 b) { mul.lo.u32 r, a, b; ret.uni; }
`, `
	mov.u32 %r1, 5;
	st.u32 [%p], %r1;
	call.uni (%r2), more, (%r1, 20);
	st.u32 [%p+8], %r2;
	{ .param .b32 a; .param .b32 r; st.param.b32 [a+0], 15; call.uni (r), twice, (a); ld.param.b32 %r3, [r+0]; }
	st.u32 [%p+16], %r3;`))
}

func TestBranches(t *testing.T) {
	assert.Equal(t, []uint64{10, 2, 7}, results(t, "", `
	mov.u32 %r1, 0;
	mov.u32 %r2, 0;
$loop:
	add.u32 %r2, %r2, %r1;
	add.u32 %r1, %r1, 1;
	setp.le.u32 %q1, %r1, 4;
	@%q1 bra $loop;
	st.u32 [%p], %r2;
	$table: .branchtargets $zero, $one, $two;
	mov.u32 %r3, 2;
	@!%q1 brx.idx %r3, $table;
$zero:
	trap;
$one:
	bra.uni $end;
$two:
	st.u32 [%p+8], %r3;
	@%q1 st.u32 [%p+8], 99;
	@!%q1 st.u32 [%p+16], 7;
	@%q1 trap;
	bra $one;
$end:`))
}

func TestSpecialRegisters(t *testing.T) {
	got := results(t, "", `
	mov.u32 %r1, %ctaid.x; st.u32 [%p], %r1;
	mov.u32 %r1, %nctaid.x; st.u32 [%p+8], %r1;
	mov.u32 %r1, %tid.x; st.u32 [%p+16], %r1;
	mov.u64 %d1, %globaltimer;
	nanosleep.u32 5000;
	mov.u64 %d2, %globaltimer;
	sub.u64 %d2, %d2, %d1; st.u64 [%p+24], %d2;
	activemask.b32 %r1; st.u32 [%p+32], %r1;`)
	assert.Equal(t, []uint64{3, 5, 0}, got[:3])
	assert.GreaterOrEqual(t, got[3], uint64(5000))
	assert.EqualValues(t, 1, got[4])
}

func TestArgumentsAreTheThreadsOwn(t *testing.T) {
	p, err := load(kernel("", `
	ld.global.u32 %r1, [%p+4];
	add.u32 %r1, %r1, 1;
	st.release.gpu.global.u32 [%p], %r1;
	atom.add.u32 %r2, [%p], 3;
	ld.u32 %r3, [%p+8];`))
	require.NoError(t, err)
	m := NewMachine(p)
	m.Arguments = []byte{0, 0, 0, 0, 41, 0, 0, 0}
	err = m.Run("k", Arguments)
	assert.EqualError(t, err, "m.ptx:13: an access of 4 bytes at 0x100000000008, where nothing is")
	assert.Equal(t, []byte{45, 0, 0, 0, 41, 0, 0, 0}, m.Arguments)
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ body, message string }{
		{"trap;", "m.ptx:8: trap"},
		{"mov.u64 %d1, 0;\nld.u32 %r1, [%d1];", "m.ptx:9: an access of 4 bytes at 0x0, where nothing is"},
		{"st.u32 [%p+2], 1;", "m.ptx:8: an access of 4 bytes at 0x500000000002, which is no multiple of 4"},
		{"ld.v2.u64 {%d1, %d2}, [%p+8];", "m.ptx:8: an access of 8 bytes at 0x500000000008, which is no multiple of 16"},
		{".local .b32 x;\nmov.u64 %d1, x;\nst.local.u32 [%d1+4], 1;", "m.ptx:10: an access of 4 bytes at 0x8c, where nothing is"},
		{"mov.u32 %r1, 0;\ndiv.u32 %r2, 7, %r1;", "m.ptx:9: a division by zero, whose result PTX does not say"},
		{"l: bra l;", "m.ptx:8: an endless loop: nothing changes in it, and it makes no access to shared memory"},
		{"l: xor.b32 %r1, %r1, 1;\nxor.b32 %r2, %r1, 1;\nbra l;", "m.ptx:9: an endless loop: nothing changes in it, and it makes no access to shared memory"},
		{"mov.u32 %r1, 0;\nl: add.u32 %r1, %r1, 1;\nmembar.gl;\nbra l;", "m.ptx:9: an endless loop: more than 1048576 instructions without an access to shared memory"},
		{"l: mov.u32 %r1, %clock;\nmov.u32 %r1, 0;\nbra l;", "m.ptx:9: an endless loop: more than 1048576 instructions without an access to shared memory"},
		{"t: .branchtargets a;\nmov.u32 %r1, 3;\nbrx.idx %r1, t;\na:", "m.ptx:10: a branch to place 3 of a table of 1"},
	} {
		_, _, err := run(t, kernel("", c.body))
		assert.EqualError(t, err, c.message)
	}
}

func TestRunsHaveALimit(t *testing.T) {
	p, err := load(kernel("", "l: ld.u32 %r1, [%p];\nbra l;"))
	require.NoError(t, err)
	m := NewMachine(p)
	m.Shared, m.Limit = &trace{words: map[uint64]uint64{}}, 1000
	assert.EqualError(t, m.Run("k", Shared), "m.ptx:8: 1000 instructions, and no end")
	// without an access, too
	p, err = load(kernel("", "l: add.u32 %r1, %r1, 1;\nbra l;"))
	require.NoError(t, err)
	m = NewMachine(p)
	m.Shared, m.Limit = &trace{words: map[uint64]uint64{}}, 1000
	assert.ErrorContains(t, m.Run("k", Shared), "1000 instructions, and no end")
}

// A loop that waits for its clock, or ends late, is not endless.
func TestLongWaits(t *testing.T) {
	for _, body := range []string{
		"l: mov.u64 %d1, %clock64;\nsetp.lt.u64 %q1, %d1, 900000;\nmov.u64 %d1, 0;\n@%q1 bra l;\nst.u64 [%p], 7;",
		"mov.u32 %r1, 0;\nl: add.u32 %r1, %r1, 1;\nsetp.lt.u32 %q1, %r1, 300000;\n@%q1 bra l;\nst.u64 [%p], 7;",
	} {
		_, memory, err := run(t, kernel("", body))
		require.NoError(t, err, body)
		assert.NotEmpty(t, memory)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []struct{ declarations, body, message string }{
		{"", "frobnicate.u32 %r1;", "m.ptx:8: frobnicate.u32 %r1: this instruction is not supported"},
		{"", "add.f32 %f1, %f2, %f3;", "m.ptx:8: add.f32 %f1, %f2, %f3: floating point is not supported"},
		{"", "add.u32 %r1, %r2, %d1;", "m.ptx:8: add.u32 %r1, %r2, %d1: register %d1 has another size than the instruction"},
		{"", "add.u32 %r1, %r2;", "m.ptx:8: add.u32 %r1, %r2: it has another number of operands than is supported"},
		{"", "add.wide.u32 %r1, %r2, 1;", "m.ptx:8: add.wide.u32 %r1, %r2, 1: .wide is not supported here"},
		{"", "add.u32 %r1, %r2, %what;", "m.ptx:8: add.u32 %r1, %r2, %what: the register %what is not supported"},
		{"", "bar.arrive 0, 32;", "m.ptx:8: bar.arrive 0, 32: only .sync and .red are supported"},
		{"", "shfl.idx.b32 %r1, %r2, 0, 31;", "m.ptx:8: shfl.idx.b32 %r1, %r2, 0, 31: without .sync this instruction is not supported"},
		{"", "ld.shared::cluster.u32 %r1, [%p];", "m.ptx:8: ld.shared::cluster.u32 %r1, [%p]: .shared::cluster is not supported"},
		{"", "ld.relaxed.u32 %r1, [%p];", "m.ptx:8: ld.relaxed.u32 %r1, [%p]: it names no scope"},
		{"", "ld.sc.gpu.u32 %r1, [%p];", "m.ptx:8: ld.sc.gpu.u32 %r1, [%p]: .sc is not supported here"},
		{"", "atom.add.f32 %f1, [%p], %f2;", "m.ptx:8: atom.add.f32 %f1, [%p], %f2: floating point is not supported"},
		{"", "atom.cas.b128 %d1, [%p], %d2, %d3;", "m.ptx:8: atom.cas.b128 %d1, [%p], %d2, %d3: this instruction is not supported"},
		{"", "fence.proxy.async;", "m.ptx:8: fence.proxy.async: it names no scope"},
		{"", "bra nowhere;", "m.ptx:8: bra nowhere: unknown label nowhere"},
		{"", "call malloc, (%d1);", "m.ptx:8: call: function malloc has no body in this module"},
		{"", "call %d1;", "m.ptx:8: call: a call through a register is not supported"},
		{".extern .global .u32 x;", "ld.global.u32 %r1, [x];", "m.ptx:8: variable x is in another module, which is not supported"},
		{".global .b8 x[99999999];", "mov.u64 %d1, x;", "m.ptx:4: variable x has 99999999 bytes: at most 16777216 are supported for all of a space"},
		{".func f() { call g; }\n.func g() { call f; }", "call f;", "m.ptx:4: function f calls itself, which is not supported"},
		{".func f(.reg .b32 a) { ret; }", "call f;", "m.ptx:8: call f: it gives or takes another number of parameters than the function has"},
		{"", "ld.param.u64 %d1, [k_p+4];", "m.ptx:8: ld.param.u64 %d1, [k_p+4]: outside of k_p"},
	} {
		_, err := load(kernel(c.declarations, c.body))
		assert.EqualError(t, err, c.message)
	}
	_, err := load(head)
	assert.EqualError(t, err, "m.ptx:1: no kernel k")
}

// What no execution can come to may be anything.
func TestOnlyWhatIsReachedIsRefused(t *testing.T) {
	_, err := load(kernel(".func f() { vote.sync.any.pred p, q, -1; }", `
	bra $end;
	frobnicate.u32 %r1;
	call f;
$end:
	exit;
	bar.sync 0;`))
	assert.NoError(t, err)
}

func TestSites(t *testing.T) {
	sites := func(declarations, code string) []string {
		t.Helper()
		p, err := load(kernel(declarations, "ld.u64 %d1, [%p];\n"+code))
		require.NoError(t, err)
		return p.Sites
	}
	file := `.file 1 "/home/me/queue.cu"`
	assert.Equal(t, []string{"queue.cu:7: read", "queue.cu:8: fence"},
		sites(file, ".loc 1 7 3\nld.u32 %r1, [%d1]; // site first\nld.u32 %r1, [%d1];\n.loc 1 8 3\nmembar.gl;"), "copies are one site")
	assert.Equal(t, []string{"m.ptx:8: read", "first", "m.ptx:10: read"},
		sites("", "ld.u32 %r1, [%d1]; // site first\nld.u32 %r1, [%d1];\nadd.u64 %p, %p, %d1;"))
	assert.Equal(t, []string{"both: fence", "both: read"},
		sites("", "fence.sc.gpu; ld.u32 %r1, [%d1]; // site both"))
	assert.Equal(t, []string{"queue.cu:7: read", "queue.cu:7: read 2", "queue.cu:7: swap", "queue.cu:7: min"},
		sites(file, ".loc 1 7 3\nld.u32 %r1, [%d1];\n.loc 1 7 20\nld.u32 %r1, [%d1];\natom.cas.b32 %r1, [%d1], 1, 2;\nred.min.s32 [%d1], 1;"), "two accesses of a line")
}

// What is inlined has the name of the place that its author knows, and is told apart by
// who calls it.
func TestSitesOfInlinedFunctions(t *testing.T) {
	p, err := load(kernel(`.file 1 "/home/me/queue.cu"
.file 2 "/home/me/ring.h"
.file 3 "/usr/local/cuda-13.0/targets/x86_64-linux/include/cccl/cuda/std/__atomic/types/base.h"`, `
	ld.u64 %d1, [%p];
	.loc 1 20 5
	.loc 2 31 7, function_name $L0, inlined_at 1 20 5
	.loc 3 99 1, function_name $L1+4, inlined_at 2 31 7
	ld.u32 %r1, [%d1];
	.loc 2 32 7, function_name $L0, inlined_at 1 20 5
	st.u32 [%d1], %r1;
	.loc 1 24 5
	.loc 2 32 7, function_name $L0, inlined_at 1 24 5
	st.u32 [%d1], %r1;
	.loc 3 98 1
	membar.gl;
	.loc 2 0 7
	membar.gl;`))
	require.NoError(t, err)
	assert.Equal(t, []string{"ring.h:31: read", "ring.h:32 from queue.cu:20: write", "ring.h:32 from queue.cu:24: write", "base.h:98: fence", "m.ptx:24: fence"}, p.Sites)
}

// Where there are too many, all of a kind in a line are one.
func TestSitesAreNotTooMany(t *testing.T) {
	var code strings.Builder
	for column := range 300 {
		fmt.Fprintf(&code, ".loc 1 %d %d\nmembar.gl;\n", 7+column/200, column)
	}
	p, err := load(kernel(`.file 1 "queue.cu"`, code.String()))
	require.NoError(t, err)
	assert.Equal(t, []string{"queue.cu:7: fence", "queue.cu:8: fence"}, p.Sites)
}

func TestGlobals(t *testing.T) {
	p, err := load(kernel(".global .align 8 .u64 x[2] = {5, y};\n.global .u32 y = 6;\n.global .u32 unused;", "ld.global.u64 %d1, [x+8];"))
	require.NoError(t, err)
	require.Len(t, p.Globals, 2)
	x, y := p.Globals[0], p.Globals[1]
	assert.Equal(t, []string{"x", "y"}, []string{x.Name, y.Name})
	assert.Equal(t, y.Address, read(x.Data[8:], 8))
	found, ok := p.GlobalAt(x.Address + 15)
	assert.True(t, ok)
	assert.Equal(t, "x", found.Name)
	_, ok = p.GlobalAt(x.Address + 16)
	assert.False(t, ok)
}

func TestNothingIsAllocated(t *testing.T) {
	p, err := load(kernel(".func f() { ret; }", `
	mov.u32 %r1, 100;
l:	add.u32 %r1, %r1, -1;
	st.relaxed.gpu.u32 [%p], %r1;
	call f;
	setp.ne.u32 %q1, %r1, 0;
	@%q1 bra l;`))
	require.NoError(t, err)
	m := NewMachine(p)
	m.Shared = flat(make([]uint64, 1))
	assert.Zero(t, testing.AllocsPerRun(10, func() { _ = m.Run("k", Shared) }))
}

// flat is a memory without anything else.
type flat []uint64

func (f flat) Load(at uint64, _ *Access) uint64        { return f[(at-Shared)/8] }
func (f flat) Store(at, v uint64, _ *Access)           { f[(at-Shared)/8] = v }
func (f flat) Update(_, _, _ uint64, _ *Access) uint64 { return 0 }
func (f flat) Fence(*Access)                           {}

// FuzzRun decodes and runs whatever can be parsed: nothing may hang or panic.
func FuzzRun(f *testing.F) {
	f.Add(kernel(".global .u32 g = 4;", "ld.global.u32 %r1, [g];\nst.u32 [%p], %r1;"))
	f.Add(kernel(".func (.reg .b32 r) f(.reg .b32 a) { add.u32 r, a, 1; }", "call (%r1), f, (%r2);\nmov.b64 {%r1, %r2}, %p;\nbfe.u32 %r1, %r2, 3, 4;"))
	f.Add(kernel(".const .b8 c[3] = {1, 2};", "l: setp.lt.s32 %q1|%q2, %r1, 3;\n@%q1 bra l;\nld.const.u8 %h1, [c+2];\ncvt.s64.s8 %d1, %h1;"))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := load(text)
		if err != nil {
			return
		}
		m := NewMachine(p)
		m.Shared, m.Limit = &trace{words: map[uint64]uint64{}}, 10000
		_ = m.Run("k", Shared)
	})
}

func BenchmarkInstructions(b *testing.B) {
	p, err := load(kernel("", `
	mov.u32 %r1, 1000;
l:	mad.lo.u32 %r2, %r2, 5, 1;
	xor.b32 %r2, %r2, %r1;
	shr.u32 %r3, %r2, 3;
	add.u32 %r1, %r1, -1;
	setp.ne.u32 %q1, %r1, 0;
	@%q1 bra l;`))
	require.NoError(b, err)
	m := NewMachine(p)
	for b.Loop() {
		_ = m.Run("k", Shared)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/6000, "ns/instruction")
}
