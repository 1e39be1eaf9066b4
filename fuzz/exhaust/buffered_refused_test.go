package exhaust

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
)

// Whoever asks for load buffering gets it, or an error: what was not looked at is never
// shown as what holds.
func TestLoadBufferingIsMadeOrRefused(t *testing.T) {
	phased := weakSetupOf(t, "ptx", "static", "0: put | take\n1: put | take")
	s, err := phased.Subject.On(model.Spec{Structure: ref.MemoryPTX, Settings: model.Settings{"buffering": "yes"}})
	require.NoError(t, err)
	_, err = (&Search{Subject: s, Programs: alone(phased)}).Run(t.Context())
	assert.ErrorContains(t, err, "load buffering is not made in programs with phases")

	setup := weakSetupOf(t, "ptx:buffering=yes", "abp", "0: push\n1: steal")
	for want, change := range map[string]func(*Search){
		"all clients": func(x *Search) { x.Clients = true },
		"data races":  func(x *Search) { x.Races = true },
		"put around":  func(x *Search) { x.Around = func(s ref.Scheduler) ref.Scheduler { return s } },
	} {
		x := searchOf(setup)
		change(x)
		_, err = x.Run(t.Context())
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, "leave buffering=yes out")
	}
}

// Who is shown executions, or histories, is shown those with load buffering, too, and with
// signals as without.
func TestLoadBufferingIsShown(t *testing.T) {
	const without = "abp:orders=steal-fence-task-head.weak"
	for _, program := range []string{
		"0: push push pop push\n1: steal",
		"0: signal:a push push pop push\n1: wait:a steal",
	} {
		setup := weakSetupOf(t, "ptx:buffering=yes", without, program)
		buffered, wrong := 0, 0
		x := searchOf(setup)
		x.Unjudged, x.AllHistories = true, true
		x.Each = func(e *ref.Execution) {
			if e.Choices().Buffered() {
				buffered++
			}
			wrong += len(e.History.Ops) - 5
		}
		keys := map[HistoryKey]bool{}
		x.EachHistory = func(k HistoryKey) { keys[k] = true }
		r := exhaust(t, x)
		assert.Positive(t, buffered, program)
		assert.GreaterOrEqual(t, buffered, r.Buffered, "each with all orders of its fences")
		assert.Zero(t, wrong, program)

		plain := searchOf(weakSetupOf(t, "ptx", without, program))
		fewer := map[HistoryKey]bool{}
		plain.Unjudged, plain.AllHistories = true, true
		plain.EachHistory = func(k HistoryKey) { fewer[k] = true }
		exhaust(t, plain)
		assert.Greater(t, len(keys), len(fewer), program)
		graphs := searchOf(setup)
		graphs.Unjudged, graphs.AllHistories = true, true
		same := map[HistoryKey]bool{}
		graphs.EachHistory = func(k HistoryKey) { same[k] = true }
		exhaust(t, graphs)
		assert.Equal(t, keys, same, program)

		failing := exhaust(t, searchOf(setup))
		require.NotNil(t, failing.Failure, program)
		again, err := fuzzCase(failing)
		require.NoError(t, err)
		assert.True(t, again, program)
	}
}

// waiting is a queue in which whoever has read what comes later waits for ever.
type waiting struct{ x, y, z ref.Location }

func (q *waiting) Do(m ref.Memory, o *model.Operation) {
	o.Result = model.OK
	if o.Process == 1 {
		m.Store(q.x, m.Load(q.y, clRelaxed), clRelaxed)
		return
	}
	v := m.Load(q.x, clRelaxed)
	m.Store(q.y, 1, clRelaxed)
	for v == 1 && m.Load(q.z, clRelaxed) == 0 {
	}
}

// An execution with load buffering in which somebody waits for ever is not shown, but
// then the program is not said to hold.
func TestWaitingForEverWithLoadBuffering(t *testing.T) {
	queue := ref.Foreign{Name: "waiting", Kind: model.Bag, Build: func(s *ref.Space, _ int) ref.Structure {
		return &waiting{s.Word("x", 0), s.Word("y", 0), s.Word("z", 0)}
	}}
	for memory, want := range map[string]model.Verdict{"no": model.Linearizable, "yes": model.Undecided} {
		subject, err := queue.Subject(model.Spec{Structure: ref.MemoryPTX, Settings: model.Settings{"buffering": memory}})
		require.NoError(t, err)
		program, err := subject.ParseProgram("0: put\n1: put")
		require.NoError(t, err)
		r, err := (&Search{Subject: subject, Programs: []model.Program{program}}).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict)
	}
}

// fuzzCase says whether the case of a failure, saved and read again, fails as expected.
func fuzzCase(r *Result) (bool, error) {
	c, err := model.ParseCase(r.Failure.Case.String())
	if err != nil {
		return false, err
	}
	again, err := fuzz.RunCase(c)
	return err == nil && again.Expected(), err
}
