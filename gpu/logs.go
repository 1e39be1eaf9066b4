package gpu

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"sync"

	"stealproof/model"
)

// guardError is a kernel that wrote where it must not.
type guardError struct{ Msg string }

func (e *guardError) Error() string { return e.Msg }

// processLog is what one process left behind.
type processLog struct {
	state   uint32
	count   int // records
	pauses  int // of them
	dropped uint64
	begin   uint64
	records []byte
}

// readLog checks the guards and finds the records; after a hang their number is
// not known and the first empty one ends them.
func (l *layout) readLog(log []byte, process int) (processLog, error) {
	at := log[uint64(process)*l.logStride:][:l.logStride]
	p := processLog{
		count:   int(binary.LittleEndian.Uint32(at[16:])),
		state:   binary.LittleEndian.Uint32(at[20:]),
		dropped: binary.LittleEndian.Uint64(at[24:]),
		begin:   binary.LittleEndian.Uint64(at[32:]),
		records: at[headBytes:],
	}
	object, number := process/l.Processes, process%l.Processes
	if p.state == stateIdle {
		return p, nil
	}
	if g := binary.LittleEndian.Uint64(at); g != guardWord ||
		binary.LittleEndian.Uint32(at[8:]) != uint32(object) || binary.LittleEndian.Uint32(at[12:]) != uint32(number) {
		return p, &guardError{fmt.Sprintf("the log of process %d of object %d was overwritten: the kernel writes outside of its memory", number, object)}
	}
	capacity := l.capacity()
	for _, b := range at[headBytes+capacity*recordBytes:] {
		if b != 0 {
			return p, &guardError{fmt.Sprintf("something was written behind the log of process %d of object %d: the kernel writes outside of its memory", number, object)}
		}
	}
	if p.count > capacity {
		return p, &guardError{fmt.Sprintf("the log of process %d of object %d claims %d records where there is room for %d", number, object, p.count, capacity)}
	}
	if p.state == stateStarted {
		p.count = 0
		for p.count < capacity && p.what(p.count) != 0 {
			p.count++
		}
	}
	if l.config.Kind == model.Bag {
		for i := range p.count {
			if p.what(i)&15 == opPause {
				p.pauses++
			}
		}
	}
	return p, nil
}

// what is the last word of a record: op, result, size, and the upper part of
// the stamp.
func (p *processLog) what(i int) uint32 {
	return binary.LittleEndian.Uint32(p.records[i*recordBytes+12:])
}

// stamp is when a record was written: 48 bits of the clock, of which the rest
// follows from what was before.
func (p *processLog) stamp(i int, before uint64) uint64 {
	const round = 1 << 48
	t := before&^(round-1) | uint64(p.what(i)>>16)<<32 | uint64(binary.LittleEndian.Uint32(p.records[i*recordBytes+8:]))
	if t < before {
		t += round
	}
	return t
}

// history reads all logs of a launch.
func (l *layout) history(log []byte) (*model.History, uint64, string, error) {
	logs := make([]processLog, l.processes())
	first := make([]int, len(logs)+1)
	var dropped uint64
	hang := ""
	for i := range logs {
		p, err := l.readLog(log, i)
		if err != nil {
			return nil, 0, "", err
		}
		logs[i] = p
		dropped += p.dropped
		first[i+1] = first[i] + p.count - p.pauses
		if hang == "" {
			hang = hangOf(p.state, i/l.Processes, i%l.Processes)
		}
	}
	h := &model.History{Kind: l.config.Kind, Params: l.config.Params, Clock: model.Clock{Source: "globaltimer", Unit: "ns", Resolution: l.Resolution}}
	h.Ops = make([]model.Operation, first[len(logs)])
	each(len(logs), func(i int) { l.readRecords(h.Ops[first[i]:first[i+1]], &logs[i], i) })
	return h, dropped, hang, nil
}

func hangOf(state uint32, object, process int) string {
	switch state {
	case stateStuck:
		return fmt.Sprintf("process %d of object %d gave up waiting", process, object)
	case stateLate:
		return "not all processes were resident at once"
	case stateStarted:
		return fmt.Sprintf("process %d of object %d did not end", process, object)
	}
	return ""
}

// each runs f for 0 to n-1 on all processors.
func each(n int, f func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	wg.Wait()
}

// readRecords turns the records of a process into operations. Each was called
// when the one before it had returned, or as much later as processes wait.
func (l *layout) readRecords(ops []model.Operation, p *processLog, process int) {
	called, stamp, n := p.begin, p.begin, 0
	for i := range p.count {
		stamp = p.stamp(i, stamp)
		if p.what(i)&15 == opPause && l.config.Kind == model.Bag {
			called = stamp
			continue
		}
		o := &ops[n]
		n++
		o.Object, o.Process = uint32(process/l.Processes), uint32(process%l.Processes)
		o.Call, o.Return = called, stamp+l.Spread
		l.readOperation(o, p.what(i), binary.LittleEndian.Uint64(p.records[i*recordBytes:]))
		called = stamp + l.apart()
	}
}

func (l *layout) readOperation(o *model.Operation, what uint32, value uint64) {
	o.Op, o.Result, o.Value = model.Op(what&15), model.Result(what>>4&15), value
	if l.config.Kind == model.Range {
		o.Value, o.To = l.index(value), l.index(value>>32)
		if o.To <= o.Value {
			o.To += 1 << 32
		}
		if !o.Op.Puts() {
			o.Size = uint64(what >> 8 & 255)
		}
	}
	if o.Result == model.Unknown {
		o.Return = model.Never
	}
	if !o.TakesOut() && !o.Op.Puts() {
		o.Value, o.To = model.NoValue, 0
	} else {
		o.Value = min(o.Value, model.MaxValue) // nobody put in more: still invented
	}
}

// index is the one of 32 bits that was meant: they go round, but not by more
// than once above the lowest.
func (l *layout) index(i uint64) uint64 {
	return l.config.Lowest + uint64(uint32(i)-uint32(l.config.Lowest))
}

// checkMemory looks whether the bytes behind every object are untouched.
func (l *layout) checkMemory(memory []byte, objectBytes uint64) error {
	for object := range l.Objects {
		behind := memory[uint64(object)*l.objectStride+objectBytes : uint64(object+1)*l.objectStride]
		for i, b := range behind {
			if b != memoryGuardByte {
				return &guardError{fmt.Sprintf("%d bytes behind object %d were written: the kernel writes outside of its memory", i, object)}
			}
		}
	}
	return nil
}
