package model_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

const refused = "!" // in front of a step that the object cannot make

type walk struct {
	name     string
	capacity uint64
	steps    string // one behind the other, with ';' between
	end      string // the state as it prints itself
}

func (w walk) run(t *testing.T, k model.Kind) {
	s := model.NewState(k, model.Params{Capacity: w.capacity})
	for step := range strings.SplitSeq(w.steps, ";") {
		text, illegal := strings.CutPrefix(strings.TrimSpace(step), refused)
		before := s.String()
		require.Equal(t, !illegal, s.Apply(operation(t, text)), "%s at %s", text, before)
		if illegal {
			require.Equal(t, before, s.String(), "%s was refused and must change nothing", text)
		}
	}
	assert.Equal(t, w.end, s.String())
}

func runWalks(t *testing.T, k model.Kind, walks []walk) {
	for _, w := range walks {
		t.Run(w.name, func(t *testing.T) { w.run(t, k) })
	}
}

func TestWSDequeState(t *testing.T) {
	runWalks(t, model.WSDeque, []walk{
		{"begins empty", 0, "pop empty; steal empty; ! pop ok 1; ! steal ok 1", "[]"},
		{"owner takes the newest", 0, "push ok 1; push ok 2; push ok 3; ! pop ok 1; pop ok 3; pop ok 2; pop ok 1; pop empty", "[]"},
		{"thieves take the oldest", 0, "push ok 1; push ok 2; push ok 3; ! steal ok 3; steal ok 1; steal ok 2", "[3]"},
		{"both ends meet at the last", 0, "push ok 1; push ok 2; steal ok 1; pop ok 2; steal empty; pop empty", "[]"},
		{"empty is a lie while a value is inside", 0, "push ok 1; ! pop empty; ! steal empty", "[1]"},
		{"abort claims nothing, neither on empty nor else", 0, "steal abort; push ok 1; steal abort", "[1]"},
		{"full claims nothing without a capacity", 0, "push full; push full 9; push ok 1", "[1]"},
		{"full claims nothing with a capacity: the array is not circular", 4, "push full 1; push ok 2; push full 3", "[2]"},
		{"the capacity bounds what is inside", 2, "push ok 1; push ok 2; ! push ok 3; push full 3; steal ok 1; push ok 3", "[2 3]"},
		{"a value may come back in", 0, "push ok 1; pop ok 1; push ok 1", "[1]"},
	})
}

func TestFIFOState(t *testing.T) {
	runWalks(t, model.FIFO, []walk{
		{"begins empty", 0, "deq empty; ! deq ok 1", "[]"},
		{"first in, first out", 0, "enq ok 1; enq ok 2; ! deq ok 2; deq ok 1; deq ok 2; deq empty", "[]"},
		{"empty is a lie while a value is inside", 0, "enq ok 1; ! deq empty", "[1]"},
		{"abort claims nothing", 0, "deq abort; enq ok 1; deq abort", "[1]"},
		{"full claims nothing if no capacity is declared", 0, "enq full; enq ok 1; enq full 2", "[1]"},
		{"full means full if one is", 2, "! enq full; enq ok 1; ! enq full 2; enq ok 2; enq full 3; deq ok 1; ! enq full", "[2]"},
		{"the capacity bounds what is inside", 1, "enq ok 1; ! enq ok 2; deq ok 1; enq ok 2", "[2]"},
	})
}

func TestRangeState(t *testing.T) {
	runWalks(t, model.Range, []walk{
		{"begins empty", 0, "pop empty; steal empty; ! pop ok 0..1 of 1", "[0,0)"},
		{"a push sets it when it is empty", 0, "push ok 10..20", "[10,20)"},
		{"a push extends it downward", 0, "push ok 10..20; push ok 4..10", "[4,20)"},
		{"and nowhere else", 0, "push ok 10..20; ! push ok 20..30; ! push ok 4..9; ! push ok 4..11; ! push ok 12..14", "[10,20)"},
		{"once used up it can be set anew, anywhere", 0, "push ok 10..20; pop ok 10..20 of 10; pop empty; push ok 40..50", "[40,50)"},
		{"pop takes from the low end", 0, "push ok 10..20; pop ok 10..13 of 3; ! pop ok 10..11 of 1; ! pop ok 14..15 of 1", "[13,20)"},
		{"steal takes from the high end", 0, "push ok 10..20; steal ok 17..20 of 3; ! steal ok 10..12 of 2; ! steal ok 15..16 of 1", "[10,17)"},
		{"fewer than asked for may come", 0, "push ok 10..20; pop ok 10..11 of 5; steal ok 19..20 of 5", "[11,19)"},
		{"more than asked for may not", 0, "push ok 10..20; ! pop ok 10..13 of 2; ! steal ok 17..20 of 2", "[10,20)"},
		{"nor more than there is", 0, "push ok 10..12; ! pop ok 10..13 of 3; ! steal ok 9..12 of 3", "[10,12)"},
		{"nor nothing, nor less", 0, "push ok 10..12; ! pop ok 10..10 of 1; ! pop ok 10..9 of 1; ! steal ok 12..12 of 1", "[10,12)"},
		{"all of it may", 0, "push ok 10..12; steal ok 10..12 of 7; steal empty; pop empty", "[10,10)"},
		{"an unsaid size bounds nothing", 0, "push ok 10..20; pop ok 10..18", "[18,20)"},
		{"empty is a lie while an index is inside", 0, "push ok 10..11; ! pop empty; ! steal empty of 4", "[10,11)"},
		{"abort claims nothing", 0, "steal abort; push ok 1..2; steal abort of 4", "[1,2)"},
		{"full claims nothing if no capacity is declared", 0, "push full 1..2; push ok 10..20; push full 4..10", "[10,20)"},
		{"full means that it does not fit, if one is", 8, "! push full 0..8; push full 0..9; push ok 10..15; ! push full 7..10; push full 6..10; push full 30..31", "[10,15)"},
		{"full without saying what was refused claims nothing", 8, "push full; push ok 10..11", "[10,11)"},
		{"the capacity bounds what is inside", 8, "! push ok 0..9; push ok 10..18; ! push ok 9..10; pop ok 10..11 of 1; push ok 10..11", "[10,18)"},
	})
}

func TestBagState(t *testing.T) {
	runWalks(t, model.Bag, []walk{
		{"begins empty", 0, "take empty; ! take ok 1", "{}"},
		{"order does not matter", 0, "put ok 1; put ok 2; put ok 3; take ok 2; take ok 3; take ok 1; take empty", "{}"},
		{"each value comes out once", 0, "put ok 1; put ok 2; take ok 1; ! take ok 1", "{2}"},
		{"as often as it was put in", 0, "put ok 1; put ok 1; take ok 1; take ok 1; ! take ok 1", "{}"},
		{"empty is a lie while a value is inside", 0, "put ok 1; ! take empty", "{1}"},
		{"abort claims nothing", 0, "take abort; put ok 1; take abort", "{1}"},
		{"full claims nothing if no capacity is declared", 0, "put full; put ok 1; put full 2", "{1}"},
		{"full means full if one is", 2, "! put full; put ok 1; put ok 2; put full 3; take ok 1; ! put full 3", "{2}"},
		{"the capacity counts values, not different ones", 2, "put ok 1; put ok 1; ! put ok 1; put full 1; take ok 1; put ok 3", "{1 3}"},
	})
}

func TestOutcomesOfWhatNeverCameBack(t *testing.T) {
	deque := []string{"push ok 1", "push ok 2"}
	tests := []struct {
		kind    model.Kind
		before  []string
		pending string
		want    []string
	}{
		{model.WSDeque, nil, "push unknown 7", []string{"push ok 7"}},
		{model.WSDeque, nil, "pop unknown", nil},
		{model.WSDeque, nil, "steal unknown", nil},
		{model.WSDeque, deque, "pop unknown", []string{"pop ok 2"}},
		{model.WSDeque, deque, "steal unknown", []string{"steal ok 1"}},
		{model.FIFO, nil, "enq unknown 7", []string{"enq ok 7"}},
		{model.FIFO, nil, "deq unknown", nil},
		{model.FIFO, []string{"enq ok 1", "enq ok 2"}, "deq unknown", []string{"deq ok 1"}},
		{model.Range, nil, "push unknown 4..8", []string{"push ok 4..8"}},
		{model.Range, nil, "steal unknown of 3", nil},
		{model.Range, []string{"push ok 10..20"}, "pop unknown of 3", []string{"pop ok 10..11 of 3", "pop ok 10..12 of 3", "pop ok 10..13 of 3"}},
		{model.Range, []string{"push ok 10..20"}, "steal unknown of 2", []string{"steal ok 19..20 of 2", "steal ok 18..20 of 2"}},
		{model.Range, []string{"push ok 10..12"}, "steal unknown of 9", []string{"steal ok 11..12 of 9", "steal ok 10..12 of 9"}},
		{model.Range, []string{"push ok 10..12"}, "pop unknown", []string{"pop ok 10..11", "pop ok 10..12"}},
		{model.Bag, nil, "put unknown 7", []string{"put ok 7"}},
		{model.Bag, nil, "take unknown", nil},
		{model.Bag, []string{"put ok 3", "put ok 1", "put ok 3"}, "take unknown", []string{"take ok 1", "take ok 3"}},
	}
	for _, test := range tests {
		t.Run(test.kind.String()+" "+test.pending+" after "+strings.Join(test.before, ", "), func(t *testing.T) {
			s := after(t, test.kind, model.Params{}, test.before...)
			unchanged := s.String()
			var want []model.Operation
			for _, text := range test.want {
				o := operation(t, text)
				o.Return = model.Never // the effect has no time
				want = append(want, *o)
			}
			outcomes := s.Outcomes(operation(t, test.pending))
			assert.Equal(t, want, outcomes)
			assert.Equal(t, unchanged, s.String())
			for i := range outcomes {
				assert.True(t, s.Clone().Apply(&outcomes[i]), "an outcome is one that can happen")
			}
		})
	}
}

// puts brings n different values, or intervals, into an object of any kind.
var puts = map[model.Kind][]string{
	model.WSDeque: {"push ok 1", "push ok 2", "push ok 3"},
	model.FIFO:    {"enq ok 1", "enq ok 2", "enq ok 3"},
	model.Range:   {"push ok 20..30", "push ok 10..20", "push ok 5..10"},
	model.Bag:     {"put ok 1", "put ok 2", "put ok 3"},
}

var removals = map[model.Kind][]string{
	model.WSDeque: {"steal ok 1", "pop ok 2"},
	model.FIFO:    {"deq ok 1", "deq ok 2"},
	model.Range:   {"pop ok 10..11 of 1", "steal ok 29..30 of 1"},
	model.Bag:     {"take ok 2", "take ok 1"},
}

func TestCloneSharesNothing(t *testing.T) {
	for _, k := range model.Kinds {
		t.Run(k.String(), func(t *testing.T) {
			s := after(t, k, model.Params{}, puts[k][:2]...)
			c := s.Clone()
			before := s.String()
			require.True(t, c.Equal(s))
			require.True(t, c.Apply(operation(t, removals[k][0])))
			require.True(t, c.Apply(operation(t, removals[k][1])))
			assert.Equal(t, before, s.String(), "what happens to the clone does not happen to the original")
			assert.False(t, c.Equal(s))
			changed := c.String()
			require.True(t, s.Apply(operation(t, puts[k][2])))
			assert.Equal(t, changed, c.String(), "nor the other way round")
		})
	}
}

func TestCloneKeepsTheCapacity(t *testing.T) {
	for _, k := range model.Kinds {
		capacity := uint64(1)
		if k == model.Range {
			capacity = 10
		}
		s := after(t, k, model.Params{Capacity: capacity}, puts[k][0])
		assert.False(t, s.Clone().Apply(operation(t, puts[k][1])), k)
	}
}

func TestEqualLooksAtTheContentsAlone(t *testing.T) {
	for _, k := range model.Kinds {
		one := after(t, k, model.Params{}, puts[k][:2]...)
		empty := model.NewState(k, model.Params{})
		assert.False(t, one.Equal(empty), k)
		assert.False(t, empty.Equal(one), k)
		assert.True(t, empty.Equal(model.NewState(k, model.Params{})), k)
		assert.True(t, one.Equal(after(t, k, model.Params{}, puts[k][:2]...)), k)
	}
	p := model.Params{}
	assert.True(t, after(t, model.Range, p, "push ok 3..5", "pop ok 3..5 of 2").Equal(model.NewState(model.Range, p)), "all empty intervals are the same")
	assert.True(t, after(t, model.WSDeque, p, "push ok 1", "push ok 2", "steal ok 1").Equal(after(t, model.WSDeque, p, "push ok 2")))
	assert.False(t, after(t, model.FIFO, p, "enq ok 1", "enq ok 2").Equal(after(t, model.FIFO, p, "enq ok 2", "enq ok 1")))
	assert.True(t, after(t, model.Bag, p, "put ok 1", "put ok 2").Equal(after(t, model.Bag, p, "put ok 2", "put ok 1")))
}

func TestNoStateForNoKind(t *testing.T) {
	assert.PanicsWithValue(t, "model: no state for kind invalid(0)", func() { model.NewState(0, model.Params{}) })
}
