package general

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
)

// However a sequence came about, its fingerprint is that of its contents.
func TestFingerprintIsAFunctionOfTheContents(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	f, position := fingerprint{head: 1, tail: 1}, uint64(1)
	var inside []uint64
	for i := range 2000 {
		o := model.Operation{Op: model.Push, Result: model.OK, Value: uint64(i % 7)}
		switch n := len(inside); {
		case n > 0 && r.IntN(3) == 0:
			o.Op, o.Value, inside = model.Pop, inside[n-1], inside[:n-1]
		case n > 0 && r.IntN(3) == 0:
			o.Op, o.Value, inside = model.Steal, inside[0], inside[1:]
			position *= base
		default:
			inside = append(inside, o.Value)
		}
		f = f.after(model.WSDeque, &o)
		want, at := uint64(0), position
		for _, v := range inside {
			want += mix(v) * at
			at *= base
		}
		require.Equal(t, want, f.sum)
	}
}

func TestFingerprintOfABagForgetsTheOrder(t *testing.T) {
	var f fingerprint
	for _, v := range []uint64{1, 2, 3} {
		f = f.after(model.Bag, &model.Operation{Op: model.Put, Result: model.OK, Value: v})
	}
	for _, v := range []uint64{2, 1, 3} {
		f = f.after(model.Bag, &model.Operation{Op: model.Take, Result: model.OK, Value: v})
	}
	require.Zero(t, f.sum)
}
