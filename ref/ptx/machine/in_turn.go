package machine

import "iter"

// InTurn runs the lanes of a crew without anybody to choose among them: each goes on
// until it waits for others, one after the other. It is for what is no execution: to
// try operations out, and to compare instructions.
func InTurn(c *Crew, b Team, lanes []*Machine, run func(lane int) error) error {
	c.Begin(b)
	t := &inTurn{rests: make([]bool, len(lanes))}
	errs := make([]error, len(lanes))
	next := make([]func() (struct{}, bool), len(lanes))
	for lane, m := range lanes {
		n, stop := iter.Pull(func(yield func(struct{}) bool) {
			defer func() {
				if r := recover(); r != nil && r != any(givenUp{}) {
					panic(r)
				}
			}()
			m.Lane, m.Crew, m.Waiter = lane, c, &turn{t, lane, yield}
			if errs[lane] = run(lane); errs[lane] == nil {
				errs[lane] = m.Back()
			}
		})
		defer stop()
		next[lane] = n
	}
	for going := true; going; {
		going = false
		for lane, n := range next {
			if n == nil || t.rests[lane] {
				continue
			}
			going = true
			if _, alive := n(); !alive {
				next[lane] = nil
			}
			if errs[lane] != nil {
				return errs[lane]
			}
		}
	}
	return nil
}

type inTurn struct{ rests []bool }

// turn is a lane of it.
type turn struct {
	all   *inTurn
	lane  int
	yield func(struct{}) bool
}

// givenUp is thrown where another lane has failed.
type givenUp struct{}

func (t *turn) rest() {
	if !t.yield(struct{}{}) {
		panic(givenUp{})
	}
}

// Wait is explained at Waiter.
func (t *turn) Wait() {
	t.all.rests[t.lane] = true
	t.rest()
}

// Wake is explained at Waiter.
func (t *turn) Wake(lanes uint64, _ bool) {
	for lane := range lanesOf(lanes) {
		t.all.rests[lane] = false
	}
}

// Gather is explained at Waiter.
func (t *turn) Gather() { t.rest() }
