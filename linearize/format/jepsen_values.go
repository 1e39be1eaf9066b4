package format

import (
	"math"

	"stealproof/model"
)

// setValue reads v, [object v], or [from to] of a range.
func (j *jepsen) setValue(o *model.Operation, line int, v ednValue) (err error) {
	if v.kind != ednVector {
		if j.h.Kind == model.Range && o.Op.Removes() && o.Result == model.Unknown {
			o.Size, err = j.number(line, "value", v, model.MaxValue)
			return err
		}
		if j.h.Kind == model.Range {
			return j.fail(line, ":value: expected a range as in [0 8], found %s", v)
		}
		o.Value, err = j.number(line, "value", v, model.MaxValue)
		return err
	}
	if len(v.items) != 2 {
		return j.fail(line, ":value: expected two numbers in the vector, found %d", len(v.items))
	}
	first, err := j.number(line, "value", v.items[0], model.MaxValue)
	if err != nil {
		return err
	}
	if j.h.Kind != model.Range && first > math.MaxUint32 {
		return j.fail(line, ":value: expected an object below 2^32 first, found %d", first)
	}
	if j.h.Kind != model.Range && v.items[1].kind == ednNil { // a removal of object k
		o.Object = uint32(first)
		return nil
	}
	second, err := j.number(line, "value", v.items[1], model.MaxValue)
	if err != nil {
		return err
	}
	if j.h.Kind == model.Range {
		o.Value, o.To = first, second
		return nil
	}
	if o.Return != model.Never && o.Object != uint32(first) {
		return j.fail(line, ":value: object %d, but the call of line %d was on object %d", first, o.Line, o.Object)
	}
	o.Object, o.Value = uint32(first), second
	return nil
}

func (j *jepsen) number(line int, name string, v ednValue, limit uint64) (uint64, error) {
	if v.kind != ednNumber || v.number > limit {
		return 0, j.fail(line, ":%s: expected an unsigned integer below %s, found %s", name, bound(limit), v)
	}
	return v.number, nil
}

// times reads what the entry says of time.
func (j *jepsen) times(e entry) (t [3]uint64, err error) {
	t[2] = uint64(j.n)
	if e.time.kind == ednNil {
		j.untimed = true
	} else if t[0], err = j.number(e.line, "time", e.time, model.Never-1); err != nil {
		return t, err
	}
	if e.index.kind == ednNil {
		j.unindexed = true
	} else if t[1], err = j.number(e.line, "index", e.index, model.Never-1); err != nil {
		return t, err
	}
	return t, nil
}

// setTimes picks the times that all entries have, and leaves out what did not
// happen.
func (j *jepsen) setTimes() error {
	which := 0
	j.h.Clock = model.Clock{Source: "jepsen :time", Unit: "ns"}
	if j.untimed {
		which, j.h.Clock = 1, model.Clock{Source: "jepsen :index"}
	}
	if j.untimed && j.unindexed {
		which, j.h.Clock = 2, model.Clock{Source: "order of the entries"}
	}
	kept := j.h.Ops[:0]
	for i, o := range j.h.Ops {
		o.Call = j.stamps[i].call[which]
		if o.Return != model.Never {
			o.Return = j.stamps[i].ret[which]
			if o.Return < o.Call {
				return j.fail(int(o.Line), "%s completed at %d, before it was called at %d", o.Op, o.Return, o.Call)
			}
		}
		if !j.dropped[i] {
			kept = append(kept, o)
		}
	}
	j.h.Ops = kept
	return nil
}

// whatElse says of usual operations of Jepsen's why they are not read.
func whatElse(f string) string {
	switch f {
	case "drain":
		return "; a drain is many removals, and the file does not say when each of them was"
	case "read", "write", "cas", "get", "append", "txn", "transfer":
		return "; a register, a map or a set of transactions is none of the objects that are checked here"
	}
	return ""
}

// completed takes the value over from the completion, where the call has none,
// or else sees that it is the same.
func (j *jepsen) completed(o *model.Operation, e entry) error {
	if e.value.kind == ednNil {
		if o.Op.Removes() {
			return j.fail(e.line, ":value: %s came back with nil: expected what it took, or :type :fail, :error :empty", o.Op)
		}
		return nil
	}
	called := *o
	if err := j.setValue(o, e.line, e.value); err != nil {
		return err
	}
	// A removal may be called with something else, its size in a range say.
	if o.Op.Puts() && called.Value != model.NoValue && *o != called {
		return j.fail(e.line, ":value: %s of line %d came back with another value than it was called with", o.Op, o.Line)
	}
	if o.Op.Removes() && o.Size == 0 {
		o.Size = o.Len()
	}
	return nil
}
