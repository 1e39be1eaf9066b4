package queues

import (
	"stealproof/model"
	"stealproof/ref"
)

// treiber is the stack of Treiber (1986), as a bag: there is no kind for stacks that
// have no owner. Value v is in node v, which nobody else uses.
type treiber struct {
	top  ref.Location
	next ref.Array
	push ref.Access
}

// Treiber is the stack with the orders that it needs.
func Treiber() ref.Foreign { return treiberOf("treiber", release) }

// RelaxedTreiber puts nodes on top without releasing what they hold.
func RelaxedTreiber() ref.Foreign { return treiberOf("relaxed-treiber", relaxed) }

func treiberOf(name string, push ref.Access) ref.Foreign {
	return ref.Foreign{Name: name, Kind: model.Bag, Anonymous: true, Build: func(s *ref.Space, _ int) ref.Structure {
		return &treiber{s.Word("top", 0), s.Array("next", slots, 0), push}
	}}
}

// Do carries out an operation.
func (q *treiber) Do(m ref.Memory, o *model.Operation) {
	for {
		top := m.Load(q.top, acquire)
		switch {
		case o.Op == model.Put:
			m.Store(q.next.At(o.Value), top, relaxed)
			if _, pushed := m.CompareAndSwap(q.top, top, o.Value, q.push); pushed {
				o.Result = model.OK
				return
			}
		case top == 0:
			o.Value, o.Result = model.NoValue, model.Empty
			return
		default:
			if _, taken := m.CompareAndSwap(q.top, top, m.Load(q.next.At(top), relaxed), acquire); taken {
				o.Value, o.Result = top, model.OK
				return
			}
		}
	}
}
