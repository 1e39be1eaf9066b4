package timing

import "stealproof/model"

// Survey is what one look at all operations tells: how much room everything
// needs, and whether the simple case is at hand.
type Survey struct {
	early, Late uint64 // times, but for Never
	Processes   uint32 // the largest number
	Puts        int    // that brought a value in, or may have
	Low, High   uint64 // values that were put in
	Takes       int    // removals with a value
	Empties     int
	Free        int  // operations that claim nothing
	Refused     int  // puts among them
	Owned       int  // operations that are not steals
	Mixed       bool // there are several objects, and nothing else here holds
	inOrder     bool // the operations of each process stand in their order
	tied        bool // two of a process tie; only known if they are in order
}

// NewSurvey looks at the operations of one object; of several it says only that they are.
func NewSurvey(ops []model.Operation) *Survey {
	s := &Survey{early: model.Never, Low: model.NoValue, inOrder: true}
	var count [model.Phase + 1][model.Abort + 1]int
	last := lastTimes{}
	for i := range ops {
		o := &ops[i]
		if o.Object != ops[0].Object {
			s.Mixed = true
			return s
		}
		s.early = min(s.early, o.Call)
		if o.Return != model.Never {
			s.Late = max(s.Late, o.Return)
		} else if o.Call != model.Never {
			s.Late = max(s.Late, o.Call)
		}
		s.Processes = max(s.Processes, o.Process)
		count[o.Op][o.Result]++
		if o.PutsIn() {
			s.Low, s.High = min(s.Low, o.Value), max(s.High, o.Value)
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

func (s *Survey) add(op model.Op, n *[model.Abort + 1]int) {
	if op.Puts() {
		s.Puts += n[model.OK] + n[model.Unknown]
		s.Refused += n[model.Full]
	} else {
		s.Takes += n[model.OK]
	}
	if op != model.Steal {
		s.Owned += n[model.OK] + n[model.Empty] + n[model.Full] + n[model.Abort] + n[model.Unknown]
	}
	s.Empties += n[model.Empty]
	s.Free += n[model.Abort] + n[model.Full]
}

// stamps makes stamps for n operations. It fails if a time and an index do not
// fit a word; see withRanks.
func (s *Survey) stamps(n int) (Clock, bool) { return NewClock(s.early, max(s.early, s.Late), n) }

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
