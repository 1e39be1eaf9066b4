package linearize

import "stealproof/model"

// survey is what one look at all operations tells: how much room everything
// needs, and whether the simple case is at hand.
type survey struct {
	early, late uint64 // times, but for Never
	processes   uint32 // the largest number
	puts        int    // that brought a value in, or may have
	low, high   uint64 // values that were put in
	takes       int    // removals with a value
	empties     int
	free        int  // operations that claim nothing
	refused     int  // puts among them
	owned       int  // operations that are not steals
	mixed       bool // there are several objects, and nothing else here holds
	inOrder     bool // the operations of each process stand in their order
	tied        bool // two of a process tie; only known if they are in order
}

func newSurvey(ops []model.Operation) *survey {
	s := &survey{early: model.Never, low: model.NoValue, inOrder: true}
	var count [model.Phase + 1][model.Abort + 1]int
	last := lastTimes{}
	for i := range ops {
		o := &ops[i]
		if o.Object != ops[0].Object {
			s.mixed = true
			return s
		}
		s.early = min(s.early, o.Call)
		if o.Return != model.Never {
			s.late = max(s.late, o.Return)
		} else if o.Call != model.Never {
			s.late = max(s.late, o.Call)
		}
		s.processes = max(s.processes, o.Process)
		count[o.Op][o.Result]++
		if o.PutsIn() {
			s.low, s.high = min(s.low, o.Value), max(s.high, o.Value)
		}
		before := last.of(o.Process)
		if before.any {
			s.tied = s.tied || before.ret == o.Call
			s.inOrder = s.inOrder && (before.call < o.Call || before.call == o.Call && before.ret <= o.Return)
		}
		*before = lastTime{o.Call, o.Return, true}
	}
	for op := range count {
		s.add(model.Op(op), &count[op])
	}
	return s
}

func (s *survey) add(op model.Op, n *[model.Abort + 1]int) {
	if op.Puts() {
		s.puts += n[model.OK] + n[model.Unknown]
		s.refused += n[model.Full]
	} else {
		s.takes += n[model.OK]
	}
	if op != model.Steal {
		s.owned += n[model.OK] + n[model.Empty] + n[model.Full] + n[model.Abort] + n[model.Unknown]
	}
	s.empties += n[model.Empty]
	s.free += n[model.Abort] + n[model.Full]
}

// stamps makes stamps for n operations. It fails if a time and an index do not
// fit a word; see withRanks.
func (s *survey) stamps(n int) (stamps, bool) { return newStamps(s.early, max(s.early, s.late), n) }

// lastTimes are the times of the last operation of every process.
type lastTimes struct {
	dense  []lastTime
	sparse map[uint32]*lastTime
}

type lastTime struct {
	call, ret uint64
	any       bool
}

// fewProcesses have their places in a table.
const fewProcesses = 1 << 16

func (l *lastTimes) of(process uint32) *lastTime {
	if process < uint32(len(l.dense)) {
		return &l.dense[process]
	}
	if process < fewProcesses {
		l.dense = append(l.dense, make([]lastTime, max(int(process)+1, 2*len(l.dense))-len(l.dense))...)
		return &l.dense[process]
	}
	if l.sparse == nil {
		l.sparse = map[uint32]*lastTime{}
	}
	t := l.sparse[process]
	if t == nil {
		t = &lastTime{}
		l.sparse[process] = t
	}
	return t
}
