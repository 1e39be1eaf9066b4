package ptx_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// twin is a structure of package ref, and the module of the kernel that runs in its
// place on a GPU.
type twin struct {
	spec   string
	file   string
	kind   model.Kind
	setup  ptx.Setup
	bound  uint64
	shared bool
	shape  programs.Shape
}

var twins = []twin{
	{spec: "abp:capacity=2,width=1", file: "ptx/abp.ptx", kind: model.WSDeque, setup: ptx.Setup{Numbers: [8]uint64{2, 1, 128}}, bound: 2, shape: programs.Shape{4, 2}},
	{spec: "abp:capacity=2,width=32", file: "ptx/abp-wide.ptx", kind: model.WSDeque, setup: ptx.Setup{Numbers: [8]uint64{2, 32, 128}}, bound: 2, shape: programs.Shape{3, 2}},
	{spec: "abp:capacity=2,variant=book", file: "ptx/abp-book.ptx", kind: model.WSDeque, setup: ptx.Setup{Numbers: [8]uint64{2, 16, 128}}, bound: 2, shape: programs.Shape{3, 2}},
	{spec: "abp:capacity=2,variant=release2011", file: "ptx/abp-release2011.ptx", kind: model.WSDeque, setup: ptx.Setup{Numbers: [8]uint64{2, 16, 128}}, bound: 2, shape: programs.Shape{3, 2}},
	{spec: "tz:capacity=4", file: "ptx/tz.ptx", kind: model.FIFO, setup: ptx.Setup{Numbers: [8]uint64{4, 2, 0, 128}}, shape: programs.Shape{2, 2}},
	{spec: "the", file: "ptx/the.ptx", kind: model.Range, setup: ptx.Setup{Numbers: [8]uint64{0, 0, 0, 128}}, shape: programs.Shape{2, 1}},
	{spec: "blocking:capacity=2", file: "ptx/blocking.ptx", kind: model.FIFO, setup: ptx.Setup{Numbers: [8]uint64{2, 0, 128}}, bound: 2, shape: programs.Shape{2, 2}},
	{spec: "static:capacity=4", file: "ptx/static.ptx", kind: model.Bag, setup: ptx.Setup{Numbers: [8]uint64{4, 128}}, bound: 4, shape: programs.Shape{2, 1}},
	{spec: "list", file: "ptx/list.ptx", kind: model.Range, setup: ptx.Setup{Numbers: [8]uint64{128}}, shared: true, shape: programs.Shape{2, 1}},
}

func (w twin) subjects(t testing.TB, memory string) (here, module ref.Subject) {
	t.Helper()
	spec, err := model.ParseSpec(w.spec)
	require.NoError(t, err)
	on := model.Spec{Structure: memory}
	here, err = ref.NewSubject(spec, on)
	require.NoError(t, err)
	f, err := load(t, w.file).Foreign(w.kind, w.setup)
	require.NoError(t, err)
	f.Capacity, f.Shared = w.bound, w.shared
	module, err = f.Subject(on)
	require.NoError(t, err)
	return here, module
}

// found is what an exhaustive search finds in a program: its verdict, how many
// executions there are, and all histories by what happened before what.
type found struct {
	verdict               model.Verdict
	executions, histories int
	keys                  map[exhaust.HistoryKey]bool
	why                   string // of a violation
}

func search(t testing.TB, s ref.Subject, p model.Program) found {
	t.Helper()
	f := found{keys: map[exhaust.HistoryKey]bool{}}
	x := exhaust.Search{Subject: s, Programs: []model.Program{p}, Jobs: 1, AllHistories: !s.Weak()}
	if !s.Weak() {
		x.EachHistory = func(k exhaust.HistoryKey) { f.keys[k] = true }
	}
	r, err := x.Run(t.Context())
	require.NoError(t, err)
	f.verdict, f.executions, f.histories = r.Verdict, r.Executions, r.Histories
	if r.Failure != nil {
		f.why = r.Failure.Finding.Explanation
	}
	return f
}

// That kernels have the histories of the texts, in all executions of small programs, is
// asked by "stealproof compare --kernels" and its test.

// With the times of all operations, by every single interleaving.
func TestEveryInterleavingOfABP(t *testing.T) {
	here, module := twins[0].subjects(t, "sc")
	for _, text := range []string{"0: push push pop\n1: steal", "0: push pop push pop\n1: steal", "0: push push push pop\n1: steal"} {
		p, err := here.ParseProgram(text)
		require.NoError(t, err)
		want, n := histories(t, here, p)
		got, m := histories(t, module, p)
		assert.Equal(t, want, got)
		assert.Equal(t, n, m)
		assert.Greater(t, len(want), 50)
	}
}

// The example of docs/vendor.md: the ring holds, and the one that trusts its turn
// does not, without a GPU and without naps.
func TestTicketRing(t *testing.T) {
	for file, want := range map[string]model.Verdict{"ticket": model.Linearizable, "ticket-trusts-turn": model.Violation} {
		s := subject(t, "examples/"+file+".ptx", model.FIFO, ptx.Setup{}, 0, "sc")
		assert.Equal(t, file+"-ptx", s.Spec().String())
		all, err := programs.All(s, programs.Bounds{Shape: programs.Shape{2, 2}})
		require.NoError(t, err)
		r, err := (&exhaust.Search{Subject: s, Programs: all}).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, file)
	}
}

// BenchmarkExecutions is the text and the kernel of abp side by side.
func BenchmarkExecutions(b *testing.B) {
	for _, memory := range []string{"sc", "ptx"} {
		here, module := twins[0].subjects(b, memory)
		for name, s := range map[string]ref.Subject{"text": here, "kernel": module} {
			b.Run(fmt.Sprintf("%s/%s", memory, name), func(b *testing.B) {
				p, err := s.ParseProgram("0: push push pop pop push\n1: steal steal\n2: steal steal")
				require.NoError(b, err)
				setup, err := s.Prepare(p)
				require.NoError(b, err)
				sim := ref.NewSim(setup)
				defer sim.Close()
				b.ReportAllocs()
				for n := 0; b.Loop(); n++ {
					sim.Run(&turns{n: n})
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "executions/s")
			})
		}
	}
}

// turns goes round, in another order each time.
type turns struct {
	ref.Newest
	n int
}

func (s *turns) Next(v *ref.View) int {
	s.n = s.n*1103515245 + 12345
	return v.Enabled[s.n>>16&0xffff%len(v.Enabled)]
}
