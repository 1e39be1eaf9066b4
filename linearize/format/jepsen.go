package format

import (
	"errors"
	"io"
	"math"
	"strings"

	"stealproof/model"
)

// readEDN reads a history as Jepsen writes it: maps, one behind the other or
// in one vector, as in
//
//	{:process 0, :type :invoke, :f :enqueue, :value 1, :time 10}
//	{:process 0, :type :ok, :f :enqueue, :value 1, :time 25}
//
// What is called and never completed, or completed by :info, never came back.
// What completed by :fail did not happen; a removal that failed with :error
// :empty found nothing, a put that failed with :error :full was refused (see
// failure). A value [k v] is the value v of object k, except in the model range,
// where it is the range [from, to). An object may also stand in :key, of all
// entries or of none. Times are :time if all entries have it, else :index
// if all have that, else the places in the file. The nemesis is passed over.
func readEDN(r io.Reader, name string, o Options) (*model.History, error) {
	if o.Kind == 0 {
		return nil, modelMissing(name)
	}
	j := &jepsen{importing: newImporting(name, o.Kind, o), edn: newEDNReader(r), open: map[caller]invoked{}}
	if err := j.entries(); err != nil {
		var notation *ednError
		if errors.As(err, &notation) {
			return nil, j.fail(j.edn.line, "%s", notation.msg)
		}
		return nil, err
	}
	if err := j.setTimes(); err != nil {
		return nil, err
	}
	return j.done()
}

// jepsen reads entry by entry, and pairs invocations with completions.
type jepsen struct {
	*importing
	edn                *ednReader
	open               map[caller]invoked
	keyed              bool    // the entries have :key
	entered            int     // entries that are not the nemesis'
	dropped            []bool  // operations that did not happen
	n                  int     // entries so far
	stamps             []stamp // of each operation
	untimed, unindexed bool    // some entry lacks :time, or :index
}

// caller is who has called an operation: where objects have keys, a process has
// its identity within an object.
type caller struct{ process, key uint32 }

// invoked is an operation that has not come back yet.
type invoked struct {
	at    int
	value ednValue
}

// stamp holds the three times that an operation's call and return may have:
// by :time, by :index, by place.
type stamp struct{ call, ret [3]uint64 }

// entry is one map of the file.
type entry struct {
	line                            int
	typ, f, value, process, failure ednValue
	time, index, key                ednValue
}

// entries reads them all.
func (j *jepsen) entries() error {
	end, inVector := byte(0), false
	for {
		c, err := j.edn.skip()
		switch {
		case err == io.EOF && inVector:
			return ednFail("the file ends within a vector: expected %q", string(end))
		case err == io.EOF && j.n == 0:
			return &InputError{File: j.name, Msg: "the file has no entries: expected maps as in {:type :invoke, :f :enqueue, :value 1, :process 0}"}
		case err == io.EOF:
			return nil
		case err != nil:
			return j.readError(err)
		case (c == '[' || c == '(') && !inVector && j.n == 0:
			inVector, end = true, closing(c)
			continue
		case c == end && inVector:
			return j.nothingMore()
		}
		v, err := j.edn.value(c)
		if err != nil {
			return j.readError(err)
		}
		if err := j.entry(v); err != nil {
			return err
		}
		j.n++
	}
}

func (j *jepsen) readError(err error) error {
	var notation *ednError
	if errors.As(err, &notation) {
		return err
	}
	return j.fail(0, "%s", unreadable(err))
}

func closing(c byte) byte {
	if c == '(' {
		return ')'
	}
	return ']'
}

func (j *jepsen) nothingMore() error {
	c, err := j.edn.skip()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		return j.readError(err)
	}
	return ednFail("expected nothing behind the vector, found %q", string(c))
}

func (j *jepsen) entry(v ednValue) error {
	if v.kind == ednOther && (v.text == "INFO" || v.text == "WARN" || v.text == "DEBUG") {
		return j.fail(v.line, "this is a line of Jepsen's log: expected its history, maps as in {:type :invoke, :f :enqueue, :value 1, :process 0} (history.edn in the same folder)")
	}
	if v.kind != ednMap {
		return j.fail(v.line, "expected a map, as in {:type :invoke, :f :enqueue, :value 1, :process 0}, found %s", v)
	}
	e := entry{line: v.line}
	seen := map[string]bool{}
	fields := map[string]*ednValue{"type": &e.typ, "f": &e.f, "value": &e.value, "process": &e.process, "error": &e.failure, "time": &e.time, "index": &e.index, "key": &e.key}
	for i := 0; i < len(v.items); i += 2 {
		key := v.items[i]
		field := fields[key.text]
		if key.kind != ednKeyword || field == nil {
			continue
		}
		if seen[key.text] {
			return j.fail(v.line, "the field :%s is given twice", key.text)
		}
		seen[key.text] = true
		*field = v.items[i+1]
	}
	if e.process.kind == ednKeyword && strings.HasPrefix(e.process.text, "nemesis") {
		return nil
	}
	return j.event(e)
}

func (j *jepsen) event(e entry) error {
	process, err := j.number(e.line, "process", e.process, math.MaxUint32)
	if err != nil {
		return err
	}
	if e.f.kind != ednKeyword {
		return j.fail(e.line, ":f: expected a keyword, as in :enqueue, found %s", e.f)
	}
	op, err := opNamed(j.h.Kind, e.f.text)
	if err != nil {
		return j.fail(e.line, ":f: %v%s", err, whatElse(e.f.text))
	}
	who := caller{process: uint32(process)}
	if who.key, err = j.key(e); err != nil {
		return err
	}
	times, err := j.times(e)
	if err != nil {
		return err
	}
	if e.typ.kind != ednKeyword {
		return j.fail(e.line, ":type: expected :invoke, :ok, :fail or :info, found %s", e.typ)
	}
	if e.typ.text == "invoke" {
		return j.invoke(e, op, who, times)
	}
	return j.complete(e, op, who, times)
}

func (j *jepsen) invoke(e entry, op model.Op, who caller, times [3]uint64) error {
	if before, busy := j.open[who]; busy {
		return j.fail(e.line, "process %d calls %s, but its %s of line %d has not completed", who.process, op, j.h.Ops[before.at].Op, j.h.Ops[before.at].Line)
	}
	o := model.Operation{Object: who.key, Process: who.process, Op: op, Value: model.NoValue, Return: model.Never, Line: uint32(e.line)}
	if e.value.kind != ednNil {
		if err := j.setValue(&o, e.line, e.value); err != nil {
			return err
		}
	}
	at, err := j.add(o)
	j.open[who] = invoked{at, e.value}
	j.stamps = append(j.stamps, stamp{call: times})
	j.dropped = append(j.dropped, false)
	return err
}

func (j *jepsen) complete(e entry, op model.Op, who caller, times [3]uint64) error {
	call, busy := j.open[who]
	if !busy {
		return j.fail(e.line, "process %d completes %s by :%s, but has called nothing%s", who.process, op, e.typ.text, j.onKey(who))
	}
	o := &j.h.Ops[call.at]
	if o.Op != op {
		return j.fail(e.line, "process %d completes %s, but has called %s on line %d", who.process, op, o.Op, o.Line)
	}
	delete(j.open, who)
	j.stamps[call.at].ret = times
	switch e.typ.text {
	case "info":
		return nil
	case "ok":
		o.Result, o.Return = model.OK, 0
		return j.completed(o, e)
	case "fail":
		o.Return = 0
		var err error
		if o.Result, err = j.failure(op, e); err != nil {
			return err
		}
		// what failed claims nothing: an abort says so, a put has no such result
		j.dropped[call.at] = !j.h.Kind.Allows(op, o.Result)
		return nil
	}
	return j.fail(e.line, ":type: expected :invoke, :ok, :fail or :info, found %s", e.typ)
}
