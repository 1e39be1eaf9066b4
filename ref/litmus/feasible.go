package litmus

// The three ways in which two numbers can stand to each other, as bits.
const (
	below uint8 = 1 << iota
	level
	above
)

var waysOf = [...]uint8{Equal: level, NotEqual: below | above, GreaterEqual: level | above, LessEqual: below | level, Greater: above, Less: below}

// swapped is the same relation, seen from the other side.
func swapped(ways uint8) uint8 { return ways&level | ways&below<<2 | ways&above>>2 }

// contradictory says whether the conditions of a path obviously exclude each
// other: two decisions about the same numbers, or about a read whose value a
// decision has fixed. What it misses is found when values are known; but a loop
// that goes on only on paths that are impossible must not seem unbounded.
func contradictory(conds []pathCondition) bool {
	fixed := map[int]int64{}
	for _, c := range conds {
		if c.comparison != Equal {
			continue
		}
		for _, side := range [2][2]*expr{{c.a, c.b}, {c.b, c.a}} {
			if side[0].kind == readExpr && side[1].kind == constantExpr {
				fixed[side[0].read] = side[1].constant
			}
		}
	}
	value := func(read int) (int64, bool) {
		v, known := fixed[read]
		return v, known
	}
	for i, c := range conds {
		a, knownA := c.a.eval(value)
		b, knownB := c.b.eval(value)
		if knownA && knownB && !c.comparison.holds(a, b) {
			return true
		}
		ways := waysOf[c.comparison]
		for _, d := range conds[:i] {
			switch {
			case c.a.same(d.a) && c.b.same(d.b):
				ways &= waysOf[d.comparison]
			case c.a.same(d.b) && c.b.same(d.a):
				ways &= swapped(waysOf[d.comparison])
			}
		}
		if ways == 0 {
			return true
		}
	}
	return false
}
