package general

import "stealproof/model"

// fingerprint is a hash of the values inside, kept up to date by what goes in
// and out. Without it the general search compares each place with all others
// for the same set of operations, and concurrent puts have very many.
//
// The hash of a sequence is the sum of mix(value) * base^position. Positions
// count from the first put ever, so head and tail move apart from what is
// inside; they are a function of the operations that took effect. Two equal
// states that came about by different effects may differ in their hashes;
// they are then both searched, which costs time and nothing else.
type fingerprint struct {
	sum        uint64
	head, tail uint64 // base^position
}

const (
	base        = 0x9e3779b97f4a7c15
	baseInverse = 0xf1de83e19937733d // base * baseInverse = 1 modulo 2^64
)

func mix(v uint64) uint64 {
	v = (v ^ v>>32) * 0xd6e8feb86659fd93
	return v ^ v>>29 | 1
}

// after is the fingerprint once o, which moved a value, took effect.
func (f fingerprint) after(k model.Kind, o *model.Operation) fingerprint {
	if o.Result != model.OK || k == model.Range {
		return f
	}
	switch {
	case k == model.Bag && o.Op.Puts():
		f.sum += mix(o.Value)
	case k == model.Bag:
		f.sum -= mix(o.Value)
	case o.Op.Puts():
		f.sum += mix(o.Value) * f.tail
		f.tail *= base
	case o.Op == model.Pop:
		f.tail *= baseInverse
		f.sum -= mix(o.Value) * f.tail
	default:
		f.sum -= mix(o.Value) * f.head
		f.head *= base
	}
	return f
}
