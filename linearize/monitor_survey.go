package linearize

import "stealproof/model"

// survey is what one look at all operations tells: how much room everything
// needs.
type survey struct {
	early, late uint64 // times, but for Never
	processes   uint32 // the largest number
	puts        int    // that brought a value in, or may have
	low, high   uint64 // values that were put in
	takes       int    // removals with a value
	empties     int
	free        int // operations that claim nothing
	owned       int // operations that are not steals
}

func newSurvey(ops []model.Operation) *survey {
	s := &survey{early: model.Never, low: model.NoValue}
	var count [model.Phase + 1][model.Abort + 1]int
	for i := range ops {
		o := &ops[i]
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
	}
	for op := range count {
		n := &count[op]
		if model.Op(op).Puts() {
			s.puts += n[model.OK] + n[model.Unknown]
		} else {
			s.takes += n[model.OK]
		}
		if model.Op(op) != model.Steal {
			s.owned += n[model.OK] + n[model.Empty] + n[model.Full] + n[model.Abort] + n[model.Unknown]
		}
		s.empties += n[model.Empty]
		s.free += n[model.Abort] + n[model.Full]
	}
	return s
}

// stamps makes stamps for n operations. It fails if a time and an index do not
// fit a word; see withRanks.
func (s *survey) stamps(n int) (stamps, bool) { return newStamps(s.early, max(s.early, s.late), n) }
