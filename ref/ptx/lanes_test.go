package ptx_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// The ring of gpu/examples/warp_ring.h holds; without the meeting before the row is
// published it does not; without the one behind the shuffle it does not on the weak
// memory alone, since a shuffle orders nothing there.
func TestWarpRing(t *testing.T) {
	if testing.Short() {
		t.Skip("makes thousands of execution graphs")
	}
	for _, c := range []struct {
		file, memory string
		lanes        int
		shape        programs.Shape
		want         model.Verdict
	}{
		{"warp-ring", "sc", 2, programs.Shape{2, 1}, model.Linearizable},
		{"warp-ring", "ptx", 2, programs.Shape{2, 2}, model.Linearizable}, // who reads a counter has to acquire
		{"warp-ring", "ptx", 4, programs.Shape{1, 1}, model.Linearizable},
		{"warp-ring-eager", "sc", 2, programs.Shape{1, 1}, model.Violation},
		{"warp-ring-eager", "sc", 32, programs.Shape{1, 1}, model.Violation},
		{"warp-ring-trusting", "sc", 2, programs.Shape{2, 1}, model.Linearizable},
		{"warp-ring-trusting", "ptx", 2, programs.Shape{1, 1}, model.Violation},
	} {
		s := subject(t, "examples/"+c.file+".ptx", model.FIFO, ptx.Setup{Lanes: c.lanes}, 0, c.memory)
		all, err := programs.All(s, programs.Bounds{Shape: c.shape})
		require.NoError(t, err)
		r, err := (&exhaust.Search{Subject: s, Programs: all, Jobs: 1}).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, c.want, r.Verdict, "%s on %s", c.file, c.memory)
		assert.Equal(t, c.want == model.Linearizable, r.Complete && r.Exhausted == len(all))
	}
}

// A module says how many lanes a process has, unless somebody else does.
func TestLanesOfAModule(t *testing.T) {
	s := subject(t, "examples/warp-ring.ptx", model.FIFO, ptx.Setup{}, 0, "sc")
	p, err := s.ParseProgram("0: enq\n1: deq")
	require.NoError(t, err)
	setup, err := s.Prepare(p)
	require.NoError(t, err)
	assert.Equal(t, 32, setup.Lanes())
	assert.Equal(t, 64, setup.Threads())
	assert.Equal(t, "process 1, lane 3", setup.ThreadName(35))
}

// byLanes runs a program on a module whose processes have lanes.
func byLanes(t *testing.T, text string, lanes int, program, memory string, s ref.Scheduler) *ref.Execution {
	t.Helper()
	m, err := ptx.Load("m.ptx", []byte(text))
	require.NoError(t, err)
	f, err := m.Foreign(model.FIFO, ptx.Setup{Lanes: lanes})
	require.NoError(t, err)
	subject, err := f.Subject(model.Spec{Structure: memory})
	require.NoError(t, err)
	p, err := subject.ParseProgram(program)
	require.NoError(t, err)
	setup, err := subject.Prepare(p)
	require.NoError(t, err)
	sim := ref.NewSim(setup)
	t.Cleanup(sim.Close)
	sim.Tracing = true
	return sim.Run(s)
}

// What a deq ends with that tells r1, once: then the queue is empty, so that whoever
// empties it to see which words it has (explore in plan.go) is soon done.
const tellValue = "\ncvt.u64.u32 %d1, %r1;\nst.global.u64 [%c+16], %d1;" + isOK +
	"\nsetp.ne.u32 %q4, %r8, 0;\n@%q4 bra told;\natom.exch.b64 %d3, [%o], 1;\nsetp.eq.u64 %q4, %d3, 0;\n@%q4 bra told;" + isEmpty + "\ntold:"

const isFull = "\nst.global.u32 [%c+8], 2;"

// What lanes get from one another, as the first lane has it.
func TestLanesExchange(t *testing.T) {
	lane := "mov.u32 %r8, %laneid;\nadd.u32 %r2, %r8, 10;\nsetp.gt.u32 %q1, %r8, 1;\n"
	for _, c := range []struct {
		text string
		want uint64
	}{
		{"shfl.sync.idx.b32 %r1, %r2, 3, 31, -1;", 13},
		{"shfl.sync.down.b32 %r1, %r2, 2, 3, -1;", 12},
		{"shfl.sync.up.b32 %r1|%q2, %r2, 2, 0, -1;", 10},
		{"shfl.sync.bfly.b32 %r1|%q2, %r2, 1, 31, -1;\nselp.u32 %r1, %r1, 99, %q2;", 11},
		{"vote.sync.ballot.b32 %r1, %q1, -1;", 12},
		{"vote.sync.ballot.b32 %r1, !%q1, -1;", 3},
		{"vote.sync.all.pred %q2, %q1, 15;\nselp.u32 %r1, 1, 2, %q2;", 2},
		{"vote.sync.any.pred %q2, %q1, 15;\nselp.u32 %r1, 1, 2, %q2;", 1},
		{"vote.sync.uni.pred %q2, %q1, 15;\nselp.u32 %r1, 1, 2, %q2;", 2},
		{"shr.u32 %r3, %r8, 1;\nmatch.any.sync.b32 %r1, %r3, -1;", 3},
		{"match.all.sync.b32 %r1|%q2, %r8, -1;\nselp.u32 %r1, %r1, 77, %q2;", 77},
		{"mov.u64 %d2, 5;\nmatch.all.sync.b64 %r1|%q2, %d2, -1;\nselp.u32 %r1, %r1, 77, %q2;", 15},
		{"redux.sync.add.s32 %r1, %r2, -1;", 46},
		{"redux.sync.max.u32 %r1, %r2, -1;", 13},
		{"redux.sync.or.b32 %r1, %r2, -1;", 15},
		{"bar.red.popc.u32 %r1, 0, %q1;", 2},
		{"barrier.cta.red.or.pred %q2, 0, %q1;\nselp.u32 %r1, 1, 2, %q2;", 1},
		{"activemask.b32 %r1;", 15},
		{"@%q1 bra over;\nactivemask.b32 %r1;\nover: bar.warp.sync -1;", 3},
		{"st.u32 [%o+8], 1;\nactivemask.b32 %r1;", 1},
		{"mov.u32 %r1, %ntid.x;\nmov.u32 %r3, %lanemask_gt;\nand.b32 %r3, %r3, 15;\nmad.lo.u32 %r1, %r1, 100, %r3;", 414},
		// .shared is there once for all lanes of a process, and stays
		{"mov.u32 %r3, tile;\nmad.lo.u32 %r3, %r8, 4, %r3;\nst.shared.u32 [%r3], %r2;\nbar.sync 0;\nld.shared.u32 %r1, [tile+12];", 13},
		{"mov.u64 %d2, tile;\ncvta.shared.u64 %d2, %d2;\nadd.u64 %d2, %d2, 16;\natom.add.u32 %r3, [%d2], 1;\nbar.sync 0;\nld.u32 %r1, [%d2];", 0},
	} {
		text := written(".global .u32 stealproof_lanes = 32;\n.shared .align 8 .b8 tile[64];", "st.u64 [%o], 0;", isFull, lane+c.text+tellValue)
		e := byLanes(t, text, 4, "0: deq", "sc", &every{})
		if c.want == 0 {
			assert.Contains(t, e.Fault, "a load of what was never written", c.text)
			continue
		}
		require.Equal(t, ref.Complete, e.Ending, "%s: %s", c.text, e.Fault)
		assert.Equal(t, c.want, e.History.Ops[0].Value, c.text)
	}
}

// What lanes cannot do together is a fault that says where each of them is.
func TestLanesThatDoNotMeet(t *testing.T) {
	lane := "mov.u32 %r8, %laneid;\nsetp.eq.u32 %q1, %r8, 0;\n"
	for _, c := range []struct{ text, fault string }{
		{"@%q1 bra over;\nbar.sync 0;\nover:", "m.ptx:35: a barrier that not all lanes reach: lane 0 has come back, lane 1 waits at m.ptx:35 (bar.sync)"},
		{"@%q1 bra over;\nbar.warp.sync -1;\nbra out;\nover: bar.warp.sync 1;\nbar.sync 1;\nout:", "a barrier that not all lanes reach: lane 0 waits at m.ptx:38 (bar.sync), lane 1 waits at m.ptx:35 (bar.warp.sync of 0x3)"},
		{"@%q1 bra over;\nshfl.sync.idx.b32 %r1, %r8, 0, 31, -1;\nover: vote.sync.ballot.b32 %r1, %q1, -1;", "lane 0 waits at m.ptx:36 (vote.sync.ballot.b32 of 0x3), lane 1 waits at m.ptx:35 (shfl.sync.idx.b32 of 0x3)"},
		{"bar.warp.sync 2;", "lane 0: m.ptx:34: bar.warp.sync: lane 0 is not in the mask 0x2 that it names: what comes of it is undefined"},
		{"@!%q1 bra over;\nshfl.sync.idx.b32 %r1, %r8, 1, 31, 1;\nover:", "shfl.sync.idx.b32: lane 0 takes its value from lane 1, which does not take part: what comes is undefined"},
	} {
		e := byLanes(t, written("", "", isOK, lane+c.text+isEmpty), 2, "0: deq", "sc", &every{})
		require.Equal(t, ref.Faulted, e.Ending, c.text)
		assert.Contains(t, e.Fault, c.fault, c.text)
	}
	// nor is it without those that there would be on a GPU
	m, err := ptx.Load("m.ptx", []byte(written("", "", isOK, lane+"shfl.sync.down.b32 %r1, %r8, 16, 31, -1;"+isEmpty)))
	require.NoError(t, err)
	f, err := m.Foreign(model.FIFO, ptx.Setup{Lanes: 2})
	require.NoError(t, err)
	s, err := f.Subject(model.Spec{})
	require.NoError(t, err)
	p, err := s.ParseProgram("0: deq")
	require.NoError(t, err)
	_, err = s.Prepare(p)
	assert.EqualError(t, err, "structure m-ptx: m.ptx:34: shfl.sync.down.b32: lane 0 takes its value from lane 16, and there are 2 lanes: with 32 there is one")
	// a lane that has exited is waited for by nobody
	e := byLanes(t, written("", "", isOK, lane+"@!%q1 exit;\nbar.sync 0;\nbar.warp.sync -1;"+isEmpty), 2, "0: deq deq", "sc", &every{})
	assert.Equal(t, ref.Complete, e.Ending, e.Fault)
}

// With lines of a source, a barrier that not all reach is found there.
func TestLanesThatDoNotMeetInTheSource(t *testing.T) {
	text := written("", "", isOK, "mov.u32 %r8, %laneid;\nsetp.eq.u32 %q1, %r8, 0;\n.loc 1 30 5\n@%q1 bra over;\n.loc 1 31 5\nbar.sync 0;\nover:"+isEmpty) + ".file 1 \"q.cu\"\n"
	e := byLanes(t, text, 2, "0: deq", "sc", &every{})
	require.Equal(t, ref.Faulted, e.Ending)
	assert.Contains(t, e.Fault, "a barrier that not all lanes reach: lane 0 has come back, lane 1 waits at q.cu:31 (bar.sync)")
}

// A queue of one word whose block stages what it takes in .shared: the first lane reads
// the word, the second one empties it. Without the barrier in between that finds
// nothing, or what was there the last time.
func blockQueue(barrier string) string {
	lane := "mov.u32 %r8, %laneid;\nsetp.eq.u32 %q1, %r8, 0;\nsetp.eq.u32 %q2, %r8, 1;\n"
	enq := lane + "@!%q1 bra over;\nld.acquire.gpu.u64 %d1, [%o];\nsetp.ne.u64 %q3, %d1, 0;\n@%q3 bra full;\nst.release.gpu.u64 [%o], %v;\nover:" + isOK + "\nret;\nfull: st.global.u32 [%c+8], 2;"
	deq := lane + "@%q1 ld.acquire.gpu.u64 %d1, [%o];\n@%q1 st.shared.u64 [stage], %d1;\n" + barrier +
		"\nld.shared.u64 %d2, [stage];\nbar.sync 0;\nsetp.eq.u64 %q3, %d2, 0;\n@%q3 bra none;\n@%q2 st.release.gpu.u64 [%o], 0;\nst.global.u64 [%c+16], %d2;" + isOK + "\nret;\nnone:" + isEmpty
	return written(".shared .align 8 .u64 stage;", "st.u64 [%o], 0;", enq, deq)
}

func TestQueueOfABlock(t *testing.T) {
	for _, memory := range []string{"sc", "ptx"} {
		for barrier, want := range map[string]model.Verdict{"bar.sync 0;": model.Linearizable, "": model.Violation} {
			m, err := ptx.Load("block.ptx", []byte(blockQueue(barrier)))
			require.NoError(t, err)
			f, err := m.Foreign(model.FIFO, ptx.Setup{Lanes: 3})
			require.NoError(t, err)
			f.Capacity = 1
			s, err := f.Subject(model.Spec{Structure: memory})
			require.NoError(t, err)
			p, err := s.ParseProgram("0: enq enq\n1: deq deq")
			require.NoError(t, err)
			r, err := (&exhaust.Search{Subject: s, Programs: []model.Program{p}, Jobs: 1}).Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, want, r.Verdict, "%q on %s", barrier, memory)
		}
	}
}

// Choices name lanes, and replay the same execution.
func TestLanesReplay(t *testing.T) {
	m := load(t, "examples/warp-ring.ptx")
	f, err := m.Foreign(model.FIFO, ptx.Setup{Lanes: 3})
	require.NoError(t, err)
	for _, memory := range []string{"sc", "ptx"} {
		s, err := f.Subject(model.Spec{Structure: memory})
		require.NoError(t, err)
		p, err := s.ParseProgram("0: enq deq\n1: enq deq\n2: deq")
		require.NoError(t, err)
		setup, err := s.Prepare(p)
		require.NoError(t, err)
		sim := ref.NewSim(setup)
		defer sim.Close()
		for seed := range uint64(20) {
			walk := &schedule.Walk{}
			walk.Begin(seed)
			e := sim.Run(walk)
			want, choices := fmt.Sprint(e.History.Ops), e.Choices()
			again := schedule.NewReplay(choices)
			again.Begin(0)
			e = sim.Run(again)
			require.NoError(t, again.Diverged)
			require.Equal(t, want, fmt.Sprint(e.History.Ops))
			require.Equal(t, choices.String(), e.Choices().String())
		}
	}
}

// waitingQueue is a queue of one word whose deq waits for something to come out, by a loop.
func waitingQueue(loop string) string {
	lane := "mov.u32 %r8, %laneid;\nsetp.eq.u32 %q1, %r8, 0;\n"
	enq := lane + "@!%q1 bra over;\nld.acquire.gpu.u64 %d1, [%o];\nsetp.ne.u64 %q3, %d1, 0;\n@%q3 bra full;\nst.release.gpu.u64 [%o], %v;\nover:" + isOK + "\nret;\nfull:" + isFull
	deq := lane + "l:\n" + loop + "\n@!%q4 bra l;\nbar.warp.sync -1;\n@%q1 st.release.gpu.u64 [%o], 0;\nst.global.u64 [%c+16], %d1;" + isOK
	return written("", "st.u64 [%o], 0;", enq, deq)
}

// Lanes that wait together are no hang: the search says that it gives up. Where one looks
// and tells the others it is recognised.
func TestLanesThatWaitTogether(t *testing.T) {
	const (
		all    = "ld.acquire.gpu.u64 %d1, [%o];\nsetp.ne.u64 %q3, %d1, 0;\nvote.sync.all.pred %q4, %q3, -1;"
		leader = "mov.u64 %d1, 0;\n@%q1 ld.acquire.gpu.u64 %d1, [%o];\ncvt.u32.u64 %r1, %d1;\nshfl.sync.idx.b32 %r1, %r1, 0, 31, -1;\ncvt.u64.u32 %d1, %r1;\nsetp.ne.u32 %q4, %r1, 0;"
	)
	for _, memory := range []string{"sc", "ptx"} {
		for loop, want := range map[string]model.Verdict{all: model.Undecided, leader: model.Linearizable} {
			m, err := ptx.Load("wait.ptx", []byte(waitingQueue(loop)))
			require.NoError(t, err)
			f, err := m.Foreign(model.FIFO, ptx.Setup{Lanes: 2})
			require.NoError(t, err)
			f.Capacity = 1
			s, err := f.Subject(model.Spec{Structure: memory})
			require.NoError(t, err)
			r, err := (&exhaust.Search{Subject: s, Programs: parsed(t, s, "0: enq\n1: deq"), Jobs: 1}).Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, want, r.Verdict, "%s on %s", loop, memory)
			assert.Equal(t, want == model.Linearizable, r.Complete)
			assert.Equal(t, want == model.Undecided, r.Vigils == 1)
			if testing.Short() {
				continue
			}
			shown, err := (&exhaust.Search{Subject: s, Programs: parsed(t, s, "0: enq\n1: deq"), Each: func(*ref.Execution) {}}).Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, want, shown.Verdict, "one by one")
		}
	}
}
