package testkit

import (
	"math/rand/v2"

	"stealproof/model"
)

// RandomBounded draws a history of a few processes and a small room, which is
// full or empty most of the time.
func RandomBounded(r *rand.Rand, k model.Kind) *model.History {
	for {
		load := []string{"full", "balanced", "empty"}[r.IntN(3)]
		h := Drawn(r, k, 2+r.IntN(4), load, 4+r.IntN(14), 1+r.Uint64N(3))
		Coarsen(h, 1+r.Uint64N(30))
		g := &Maker{Rand: r, Kind: k, Params: h.Params}
		for range r.IntN(3) {
			g.Damage(h)
		}
		if h.Validate() == nil {
			return h
		}
	}
}
