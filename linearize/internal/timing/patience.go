package timing

import "context"

// Patience is how long a checker goes on: until nobody waits for it any more. Every loop
// that may take long counts its steps with it. How many these were is what the tests
// look at, rather than times.
type Patience struct {
	ctx   context.Context // of the one call that it is made for
	Steps int
	asked int // after how many steps
	over  bool
}

// askEvery so many steps somebody is asked.
const askEvery = 4096

// NewPatience is that of a call.
func NewPatience(ctx context.Context) *Patience { return &Patience{ctx: ctx} }

// Step counts some steps, and says whether it is over.
func (p *Patience) Step(steps int) bool {
	p.Steps += steps
	if p.Steps-p.asked < askEvery {
		return p.over
	}
	return p.Over()
}

// Over asks at once.
func (p *Patience) Over() bool {
	p.asked = p.Steps
	p.over = p.over || p.ctx.Err() != nil
	return p.over
}
