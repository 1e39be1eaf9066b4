package ptx_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// The deque of gpu/examples/block_deque.h holds, whichever threads of the block there are;
// without the barrier in front of which the answer is written a thread reads what is not
// there yet.
func TestBlockDeque(t *testing.T) {
	for _, c := range []struct {
		file, memory string
		setup        ptx.Setup
		shape        programs.Shape
		want         model.Verdict
	}{
		{"block-deque", "sc", ptx.Setup{Lanes: 2}, programs.Shape{2, 1}, model.Linearizable},
		{"block-deque", "sc", ptx.Setup{Lanes: 2, Warps: 2}, programs.Shape{2, 1}, model.Linearizable},
		{"block-deque", "ptx", ptx.Setup{Lanes: 2}, programs.Shape{2, 1}, model.Linearizable},
		{"block-deque", "ptx", ptx.Setup{}, programs.Shape{1, 1}, model.Linearizable},
		{"block-deque-hasty", "sc", ptx.Setup{}, programs.Shape{1}, model.Violation},
		{"block-deque-hasty", "ptx", ptx.Setup{Lanes: 40}, programs.Shape{1}, model.Violation},
	} {
		s := subject(t, "examples/"+c.file+".ptx", model.WSDeque, c.setup, 0, c.memory)
		all, err := programs.All(s, programs.Bounds{Shape: c.shape})
		require.NoError(t, err)
		r, err := (&exhaust.Search{Subject: s, Programs: all, Jobs: 1}).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%s on %s", s.Spec(), c.memory)
	}
}

// A spec says who carries out an operation, unless a module alone says the same.
func TestLanesInSpecs(t *testing.T) {
	for _, c := range []struct {
		file  string
		kind  model.Kind
		setup ptx.Setup
		spec  string
		lanes int
	}{
		{"ticket", model.FIFO, ptx.Setup{}, "ticket-ptx", 1},
		{"warp-ring", model.FIFO, ptx.Setup{}, "warp-ring-ptx", 32},
		{"warp-ring", model.FIFO, ptx.Setup{Lanes: 3}, "warp-ring-ptx:lanes=3", 3},
		{"block-deque", model.WSDeque, ptx.Setup{}, "block-deque-ptx:lanes=2x1", 2},
		{"block-deque", model.WSDeque, ptx.Setup{Lanes: 40}, "block-deque-ptx:lanes=40", 40},
		{"block-deque", model.WSDeque, ptx.Setup{Lanes: 4, Warps: 3}, "block-deque-ptx:lanes=3x4", 12},
		{"warp-ring", model.FIFO, ptx.Setup{Lanes: 2, Apart: true}, "warp-ring-ptx:lanes=2.apart", 2},
		{"warp-ring", model.FIFO, ptx.Setup{Apart: true}, "warp-ring-ptx:lanes=32.apart", 32},
	} {
		s := subject(t, "examples/"+c.file+".ptx", c.kind, c.setup, 0, "sc")
		assert.Equal(t, c.spec, s.Spec().String())
		assert.Equal(t, c.lanes, s.Lanes())
		again, err := s.With(s.Spec())
		require.NoError(t, err)
		assert.Same(t, s.Design(), again.Design())
	}
	s := subject(t, "examples/block-deque.ptx", model.WSDeque, ptx.Setup{}, 0, "sc")
	for lanes, want := range map[string]int{"2": 2, "2x2": 4, "33": 33, "2x32": 64, "3.apart": 3, "2x2.apart": 4} {
		other, err := s.With(s.Spec().With("lanes", lanes))
		require.NoError(t, err)
		assert.Equal(t, want, other.Lanes())
		changed, err := other.With(other.Spec().With("patch", "block-deque.ptx:2350.drop"))
		require.NoError(t, err)
		assert.Equal(t, want, changed.Lanes())
	}
	for lanes, message := range map[string]string{
		"many": "structure block-deque-ptx: lanes=many: expected how many threads carry out an operation together, 1 to 64, or as in 2x4 the warps and the lanes of each; behind it .apart for lanes that go on apart",
		"0":    "structure block-deque-ptx: lanes=0: expected how many threads carry out an operation together, 1 to 64, or as in 2x4 the warps and the lanes of each; behind it .apart for lanes that go on apart",
		"65":   "structure block-deque-ptx: lanes=65: at most 64 lanes are executed in all",
		"2x33": "structure block-deque-ptx: lanes=2x33: at most 64 lanes are executed in all",
	} {
		_, err := s.With(s.Spec().With("lanes", lanes))
		assert.EqualError(t, err, message)
	}
	_, err := load(t, "examples/ticket.ptx").Foreign(model.FIFO, ptx.Setup{Lanes: 2})
	assert.EqualError(t, err, "ticket.ptx: lanes=2: each operation of this module is that of one thread: nothing in it is for several together, and it has neither of the words stealproof_lanes and stealproof_block, which STEALPROOF_WARP_KERNELS and STEALPROOF_BLOCK_KERNELS give it")
	_, err = load(t, "examples/warp-ring.ptx").Foreign(model.FIFO, ptx.Setup{Lanes: 2, Warps: 2})
	assert.EqualError(t, err, "warp-ring.ptx: lanes=2x2: a process is a warp here, which has at most 32 lanes")
}

// byBlock is byLanes for two warps of two lanes.
func byBlock(t *testing.T, text, lanes, program string) *ref.Execution {
	t.Helper()
	m, err := ptx.Load("m.ptx", []byte(text))
	require.NoError(t, err)
	setup, err := ptx.Setup{}.WithLanes(lanes)
	require.NoError(t, err)
	f, err := m.Foreign(model.FIFO, setup)
	require.NoError(t, err)
	s, err := f.Subject(model.Spec{})
	require.NoError(t, err)
	p, err := s.ParseProgram(program)
	require.NoError(t, err)
	prepared, err := s.Prepare(p)
	require.NoError(t, err)
	sim := ref.NewSim(prepared)
	t.Cleanup(sim.Close)
	return sim.Run(&every{})
}

// What threads of a block tell one another across warps, and inside of theirs; each tells
// what it has to the first one, by way of the memory of the block.
func TestWarpsOfABlock(t *testing.T) {
	const (
		head = "mov.u32 %r8, %tid.x;\nmov.u32 %r7, %laneid;\nmov.u32 %r6, %warpid;\nadd.u32 %r2, %r8, 10;\nsetp.eq.u32 %q1, %r7, 1;\nsetp.eq.u32 %q5, %r6, 1;\n"
		// of the first lane of the second warp
		tell = "\nsetp.eq.u32 %q4, %r8, 32;\n@%q4 st.shared.u32 [tile], %r1;\nbar.sync 0;\nld.shared.u32 %r1, [tile];" + tellValue
	)
	for _, c := range []struct {
		text, lanes string
		want        uint64
	}{
		{"mov.u32 %r1, %r8;", "2x2", 32},
		{"mov.u32 %r1, %r6;", "2x2", 1},
		{"mov.u32 %r1, %ntid.x;", "2x2", 64},
		{"mov.u32 %r1, %ntid.x;", "40", 40},
		{"mov.u32 %r1, %nwarpid;", "3x2", 3},
		{"mov.u32 %r1, %lanemask_le;", "2x2", 1},
		{"shfl.sync.idx.b32 %r1, %r2, 1, 31, -1;", "2x2", 43},
		{"vote.sync.ballot.b32 %r1, %q1, -1;", "2x2", 2},
		{"match.any.sync.b32 %r1, %r6, -1;", "2x2", 3},
		{"redux.sync.add.u32 %r1, %r2, -1;", "2x2", 85},
		{"elect.sync %r1|%q2, 2;\nelect_done:", "2x2", 1},
		{"activemask.b32 %r1;", "2x2", 3},
		{"bar.red.popc.u32 %r1, 0, %q1;", "2x2", 2},
		{"bar.red.popc.u32 %r1, 3, 64, %q1;", "2x2", 2},
		{"bar.warp.sync -1;\nmov.u32 %r1, 5;", "2x2", 5},
		// those of a warp wait for nobody else, be it at a barrier of the block for so many
		{"mov.u32 %r1, 6;\n@!%q5 bra over;\nbar.warp.sync -1;\nbar.sync 1, 32;\nover:", "2x2", 6},
		// its number and for how many it is may be in registers
		{"mov.u32 %r3, 2;\nmov.u32 %r4, 64;\nbarrier.sync %r3, %r4;\nmov.u32 %r1, 7;", "2x2", 7},
	} {
		if c.text[:5] == "elect" { // by those that are asked
			c.text = "mov.u32 %r1, 1;\n@!%q1 bra elect_done;\n" + c.text
		}
		text := written(".shared .align 8 .b8 tile[64];", "st.u64 [%o], 0;", isFull, head+c.text+tell)
		e := byBlock(t, text, c.lanes, "0: deq")
		require.Equal(t, ref.Complete, e.Ending, "%s: %s", c.text, e.Fault)
		assert.Equal(t, c.want, e.History.Ops[0].Value, c.text)
	}
	for text, fault := range map[string]string{
		"@%q5 bra over;\nbar.sync 0;\nover:":                                 "a barrier that not all lanes reach: lane 0 waits at m.ptx:39 (bar.sync), lane 1 waits at m.ptx:39 (bar.sync), lane 2 has come back, lane 3 has come back",
		"@%q5 bra over;\nbar.sync 0;\nbra out;\nover: bar.sync 1;\nout:":     "lane 1 waits at m.ptx:39 (bar.sync), lane 2 waits at m.ptx:41 (bar.sync)",
		"@%q5 bra over;\nbar.sync 0, 64;\nbra out;\nover: bar.sync 0;\nout:": "a barrier that not all lanes reach: ",
		"bar.sync 16;":                          "bar.sync: barrier 16: a block has 16 of them, from 0 on",
		"bar.sync 0, 128;":                      "bar.sync: a barrier for 128 threads: expected some of the 2 warps of the block, 32 threads each",
		"bar.sync 0, 40;":                       "bar.sync: a barrier for 40 threads: expected some of the 2 warps of the block, 32 threads each",
		"shfl.sync.idx.b32 %r1, %r2, 1, 31, 2;": "is not in the mask 0x2 that it names",
	} {
		e := byBlock(t, written("", "st.u64 [%o], 0;", isFull, head+text+isEmpty), "2x2", "0: deq")
		require.Equal(t, ref.Faulted, e.Ending, text)
		assert.Contains(t, e.Fault, fault, text)
	}
}

// All threads of a block are told the same; of a warp the first one counts.
func TestThreadsOfABlockAgree(t *testing.T) {
	const (
		block  = ".global .u32 stealproof_block = 64;"
		differ = "mov.u32 %r8, %tid.x;\ncvt.u64.u32 %d1, %r8;\nadd.u64 %d1, %d1, 1;\nst.global.u64 [%c+16], %d1;" + isOK
		other  = "mov.u32 %r8, %tid.x;\nsetp.eq.u32 %q1, %r8, 0;\n@%q1 bra first;" + isEmpty + "\nret;\nfirst:" + isFull
		full   = "st.u32 [%c+8], 2;"
	)
	e := byBlock(t, written(block, "st.u64 [%o], 0;", full, differ), "2", "0: deq")
	assert.Contains(t, e.Fault, "lane 1: deq came back with ok 2, in lane 0 with ok 1: all threads of a block are to be told the same")
	e = byBlock(t, written(block, "st.u64 [%o], 0;", other, isEmpty), "2x1", "0: enq")
	assert.Contains(t, e.Fault, "lane 1: enq came back with empty, in lane 0 with full")
	e = byBlock(t, written(".global .u32 stealproof_lanes = 32;", "st.u64 [%o], 0;", full, differ), "2", "0: deq")
	assert.Equal(t, ref.Complete, e.Ending, e.Fault)
}

// A ring whose leader is the first lane that activemask answers relies on what PTX does
// not promise: that lanes which have met go on side by side.
func TestLanesApart(t *testing.T) {
	for lanes, want := range map[string]model.Verdict{"2": model.Linearizable, "2.apart": model.Violation} {
		s := subject(t, "examples/warp-ring.ptx", model.FIFO, ptx.Setup{}, 0, "sc")
		s, err := s.With(s.Spec().With("lanes", lanes))
		require.NoError(t, err)
		r, err := (&exhaust.Search{Subject: s, Programs: parsed(t, s, "0: enq deq"), Jobs: 1}).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, lanes)
	}
	e := byBlock(t, written(".global .u32 stealproof_lanes = 32;", "st.u64 [%o], 0;", isFull, "mov.u32 %r8, %laneid;\nactivemask.b32 %r1;"+tellValue), "3.apart", "0: deq")
	require.Equal(t, ref.Complete, e.Ending, e.Fault)
	assert.EqualValues(t, 1, e.History.Ops[0].Value)
}

// A barrier that is left out is a mutant: that in front of what the others read is missed,
// that behind it is not, since an operation ends when all have come back.
func TestMutantsOfBarriers(t *testing.T) {
	s := subject(t, "examples/block-deque.ptx", model.WSDeque, ptx.Setup{Lanes: 2}, 0, "sc")
	var verdicts []model.Verdict
	for _, m := range s.Design().Mutants() {
		if m.Operator.Name != "drop" || !slices.Contains([]string{"block-deque.ptx:2374.drop", "block-deque.ptx:2376.drop"}, m.String()) {
			continue
		}
		mutant, err := s.With(s.Spec().With("mutant", m.String()))
		require.NoError(t, err)
		r, err := (&exhaust.Search{Subject: mutant, Programs: parsed(t, mutant, "0: push pop\n1: steal"), Jobs: 1}).Run(t.Context())
		require.NoError(t, err)
		verdicts = append(verdicts, r.Verdict)
	}
	assert.Equal(t, []model.Verdict{model.Violation, model.Linearizable}, verdicts)
}
