package ref

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func modify(l Location, operand uint64, change Change, o Order) thread {
	return func(m Memory, read func(uint64)) {
		read(m.Modify(l, operand, change, Access{Order: o, Scope: GPU}))
	}
}

// A Modify that adds has the outcomes of a FetchAdd, on every memory and with
// every order.
func TestModifyIsOneAccess(t *testing.T) {
	const x, y = 0, 1
	for _, memory := range []string{"sc", "ptx"} {
		for _, o := range []Order{Relaxed, Acquire, Release, AcqRel, SC} {
			with := func(access thread) map[string]bool {
				return outcomes(t, memory, seq(st(y, 1, Relaxed, GPU), access), seq(access, ld(y, Relaxed, GPU)), st(x, 7, Relaxed, GPU))
			}
			want := with(add(x, o, GPU))
			assert.Greater(t, len(want), 3)
			assert.Equal(t, want, with(modify(x, 1, sum, o)), "%s %s", memory, o)
		}
		// of two exchanges one gets what the other has left
		for o := range outcomes(t, memory, modify(x, 1, Exchange, Relaxed), modify(x, 2, Exchange, Relaxed)) {
			assert.Contains(t, []string{"[[0] [1]] [2 0 0]", "[[2] [0]] [1 0 0]"}, o)
		}
	}
}

func TestModifyBetweenPhasesAndNatively(t *testing.T) {
	words := []uint64{5}
	assert.EqualValues(t, 5, hostMemory{words}.Modify(0, 3, sum, Access{}))
	assert.EqualValues(t, 8, words[0])

	s, err := Foreign{Name: "counter", Kind: model.Bag, Build: func(sp *Space, n int) Structure {
		return counter{sp.Word("count", 0)}
	}}.Subject(model.Spec{})
	require.NoError(t, err)
	takes := strings.Repeat(" take", 1000)
	p, err := s.ParseProgram("0:" + takes + "\n1:" + takes + "\n2:" + takes)
	require.NoError(t, err)
	setup, err := s.Prepare(p)
	require.NoError(t, err)
	seen := map[uint64]bool{}
	for _, o := range NewNative(setup).Run(t.Context(), 1).History.Ops {
		seen[o.Value] = true
	}
	assert.Len(t, seen, 3000, "every take has a number of its own")
}

// counter is a bag out of which a new number comes each time.
type counter struct{ count Location }

func (c counter) Do(m Memory, o *model.Operation) {
	o.Result, o.Value = model.OK, 1+m.Modify(c.count, 1, sum, Access{Order: Relaxed, Scope: GPU})
}

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		change              Change
		held, operand, want uint64
	}{
		{Exchange, 5, 9, 9}, {And, 12, 10, 8}, {Or, 12, 10, 14}, {Xor, 12, 10, 6}, {Min, 5, 3, 3}, {Max, 5, 3, 5},
		{Increment, 2, 3, 3}, {Increment, 3, 3, 0}, {Increment, 7, 3, 0},
		{Decrement, 3, 3, 2}, {Decrement, 0, 3, 3}, {Decrement, 4, 3, 3}, {Decrement, 1, 3, 0},
	} {
		assert.Equal(t, c.want, c.change(c.held, c.operand), "%v", c)
	}
}
