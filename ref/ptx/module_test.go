package ptx_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// written is a module of a queue of 64 bytes, written by hand: the bodies of the
// kernels prepare, enq and deq, with the object's address in %o, what is told in %c,
// and the value that goes in in %v.
func written(declarations, prepare, enq, deq string) string {
	kernel := func(name, head, body string) string {
		return fmt.Sprintf(".visible .entry stealproof_%s(.param .u64 p0%s) {\n.reg .pred %%q<9>; .reg .b32 %%r<9>; .reg .b64 %%d<9>, %%c, %%o, %%v;\nld.param.u64 %%c, [p0];\n%s\n%s\nret;\n}\n",
			name, map[bool]string{true: ", .param .u64 p1"}[name == "describe"], head, body)
	}
	operation := "ld.global.u64 %o, [%c+32]; ld.global.u64 %v, [%c+16];"
	return ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 stealproof_abi = 3;\n" + declarations + "\n" +
		kernel("describe", "ld.param.u64 %c, [p1];", "st.u32 [%c], 3; st.u32 [%c+4], 2; st.u32 [%c+16], 240; st.u64 [%c+24], 64;") +
		kernel("prepare", "ld.global.u64 %o, [%c+56];", prepare) +
		kernel("enq", operation, enq) + kernel("deq", operation, deq)
}

const (
	isOK    = "\nst.global.u32 [%c+8], 1;"
	isEmpty = "\nst.global.u32 [%c+8], 3;"
)

// execute runs a program on a module, one process after the other.
func execute(t *testing.T, text, program, memory string) (*ref.Execution, error) {
	t.Helper()
	m, err := ptx.Load("m.ptx", []byte(text))
	if err != nil {
		return nil, err
	}
	f, err := m.Foreign(model.FIFO, ptx.Setup{})
	if err != nil {
		return nil, err
	}
	s, err := f.Subject(model.Spec{Structure: memory})
	require.NoError(t, err)
	p, err := s.ParseProgram(program)
	require.NoError(t, err)
	setup, err := s.Prepare(p)
	if err != nil {
		return nil, err
	}
	sim := ref.NewSim(setup)
	t.Cleanup(sim.Close)
	sim.Tracing = true
	return sim.Run(&every{}), nil
}

func TestModulesThatAreRefused(t *testing.T) {
	whole := written("", "", isOK, isEmpty)
	for _, c := range []struct{ text, message string }{
		{"no PTX", "m.ptx:1: expected .version, which every PTX module begins with, found no"},
		{".version 7.0\n.target sm_70\n.address_size 64\n", "m.ptx:1: this module has no word stealproof_abi: compile it with include/stealproof.cuh and STEALPROOF_KERNELS"},
		{strings.Replace(whole, "abi = 3", "abi = 2", 1), "m.ptx:4: this module was compiled with version 2 of stealproof.cuh: to run without a GPU it takes version 3, which has a kernel for each operation"},
		{strings.Replace(whole, "stealproof_deq", "other", 1), "m.ptx:1: no kernel stealproof_deq"},
		{strings.Replace(whole, "[%c+4], 2", "[%c+4], 4", 1), "m.ptx:1: this module is of model bag, not of fifo"},
		{strings.Replace(whole, "[%c+24], 64", "[%c+24], 99999999", 1), "m.ptx:1: an object has 99999999 bytes: 1 to 1048576 are supported without a GPU"},
		{strings.Replace(whole, "[%c+16], 240", "[%c+16], 8", 1), "m.ptx:1: this module does not keep to version 3 of stealproof.cuh"},
		{written("", "", "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", ""), "m.ptx:24: shfl.sync.idx.b32 %r1, %r2, 0, 31, -1: this is for the threads of a warp or of a block, and a process is one thread here: say how many lanes one has, 2 to 64"},
	} {
		m, err := ptx.Load("m.ptx", []byte(c.text))
		if err == nil {
			_, err = m.Foreign(model.FIFO, ptx.Setup{})
		}
		assert.EqualError(t, err, c.message)
	}
}

func TestFaultsOfOperations(t *testing.T) {
	const store = "st.u64 [%o], 0;"
	for _, c := range []struct{ prepare, enq, message string }{
		{store, "ld.u64 %d1, [%o+8];" + isOK, "m.ptx:24: a load of what was never written"},
		{store, "atom.cas.b64 %d1, [%o+16], 0, 1;" + isOK, "m.ptx:24: a load of what was never written"},
		{store, "st.u64 [%o+64], 1;" + isOK, "m.ptx:24: an access of 8 bytes at byte 64 of the object, outside of it"},
		{store, "st.u64 [%o+-8], 1;" + isOK, "m.ptx:24: an access of 8 bytes at 0x4ffffffffff8, where nothing is"},
		{store, "st.u64 [%o+4], 1;" + isOK, "m.ptx:24: an access of 8 bytes at 0x500000000004, which is no multiple of 8"},
		{store, "trap;", "m.ptx:24: trap"},
		// the first time, for else each of the thousands of operations that are tried to find the words would loop
		{store, "atom.exch.b64 %d1, [%o], 1;\nsetp.ne.u64 %q1, %d1, 0;\n@%q1 ret;\nl: bra l;", "m.ptx:27: an endless loop: nothing changes in it, and it makes no access to shared memory"},
		{store, "", "enq came back with "},
	} {
		e, err := execute(t, written("", c.prepare, c.enq, isEmpty), "0: enq", "sc")
		require.NoError(t, err)
		assert.Equal(t, ref.Faulted, e.Ending, c.message)
		assert.Contains(t, e.Fault, c.message)
	}
	_, err := execute(t, written("", "l: bra l;", isOK, isEmpty), "0: enq", "sc")
	assert.EqualError(t, err, "structure m-ptx: making an object: m.ptx:17: an endless loop: nothing changes in it, and it makes no access to shared memory")
}

func TestPreparingComesToNoEnd(t *testing.T) {
	_, err := execute(t, written("", "l: st.u64 [%o], 0;\nbra l;", isOK, isEmpty), "0: enq", "sc")
	assert.ErrorContains(t, err, "making an object: m.ptx:17: 16777216 instructions, and no end")
}

// A half of a word that others swap whole is an access of its own.
func TestHalvesOfWords(t *testing.T) {
	enq := "shl.b64 %d1, %v, 32;\nadd.u64 %d1, %d1, 7;\natom.exch.b64 %d2, [%o], %d1;" + isOK
	deq := "st.u32 [%o], 9;\nld.u32 %r1, [%o+4];\natom.add.u32 %r2, [%o], 1;\nld.u64 %d1, [%o];\ncvt.u64.u32 %d2, %r2;\nmul.lo.u64 %d2, %d2, 100;\nshr.u64 %d3, %d1, 32;\nadd.u64 %d2, %d2, %d3;\nst.global.u64 [%c+16], %d2;" + isOK
	text := written("", "st.u64 [%o], 0;", enq, deq)
	e, err := execute(t, text, "0: enq deq", "sc")
	require.NoError(t, err)
	require.Equal(t, ref.Complete, e.Ending, e.Fault)
	assert.EqualValues(t, 901, e.History.Ops[1].Value, "the lower half was 9, the upper one is the value")
	// on the weak memory a write to it is refused by name
	e, err = execute(t, text, "0: enq deq", "ptx")
	require.NoError(t, err)
	assert.Contains(t, e.Fault, "a write to 4 of the 8 bytes of a word that others access whole (+0): on a weak memory only loads of a part are supported")
}

// A load of a half is made on the weak memory where something orders it and every write of
// the word. Where nothing does that is a mixed-size race, of which PTX says nothing.
func TestHalvesOfWordsOnTheWeakMemory(t *testing.T) {
	enq := "shl.b64 %d1, %v, 32;\nadd.u64 %d1, %d1, 7;\natom.release.gpu.exch.b64 %d2, [%o], %d1;" + isOK
	taken := "mov.u64 %d2, 0;\nld.acquire.gpu.u64 %d1, [%o];\nsetp.eq.u64 %q1, %d1, 0;\n@%q1 bra none;\nld.u32 %r1, [%o+4]; // site half\ncvt.u64.u32 %d2, %r1;\nst.global.u64 [%c+16], %d2;" + isOK + "\nret;\nnone:" + isEmpty
	text := written("", "st.u64 [%o], 0;", enq, taken)
	verdict := func(text, program string) found {
		m, err := ptx.Load("m.ptx", []byte(text))
		require.NoError(t, err)
		f, err := m.Foreign(model.FIFO, ptx.Setup{})
		require.NoError(t, err)
		s, err := f.Subject(model.Spec{Structure: "ptx"})
		require.NoError(t, err)
		p, err := s.ParseProgram(program)
		require.NoError(t, err)
		return search(t, s, p)
	}
	assert.Equal(t, model.Linearizable, verdict(text, "0: enq deq").verdict)
	assert.Equal(t, model.Linearizable, verdict(text, "0: enq\n1: deq").verdict, "the acquiring load has ordered it")
	for _, raced := range []found{
		verdict(strings.Replace(text, "ld.acquire.gpu", "ld.weak", 1), "0: enq\n1: deq"),
		verdict(text, "0: enq\n1: deq\n2: enq"),
	} {
		assert.Equal(t, model.Violation, raced.verdict)
		assert.Contains(t, raced.why, "half needs a part of +0 only, and nothing orders it and the write of step ")
		assert.Contains(t, raced.why, "a mixed-size data race, of which the memory model of PTX says nothing; load the whole word")
	}
}

// The deque whose owner looks at one half of the head that thieves swap whole.
func TestDequeThatReadsHalfOfItsHead(t *testing.T) {
	text, err := os.ReadFile("../../gpu/ptx/abp.ptx")
	require.NoError(t, err)
	const whole = "ld.relaxed.gpu.global.b32 %r22, [%rd22]; // site pop_read_head"
	require.Contains(t, string(text), whole)
	half := strings.ReplaceAll(string(text), whole, "{ .reg .b16 %half; ld.relaxed.gpu.global.u16 %half, [%rd22]; cvt.u32.u16 %r22, %half; } // site pop_read_head")
	for memory, want := range map[string]string{"sc": "", "tso": "", "ptx": "pop_read_head needs a part of +"} {
		m, err := ptx.Load("abp.ptx", []byte(half))
		require.NoError(t, err)
		f, err := m.Foreign(model.WSDeque, ptx.Setup{Numbers: [8]uint64{2, 16, 128}})
		require.NoError(t, err)
		s, err := f.Subject(model.Spec{Structure: memory})
		require.NoError(t, err)
		p, err := s.ParseProgram("0: push pop\n1: steal")
		require.NoError(t, err)
		x := search(t, s, p)
		assert.Equal(t, want != "", x.verdict == model.Violation, memory)
		assert.Contains(t, x.why, want, memory)
	}
}

// Variables of the module are there once, whatever the number of objects.
func TestVariablesOfTheModuleAreShared(t *testing.T) {
	enq := "atom.add.u32 %r1, [count], 1;" + isOK
	deq := "ld.u32 %r1, [count];\ncvt.u64.u32 %d1, %r1;\nst.global.u64 [%c+16], %d1;" + isOK
	e, err := execute(t, written(".global .u32 count = 40;", "", enq, deq), "0: enq enq@1 deq", "sc")
	require.NoError(t, err)
	require.Equal(t, ref.Complete, e.Ending, e.Fault)
	assert.EqualValues(t, 42, e.History.Ops[2].Value)
}

// Every atomic does on shorter words what package machine says.
func TestAtomicsOnWords(t *testing.T) {
	enq := strings.Join([]string{
		"st.u32 [%o+8], 5;", "atom.exch.b32 %r1, [%o+8], 6;", "atom.inc.u32 %r1, [%o+8], 6;", "atom.dec.u32 %r1, [%o+8], 3;",
		"atom.add.u32 %r1, [%o+8], 4294967295;", "atom.or.b32 %r1, [%o+8], 12;", "atom.and.b32 %r1, [%o+8], 7;", "atom.xor.b32 %r1, [%o+8], 1;",
		"atom.max.s32 %r1, [%o+8], -5;", "atom.min.s32 %r1, [%o+8], -5;", "atom.min.u32 %r1, [%o+8], 9;", "atom.cas.b32 %r1, [%o+8], 9, 11;",
	}, "\n") + isOK
	deq := "ld.u32 %r1, [%o+8];\ncvt.u64.u32 %d1, %r1;\nst.global.u64 [%c+16], %d1;" + isOK
	for _, memory := range []string{"sc", "ptx"} {
		e, err := execute(t, written("", "", enq, deq), "0: enq deq", memory)
		require.NoError(t, err)
		require.Equal(t, ref.Complete, e.Ending, e.Fault)
		assert.EqualValues(t, 11, e.History.Ops[1].Value, memory)
	}
}
