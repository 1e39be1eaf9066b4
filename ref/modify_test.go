package ref

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
)

func TestModifications(t *testing.T) {
	for _, c := range []struct {
		how         Modifier
		bits        uint8
		value, with uint64
		want        uint64
	}{
		{Exchange, 0, 5, 9, 9},
		{Exchange, 8, 5, 0x109, 9},
		{Add, 0, 5, ^uint64(0), 4},
		{Add, 32, 0xffffffff, 2, 1},
		{And, 0, 12, 10, 8},
		{Or, 0, 12, 10, 14},
		{Xor, 0, 12, 10, 6},
		{Increment, 0, 2, 3, 3},
		{Increment, 0, 3, 3, 0},
		{Increment, 0, 7, 3, 0},
		{Increment, 32, 0xffffffff, 0xffffffff, 0},
		{Increment, 0, ^uint64(0), ^uint64(0), 0},
		{Decrement, 0, 3, 3, 2},
		{Decrement, 0, 0, 3, 3},
		{Decrement, 0, 4, 3, 3},
		{Decrement, 0, 1, 3, 0},
		{MinUnsigned, 32, 0xffffffff, 3, 3},
		{MaxUnsigned, 32, 0xffffffff, 3, 0xffffffff},
		{MinSigned, 32, 0xffffffff, 3, 0xffffffff},
		{MaxSigned, 32, 0xffffffff, 3, 3},
		{MinSigned, 0, ^uint64(0), 3, ^uint64(0)},
		{MaxSigned, 64, ^uint64(0), 3, 3},
	} {
		m := Modification{c.how, c.bits, c.with}
		assert.Equal(t, c.want, m.Of(c.value), "%s of %d with %d bits", m, c.value, c.bits)
	}
	assert.Equal(t, "signed min -1", Modification{MinSigned, 32, 0xffffffff}.String())
}

// A modification is one access: of two exchanges one sees the other, on every
// memory, unless their scope is too narrow.
func TestModificationsAreAtomic(t *testing.T) {
	exchange := func(v uint64, s Scope) thread {
		return func(m Memory, read func(uint64)) {
			read(m.Modify(x, Modification{How: Exchange, With: v}, Access{Order: Relaxed, Scope: s}))
		}
	}
	for _, memory := range []string{"sc", "ptx"} {
		all := outcomes(t, memory, exchange(1, GPU), exchange(2, GPU))
		assert.Equal(t, []string{"[[0] [1]] [2 0 0]", "[[2] [0]] [1 0 0]"}, keys(all), memory)
	}
	assert.True(t, reaches(outcomes(t, "ptx", exchange(1, Block), exchange(2, Block)), "[[0] [0]]"))

	// as a release and an acquire
	passes := func(o Order) map[string]bool {
		return outcomes(t, "ptx",
			func(m Memory, _ func(uint64)) {
				m.Store(x, 1, Access{Order: Weak, Scope: GPU})
				m.Modify(y, Modification{How: Or, With: 1}, Access{Order: o, Scope: GPU})
			},
			func(m Memory, read func(uint64)) {
				read(m.Modify(y, Modification{How: MaxUnsigned, With: 0}, Access{Order: o, Scope: GPU}))
				read(m.Load(x, Access{Order: Weak, Scope: GPU}))
			})
	}
	assert.False(t, reaches(passes(AcqRel), "[[] [1 0]]"))
	assert.True(t, reaches(passes(Relaxed), "[[] [1 0]]"))
}

// modifying is a structure whose puts modify one word as the program says, and
// note what they have seen.
type modifying struct {
	word Location
	how  []Modification
	saw  []uint64
}

func (s modifying) Do(m Memory, o *model.Operation) {
	s.saw[o.Value-1] = m.Modify(s.word, s.how[o.Value-1], Access{Relaxed, GPU, 0})
	o.Result = model.OK
}

// On real atomics every modification happens in one step: there is an order of
// them that explains what all have seen.
func TestNativeModifications(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		s := modifying{saw: make([]uint64, 6)}
		for range s.saw {
			s.how = append(s.how, Modification{Modifier(r.IntN(int(MaxSigned) + 1)), 8, r.Uint64N(256)})
		}
		subject, err := Foreign{Name: "modifying", Kind: model.Bag, Build: func(space *Space, _ int) Structure {
			s.word = space.Word("word", 100)
			return s
		}}.Subject(model.Spec{})
		require.NoError(t, err)
		program, err := subject.ParseProgram("0: put(1) put(2)\n1: put(3) put(4)\n2: put(5) put(6)")
		require.NoError(t, err)
		setup, err := subject.Prepare(program)
		require.NoError(t, err)
		n := NewNative(setup)
		n.Naps = 2
		require.Equal(t, Complete, n.Run(context.Background(), r.Uint64()).Ending)
		assert.True(t, explained(&s, 100, make([]int, 3)), fmt.Sprint(s.how, s.saw))
	}
}

// explained looks for an order of the rest, two of each process.
func explained(s *modifying, word uint64, done []int) bool {
	over := true
	for p := range done {
		if done[p] == 2 {
			continue
		}
		over = false
		if i := 2*p + done[p]; s.saw[i] == word {
			done[p]++
			if explained(s, s.how[i].Of(word), done) {
				return true
			}
			done[p]--
		}
	}
	return over
}
