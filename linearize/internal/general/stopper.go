package general

import (
	"sync/atomic"
	"time"
)

// Stopper tells a search to give up, and why. Searches ask it at every step.
type Stopper struct {
	// Deadline is when the search gives up by itself, if it is set. It ends at
	// once then; when stopped it still has to go back all the way it came.
	Deadline time.Time
	Granted  time.Duration // where its own limit made the deadline
	Most     int64         // after so much work it gives up as well; 0: never

	flag  atomic.Bool
	why   atomic.Pointer[string]
	Steps atomic.Int64 // how many positions the search remembers, roughly
	Done  atomic.Int64 // how much it did, of most
}

func (s *Stopper) stopped() bool { return s.flag.Load() }

// left is the time to the deadline, at least a moment; 0 means no limit.
func (s *Stopper) left() time.Duration {
	if s.Deadline.IsZero() {
		return 0
	}
	return max(time.Until(s.Deadline), time.Nanosecond)
}

// Grant bounds the time of a search from now on, if no deadline comes before.
func (s *Stopper) Grant(limit time.Duration) {
	if end := time.Now().Add(limit); s.Deadline.IsZero() || end.Before(s.Deadline) {
		s.Deadline, s.Granted = end, limit
	}
}

// Stop keeps the first reason.
func (s *Stopper) Stop(why string) {
	s.why.CompareAndSwap(nil, &why)
	s.flag.Store(true)
}

// Reason is why the search was told to give up; empty if it was not.
func (s *Stopper) Reason() string {
	if why := s.why.Load(); why != nil {
		return *why
	}
	return ""
}

func (s *Stopper) count() {
	s.Steps.Add(1)
	s.work(1)
}

// work counts what else takes time: a step with many states takes more of it.
func (s *Stopper) work(n int) {
	if s.Most > 0 && s.Done.Add(int64(n)) >= s.Most {
		s.Stop("the search took too many steps")
	}
}
