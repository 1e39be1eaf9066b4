// Package timing has what all who go through a history by time need of it: small stamps,
// what ties within a process, numbers for values, and how an order is written down.
package timing

import (
	"math/bits"
	"slices"

	"stealproof/model"
)

// Absent stands where there is no operation, item or place.
const Absent = 1<<32 - 1

// Clock turns times into small numbers that keep their order, so that a time
// and an index fit one word: such words sort fast and take little room.
type Clock struct {
	base uint64
	Ever uint64   // the stamp of model.Never, after all finite ones
	bits uint     // of the index
	gaps *gapless // if the times have gaps that had to be closed
}

// NewClock makes stamps of what lies between low and high, for n indices. It
// fails if the two do not fit a word.
func NewClock(low, high uint64, n int) (Clock, bool) {
	s := Clock{base: low, Ever: high - low + 1, bits: uint(bits.Len(uint(n)))}
	return s, high-low < 1<<62 && bits.Len64(s.Ever+2)+int(s.bits) <= 64
}

// Of is the stamp of a time.
func (s *Clock) Of(t uint64) uint64 {
	if s.gaps != nil {
		return s.gaps.of(t)
	}
	return min(t-s.base, s.Ever)
}

// Far is a stamp after ever: what never happens.
func (s *Clock) Far() uint64 { return s.Ever + 1 }

// Pack makes a word of a stamp and an index; Stamp and Index are the way back.
func (s *Clock) Pack(stamp uint64, index uint32) uint64 { return stamp<<s.bits | uint64(index) }

// Stamp is that of a word.
func (s *Clock) Stamp(word uint64) uint64 { return word >> s.bits }

// Index is that of a word.
func (s *Clock) Index(word uint64) uint32 { return uint32(word & (1<<s.bits - 1)) }

// Sort orders words by stamp; equal stamps keep their order.
func (s *Clock) Sort(words []uint64) { radixSort(words, s.bits) }

// Fitted replaces the times of a history if they do not fit, even if gaps in
// time are closed.
func Fitted(h *model.History, look *Survey) (*model.History, *Survey, Clock) {
	s, fits := look.stamps(len(h.Ops))
	if !fits {
		s, fits = withoutGaps(h.Ops, look)
	}
	if !fits {
		h = withRanks(h)
		look = NewSurvey(h.Ops)
		s, _ = look.stamps(len(h.Ops))
	}
	return h, look, s
}

// withRanks replaces the times of a history by their ranks, which always fit.
func withRanks(h *model.History) *model.History {
	times := make([]uint64, 0, 2*len(h.Ops))
	for i := range h.Ops {
		times = append(times, h.Ops[i].Call, h.Ops[i].Return)
	}
	slices.Sort(times)
	times = slices.Compact(times)
	rank := func(t uint64) uint64 {
		r, _ := slices.BinarySearch(times, t)
		return uint64(r)
	}
	ops := slices.Clone(h.Ops)
	for i := range ops {
		o := &ops[i]
		o.Call = rank(o.Call)
		if !o.Pending() {
			o.Return = rank(o.Return)
		}
	}
	return h.With(ops)
}

const (
	digitBits = 11
	digits    = 1 << digitBits
)

// radixSort sorts words stably by their bits from 'from' upward.
func radixSort(words []uint64, from uint) {
	if len(words) < digits {
		slices.SortStableFunc(words, func(a, b uint64) int {
			switch a, b = a>>from, b>>from; {
			case a < b:
				return -1
			case a > b:
				return 1
			}
			return 0
		})
		return
	}
	all, sorted := uint64(0), true
	for i := 1; i < len(words); i++ {
		all |= words[i] ^ words[i-1]
		sorted = sorted && words[i-1]>>from <= words[i]>>from
	}
	if sorted || insertionSort(words, from) {
		return
	}
	from0, spare := words, make([]uint64, len(words))
	for shift := from; shift < 64 && all>>shift != 0; shift += digitBits {
		if all>>shift&(digits-1) == 0 {
			continue
		}
		distribute(words, spare, shift)
		words, spare = spare, words
	}
	if &words[0] != &from0[0] {
		copy(from0, words)
	}
}

// insertionSort is for words that nearly stand in order, such as the returns
// of operations in the order of their calls. It gives up, having moved some,
// where words have to move far.
func insertionSort(words []uint64, from uint) bool {
	moves := 0
	for i := 1; i < len(words); i++ {
		w := words[i]
		k := i
		for ; k > 0 && words[k-1]>>from > w>>from; k-- {
			words[k] = words[k-1]
		}
		words[k] = w
		if moves += i - k; moves > 4096+8*i {
			return false
		}
	}
	return true
}

func distribute(from, to []uint64, shift uint) {
	var place [digits]uint32
	for _, w := range from {
		place[w>>shift&(digits-1)]++
	}
	next := uint32(0)
	for d := range place {
		place[d], next = next, next+place[d]
	}
	for _, w := range from {
		d := w >> shift & (digits - 1)
		to[place[d]] = w
		place[d]++
	}
}
