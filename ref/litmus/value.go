package litmus

// expr is the value of a register or of a write, as a path knows it: a constant,
// what some read reads, or a computation. Reads are numbered within the thread.
type expr struct {
	kind     exprKind
	math     Math
	constant int64
	read     int
	a, b     *expr
	reads    []int // that the value depends on
}

type exprKind uint8

const (
	constantExpr exprKind = iota
	readExpr
	mathExpr
)

func constantOf(n int64) *expr { return &expr{kind: constantExpr, constant: n} }

func valueRead(read int) *expr { return &expr{kind: readExpr, read: read, reads: []int{read}} }

func computed(m Math, a, b *expr) *expr {
	if a.kind == constantExpr && b.kind == constantExpr {
		return constantOf(m.apply(a.constant, b.constant))
	}
	return &expr{kind: mathExpr, math: m, a: a, b: b, reads: union(a.reads, b.reads)}
}

func union(a, b []int) []int {
	all := append([]int(nil), a...)
	for _, x := range b {
		found := false
		for _, y := range a {
			found = found || x == y
		}
		if !found {
			all = append(all, x)
		}
	}
	return all
}

// apply computes. Numbers have 64 bits and wrap. What PTX leaves open, division
// by zero, gives all ones, as the hardware does.
func (m Math) apply(a, b int64) int64 {
	switch m {
	case Add:
		return a + b
	case Sub:
		return a - b
	case Mul:
		return a * b
	case Div:
		if b == 0 {
			return -1
		}
		return a / b
	case And:
		return a & b
	case Or:
		return a | b
	case Xor:
		return a ^ b
	case Inc: // counts up to b, then begins again
		if uint64(a) >= uint64(b) {
			return 0
		}
		return a + 1
	case Min:
		return min(a, b)
	}
	return max(a, b)
}

// same says whether two values are certainly equal.
func (e *expr) same(o *expr) bool {
	if e == o {
		return true
	}
	if e.kind != o.kind {
		return false
	}
	switch e.kind {
	case constantExpr:
		return e.constant == o.constant
	case readExpr:
		return e.read == o.read
	}
	return e.math == o.math && e.a.same(o.a) && e.b.same(o.b)
}

// eval computes the value where what was read is known.
func (e *expr) eval(read func(int) (int64, bool)) (int64, bool) {
	switch e.kind {
	case constantExpr:
		return e.constant, true
	case readExpr:
		return read(e.read)
	}
	a, known := e.a.eval(read)
	if !known {
		return 0, false
	}
	b, known := e.b.eval(read)
	return e.math.apply(a, b), known
}
