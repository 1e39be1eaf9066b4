package fuzz

import "stealproof/ref"

// walk is the uniform random walk: at every access any process may go on, each
// with the same probability.
type walk struct{ random Random }

func newWalk(*settings, *ref.Setup) (Strategy, error) { return &walk{}, nil }

func (w *walk) Begin(seed uint64) { w.random = *NewRandom(seed) }

func (w *walk) Next(v *ref.View) int { return v.Enabled[w.random.IntN(len(v.Enabled))] }
