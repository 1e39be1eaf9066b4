package weak

import mathbits "math/bits"

// clock counts the events of each thread that happened before.
type clock = []int32

func join(c, d clock) {
	for i, n := range d {
		c[i] = max(c[i], n)
	}
}

// arena hands out clocks that live until the end of the execution.
type arena struct {
	size int
	rows [][]int32
	row  int
	used int
}

const clocksPerRow = 256

func (a *arena) reset() { a.row, a.used = 0, 0 }

func (a *arena) clone(c clock) clock {
	if a.row < len(a.rows) && a.used+a.size > len(a.rows[a.row]) {
		a.row++
		a.used = 0
	}
	if a.row == len(a.rows) {
		a.rows = append(a.rows, make([]int32, clocksPerRow*a.size))
	}
	n := a.rows[a.row][a.used : a.used+a.size : a.used+a.size]
	a.used += a.size
	clear(n[copy(n, c):])
	return n
}

// bits iterates over a set.
func bits(set uint64) func(func(int) bool) {
	return func(yield func(int) bool) {
		for ; set != 0; set &= set - 1 {
			if !yield(mathbits.TrailingZeros64(set)) {
				return
			}
		}
	}
}
