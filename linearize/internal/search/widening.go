package search

// widening are the tactics for queues and bags: where the search is stuck it tries
// again from some steps before, with other likings, then with more and more values
// to choose among, and then from more and more steps before. What was passed long
// ago is left alone until then.
type widening struct {
	queue  *queue
	back   int // how many steps are taken back
	behind int // at how many steps what it was stuck at lies behind it; 0 if it is not stuck
}

const (
	anyWidth      = 1 << 30
	usualBack     = 256
	usualGrace    = 2_000
	behindTrouble = 64 // steps after which it is forgotten
)

func newWidening(q *queue) *widening {
	q.width = 1
	return &widening{queue: q, back: usualBack}
}

// deeper lets what was passed well rest.
func (w *widening) deeper(p *progress) {
	if len(p.steps) <= p.deepest {
		return
	}
	p.deepest = len(p.steps)
	if p.deepest < w.behind {
		return
	}
	if w.behind > 0 {
		w.queue.width, w.queue.liking = 1, 0
		w.back, w.behind = usualBack, 0
		p.forget()
	}
	p.grace = usualGrace
	p.floor = max(p.floor, p.deepest-usualBack)
}

func (w *widening) stuck(p *progress) (keep int) {
	q := w.queue
	q.liking++
	if q.liking == likings {
		q.liking = 0
		switch {
		case q.width == anyWidth:
			w.back *= 4
		case q.width >= 16:
			q.width = anyWidth
		default:
			q.width *= 4
		}
	}
	w.behind = p.deepest + behindTrouble
	p.floor = max(0, p.deepest-w.back)
	p.grace = usualGrace * (w.back / usualBack)
	if p.floor == 0 && w.exact() {
		p.grace = p.left + 1 // to the end
	}
	p.forget() // what was found out with fewer choices
	return p.floor + 1
}

func (w *widening) exact() bool { return w.queue.width == anyWidth }
