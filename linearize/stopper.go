package linearize

import (
	"sync/atomic"
	"time"
)

// stopper tells a search to give up, and why. Searches ask it at every step.
type stopper struct {
	// deadline is when the search gives up by itself, if it is set. It ends at
	// once then; when stopped it still has to go back all the way it came.
	deadline time.Time
	granted  time.Duration // where its own limit made the deadline
	most     int64         // after so much work it gives up as well; 0: never

	flag  atomic.Bool
	why   atomic.Pointer[string]
	steps atomic.Int64 // how many places the search remembers, roughly
	done  atomic.Int64 // how much it did, of most
}

func (s *stopper) stopped() bool { return s.flag.Load() }

// left is the time to the deadline, at least a moment; 0 means no limit.
func (s *stopper) left() time.Duration {
	if s.deadline.IsZero() {
		return 0
	}
	return max(time.Until(s.deadline), time.Nanosecond)
}

// grant bounds the time of a search from now on, if no deadline comes before.
func (s *stopper) grant(limit time.Duration) {
	if end := time.Now().Add(limit); s.deadline.IsZero() || end.Before(s.deadline) {
		s.deadline, s.granted = end, limit
	}
}

// stop keeps the first reason.
func (s *stopper) stop(why string) {
	s.why.CompareAndSwap(nil, &why)
	s.flag.Store(true)
}

func (s *stopper) reason() string {
	if why := s.why.Load(); why != nil {
		return *why
	}
	return ""
}

func (s *stopper) count() {
	s.steps.Add(1)
	s.work(1)
}

// work counts what else takes time: a step with many states takes more of it.
func (s *stopper) work(n int) {
	if s.most > 0 && s.done.Add(int64(n)) >= s.most {
		s.stop("the search took too many steps")
	}
}
