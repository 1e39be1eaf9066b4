package linearize

import "sync/atomic"

// stopper tells a search to give up, and why. Searches ask it at every step.
type stopper struct {
	flag  atomic.Bool
	why   atomic.Pointer[string]
	steps atomic.Int64 // how many places the search remembers, roughly
}

func (s *stopper) stopped() bool { return s.flag.Load() }

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

func (s *stopper) count() { s.steps.Add(1) }
