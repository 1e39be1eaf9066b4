package schedule

import (
	"stealproof/fuzz/choice"
	"stealproof/ref"
)

// Walk is the uniform random walk: at every access any process may go on, each
// with the same probability.
type Walk struct{ random choice.Random }

func newWalk(*settings, *ref.Setup) (Strategy, error) { return &Walk{}, nil }

// Begin starts the walk of a seed.
func (w *Walk) Begin(seed uint64) { w.random = *choice.NewRandom(seed) }

// Pick gives the newest write half of the time, and each other outcome the same
// part of the rest: were all alike, nobody would see much of what happens.
func (w *Walk) Pick(_ *ref.View, n int) int { return oftenNewest(&w.random, n) }

// Next draws one of those who may go on.
func (w *Walk) Next(v *ref.View) int { return v.Enabled[w.random.IntN(len(v.Enabled))] }

// oftenNewest picks outcome 0 half of the time.
func oftenNewest(s choice.Source, n int) int {
	if s.IntN(2) == 0 {
		return 0
	}
	return 1 + s.IntN(n-1)
}

// seldomOld picks another outcome than 0 one time in eight.
func seldomOld(s choice.Source, n int) int {
	if s.IntN(8) > 0 {
		return 0
	}
	return 1 + s.IntN(n-1)
}
