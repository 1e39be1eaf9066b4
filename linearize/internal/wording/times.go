package wording

import (
	"fmt"

	"stealproof/model"
)

// longStamp is from where on a stamp has too many digits to be read.
const longStamp = 1_000_000_000

// Zero is what the times of some operations are counted from, for people: their first
// call, or 0 if their stamps are short enough to be read as they are.
func Zero(ops []model.Operation) uint64 {
	first, last := uint64(model.Never), uint64(0)
	for i := range ops {
		first, last = min(first, ops[i].Call), max(last, ops[i].Call)
		if !ops[i].Pending() {
			last = max(last, ops[i].Return)
		}
	}
	return ZeroOf(first, last)
}

// ZeroOf is the same for times from a first to a last one.
func ZeroOf(first, last uint64) uint64 {
	if last < longStamp {
		return 0
	}
	return first
}

// At is a time as it is counted from a stamp.
func At(at, zero uint64) string {
	if at < zero {
		return fmt.Sprintf("-%d", zero-at)
	}
	return fmt.Sprint(at - zero)
}

// From is what stands behind a text whose times are counted from a stamp.
func From(zero uint64) string {
	if zero == 0 {
		return ""
	}
	return fmt.Sprintf(" (times are counted from stamp %d)", zero)
}

// Shifted are operations whose times are counted from a stamp, which is none of a later
// time than their calls.
func Shifted(ops []model.Operation, zero uint64) []model.Operation {
	if zero == 0 {
		return ops
	}
	shifted := make([]model.Operation, len(ops))
	for i, o := range ops {
		o.Call -= zero
		if !o.Pending() {
			o.Return -= zero
		}
		shifted[i] = o
	}
	return shifted
}
