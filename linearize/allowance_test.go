package linearize

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// hopeless is a history that no checker can decide in any time: 'hard' with
// equal values, which the monitors do not take.
func hopeless(object uint32) *model.History {
	h := hard(16)
	for i := range h.Ops {
		o := &h.Ops[i]
		o.Object = object
		if o.Value < 1000 {
			o.Value /= 2
		}
	}
	return h
}

// easy is one that the monitors do not take either, and the search decides.
func easy(object uint32) *model.History {
	h := &model.History{Kind: model.FIFO}
	for i := range uint64(6) {
		op := []model.Op{model.Enq, model.Deq}[i%2]
		h.Ops = append(h.Ops, model.Operation{Object: object, Op: op, Result: model.OK, Value: 7, Call: 2 * i, Return: 2*i + 1})
	}
	return h
}

func joined(histories ...*model.History) *model.History {
	all := &model.History{Kind: histories[0].Kind}
	for _, h := range histories {
		all.Ops = append(all.Ops, h.Ops...)
	}
	return all
}

func TestSearchAfterAMonitorHasALimitOfItsOwn(t *testing.T) {
	own := &ownLimits{time: 8 * time.Millisecond}
	r := Check(t.Context(), hopeless(0), Options{own: own})
	require.Equal(t, model.Undecided, r.Verdict)
	require.Equal(t, "the general search did not decide within 8ms, a limit of its own: --timeout or --checker porcupine lets it go on"+
		" (the monitor before: the monitor needs distinct values, and 0 is put in twice)", r.Undecided[0].Msg)

	// A limit of the user's counts alone, and so does his choice of the checker.
	for _, o := range []Options{{Timeout: 50 * time.Millisecond}, {Timeout: 50 * time.Millisecond, Checker: Porcupine}} {
		o.own = &ownLimits{time: time.Nanosecond, memory: 1}
		r = Check(t.Context(), hopeless(0), o)
		require.Equal(t, model.Undecided, r.Verdict)
		require.Contains(t, r.Undecided[0].Msg, "the time limit of 50ms was met")
	}
	o := Options{Timeout: time.Minute, Begun: time.Now().Add(-time.Hour)}
	r = Check(t.Context(), easy(0), o)
	require.Equal(t, "the time limit of 1m0s was met", r.Undecided[0].Msg, "what was read before counts")
	require.Nil(t, newAllowance(Options{Checker: Porcupine}, 1<<30))
	require.Nil(t, newAllowance(Options{Timeout: time.Hour}, 1<<30))
	require.NotNil(t, newAllowance(Options{}, 1<<30))
	require.NotNil(t, newAllowance(Options{Checker: Auto}, 1<<30))
}

// The memory of the searches has a limit as well, unless the user gave one.
func TestSearchAfterAMonitorHasItsShareOfMemory(t *testing.T) {
	r := Check(t.Context(), hopeless(0), Options{own: &ownLimits{time: time.Hour, memory: 16 << 20}})
	require.Equal(t, model.Undecided, r.Verdict)
	require.Contains(t, r.Undecided[0].Msg, "the general search needs more than 16.0 MiB, a limit of its own: --memory, --timeout or --checker porcupine lets it go on")

	// What cannot fit is not begun: a set of operations for each operation.
	many := easy(0)
	many.Ops = nil
	for i := range uint64(3000) {
		many.Ops = append(many.Ops, easy(0).Ops[i%2])
		many.Ops[i].Call, many.Ops[i].Return = 2*i, 2*i+1
	}
	r = Check(t.Context(), many, Options{own: &ownLimits{time: time.Hour, memory: 1 << 20}})
	require.Equal(t, model.Undecided, r.Verdict)
	require.Contains(t, r.Undecided[0].Msg, "3000 operations: the general search needs more than 1.0 MiB, a limit of its own")
	r = Check(t.Context(), many, Options{own: &ownLimits{time: time.Hour, memory: 1 << 30}})
	require.Equal(t, model.Linearizable, r.Verdict)

	require.EqualValues(t, 1<<30, newAllowance(Options{}, 4<<30).memory)
	require.Zero(t, newAllowance(Options{Memory: 4 << 30}, 4<<30).memory)
}

// However many objects are hopeless, they do not take a minute each; and what
// can be decided does not take anything from the others.
func TestHopelessObjectsShareOneAllowance(t *testing.T) {
	a := newAllowance(Options{Jobs: 1}, 1<<30)
	var spent []time.Duration
	total := time.Duration(0)
	for range 1000 {
		granted := a.grant()
		spent, total = append(spent, granted), total+granted
		a.waste(granted)
	}
	assert.Equal(t, []time.Duration{60 * time.Second, 30 * time.Second, 15 * time.Second, 7500 * time.Millisecond}, spent[:4])
	assert.Equal(t, leastLimit, spent[999])
	assert.Less(t, total, 2*searchLimit+1000*leastLimit)

	// Four that wait at the same time wait once.
	a = newAllowance(Options{Jobs: 4}, 1<<30)
	for range 4 {
		a.waste(a.grant())
	}
	assert.Greater(t, a.grant(), 30*time.Second)

	g := newGuard(t.Context(), time.Now(), Options{Jobs: 1})
	defer g.close()
	for range 100 {
		require.Empty(t, g.search(func(*stopper) bool { return true }))
	}
	assert.Equal(t, searchLimit, g.own.grant())

	var all []*model.History
	for i := range uint32(6) {
		all = append(all, hopeless(i))
	}
	r := Check(t.Context(), joined(all...), Options{Jobs: 1, own: &ownLimits{time: 8 * time.Millisecond}})
	require.Len(t, r.Undecided, 6)
	for i, u := range r.Undecided {
		require.EqualValues(t, i, u.Object)
		require.Contains(t, u.Msg, "a limit of its own")
	}
}

// A verdict that the certificate's search cannot confirm within its limit
// stands, and is reported as unconfirmed.
func TestWhatIsNotCertified(t *testing.T) {
	// A violation that is found directly, among operations that keep any search
	// busy: too many to be left out in the time that the minimiser has.
	h := hopeless(0)
	o := &object{History: h, outcome: outcome{verdict: model.Violation, violation: Violation{Ops: all(len(h.Ops))}}}
	c := &checking{history: h, objects: []*object{o}, options: Options{Certify: true, own: &ownLimits{time: time.Millisecond}}}
	c.guard = newGuard(t.Context(), time.Now(), c.options)
	c.certify(o)
	c.guard.close()
	require.Equal(t, model.Violation, o.verdict)
	r := &Report{Verdict: o.verdict}
	c.collect(r)
	require.Len(t, r.Uncertified, 1)
	require.Equal(t, fmt.Sprintf("porcupine did not decide on the %d operations shown: the general search did not decide within 1ms, a limit of its own: --timeout or --checker porcupine lets it go on", len(h.Ops)), r.Uncertified[0].Msg)
	require.Contains(t, strings.Join(r.Notes, "\n"), "certificates: of 1 object (36 operations) not certified: porcupine did not decide")

	// An order that porcupine found and, asked again, did not find in time.
	o = &object{History: h, outcome: outcome{verdict: model.Linearizable}}
	c.objects = []*object{o}
	c.guard = newGuard(t.Context(), time.Now(), c.options)
	c.certify(o)
	c.guard.close()
	r = &Report{Verdict: o.verdict}
	c.collect(r)
	require.Len(t, r.Uncertified, 1)
	require.Contains(t, r.Uncertified[0].Msg, "porcupine said that there is an order, and then did not say which: the general search did not decide")
}

// Where indices are put in twice, nobody can say which of them an operation took
// that never came back, so the order that porcupine finds does not replay.
func TestPendingRemovalsThatCannotBeCertified(t *testing.T) {
	h := history(t, model.Range,
		`{"process":0,"op":"push","result":"ok","range":[80,83],"call":1,"return":2}`,
		`{"process":0,"op":"push","result":"ok","range":[80,82],"call":2,"return":2}`,
		`{"process":0,"op":"pop","result":"ok","range":[80,82],"size":3,"call":2,"return":2}`,
		`{"process":0,"op":"push","result":"ok","range":[79,80],"call":2,"return":3}`,
		`{"process":0,"op":"pop","result":"ok","range":[79,80],"size":3,"call":3,"return":3}`,
		`{"process":1,"op":"steal","call":2}`)
	r := Check(t.Context(), h, Options{Certify: true})
	require.Equal(t, model.Linearizable, r.Verdict)
	require.Len(t, r.Uncertified, 1)
	require.Equal(t, "porcupine decided, and what the operations that never came back took is not known", r.Uncertified[0].Msg)
	text, err := r.JSON("x", nil)
	require.NoError(t, err)
	require.Contains(t, string(text), `"verdict":"linearizable"`)
	require.Contains(t, string(text), `"uncertified":[{"object":0,"reason":"porcupine decided, and what`)
}
