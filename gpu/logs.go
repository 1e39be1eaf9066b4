package gpu

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"sync"

	"stealproof/model"
)

// GuardError is a kernel that wrote where it must not.
type GuardError struct{ Msg string }

func (e *GuardError) Error() string { return e.Msg }

// processLog is what one process left behind.
type processLog struct {
	state   uint32
	count   int
	dropped uint64
	place   uint32
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
		place:   binary.LittleEndian.Uint32(at[48:]),
		records: at[headBytes:],
	}
	object, number := process/l.Processes, process%l.Processes
	if p.state == stateIdle {
		return p, nil
	}
	if g := binary.LittleEndian.Uint64(at); g != guardWord ||
		binary.LittleEndian.Uint32(at[8:]) != uint32(object) || binary.LittleEndian.Uint32(at[12:]) != uint32(number) {
		return p, &GuardError{fmt.Sprintf("the log of process %d of object %d was overwritten: the kernel writes outside of its memory", number, object)}
	}
	capacity := l.Operations
	if l.Unlogged {
		capacity = 0
	}
	for _, b := range at[headBytes+capacity*recordBytes:] {
		if b != 0 {
			return p, &GuardError{fmt.Sprintf("something was written behind the log of process %d of object %d: the kernel writes outside of its memory", number, object)}
		}
	}
	if p.count > capacity {
		return p, &GuardError{fmt.Sprintf("the log of process %d of object %d claims %d records where there is room for %d", number, object, p.count, capacity)}
	}
	if p.state == stateStarted {
		p.count = 0
		for p.count < capacity && binary.LittleEndian.Uint64(p.records[p.count*recordBytes:]) != 0 {
			p.count++
		}
	}
	return p, nil
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
		first[i+1] = first[i] + p.count
		if hang == "" {
			hang = hangOf(p.state, i/l.Processes, i%l.Processes)
		}
	}
	h := &model.History{Kind: l.config.Kind, Params: l.config.Params, Clock: model.Clock{Source: "globaltimer", Unit: "ns", Resolution: l.Resolution}}
	h.Ops = make([]model.Operation, first[len(logs)])
	each(len(logs), func(i int) { l.readRecords(h.Ops[first[i]:first[i+1]], logs[i].records, i) })
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

// readRecords turns the records of a process into operations.
func (l *layout) readRecords(ops []model.Operation, records []byte, process int) {
	for i := range ops {
		r := records[i*recordBytes:][:recordBytes]
		o := &ops[i]
		o.Object, o.Process = uint32(process/l.Processes), uint32(process%l.Processes)
		o.Call = binary.LittleEndian.Uint64(r)
		o.Value = binary.LittleEndian.Uint64(r[8:])
		took := binary.LittleEndian.Uint32(r[16:])
		o.Op, o.Result = model.Op(r[20]), model.Result(r[21])
		o.Return = o.Call + uint64(took)
		if took == math.MaxUint32 {
			o.Return = model.Never // that long or longer; cut short by the next call below
		}
		if l.config.Kind == model.Range {
			o.To, o.Value = o.Value>>32, o.Value&math.MaxUint32
			if o.To <= o.Value {
				o.To += 1 << 32 // indices of 32 bits went round
			}
			o.Size = uint64(binary.LittleEndian.Uint16(r[22:]))
			if o.Op.Puts() {
				o.Size = 0
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
	l.widen(ops)
}

// widen adds the spread of the clocks to every return, as far as the process's
// next call allows. What took longer than a record can say returned before the
// next call, or before the launch was over.
func (l *layout) widen(ops []model.Operation) {
	for i := range ops {
		o := &ops[i]
		if o.Result == model.Unknown || o.Return != model.Never && l.Spread == 0 {
			continue
		}
		stamped, limit := o.Return, o.Call+math.MaxUint32+uint64(l.Timeout.Nanoseconds())
		if i+1 < len(ops) {
			limit = ops[i+1].Call
		}
		if stamped == model.Never {
			o.Return = max(o.Call, limit)
			continue
		}
		o.Return = max(stamped, min(stamped+l.Spread, limit))
	}
}

// checkMemory looks whether the bytes behind every object are untouched.
func (l *layout) checkMemory(memory []byte, objectBytes uint64) error {
	for object := range l.Objects {
		behind := memory[uint64(object)*l.objectStride+objectBytes : uint64(object+1)*l.objectStride]
		for i, b := range behind {
			if b != memoryGuardByte {
				return &GuardError{fmt.Sprintf("%d bytes behind object %d were written: the kernel writes outside of its memory", i, object)}
			}
		}
	}
	return nil
}
