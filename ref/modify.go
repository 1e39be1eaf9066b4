package ref

// Change says what an atomic access makes of what a location holds, and of the
// access's operand. It does nothing else, and makes the same of the same.
type Change func(held, operand uint64) uint64

// The atomics of GPUs, of unsigned numbers of 64 bits.
var (
	Exchange Change = func(_, operand uint64) uint64 { return operand }
	And      Change = func(held, operand uint64) uint64 { return held & operand }
	Or       Change = func(held, operand uint64) uint64 { return held | operand }
	Xor      Change = func(held, operand uint64) uint64 { return held ^ operand }
	Min      Change = func(held, operand uint64) uint64 { return min(held, operand) }
	Max      Change = func(held, operand uint64) uint64 { return max(held, operand) }
	// Increment counts up to the operand, and begins anew at 0.
	Increment Change = func(held, operand uint64) uint64 {
		if held >= operand {
			return 0
		}
		return held + 1
	}
	// Decrement counts down to 0, and begins anew at the operand, as it does
	// where it finds more than that.
	Decrement Change = func(held, operand uint64) uint64 {
		if held == 0 || held > operand {
			return operand
		}
		return held - 1
	}
)

func (p *process) Modify(l Location, operand uint64, change Change, a Access) uint64 {
	p.unwind()
	e := request{Kind: Modify, Location: l, Access: a, Expected: operand}
	if p.sim.weak != nil {
		return p.weakAtomic(e, func(v uint64) (uint64, bool) { return change(v, operand), true })
	}
	p.access(e)
	before := p.sim.words[l]
	p.sim.words[l] = change(before, operand)
	p.done(before, p.sim.words[l])
	return before
}

func (p *nativeProcess) Modify(l Location, operand uint64, change Change, _ Access) uint64 {
	p.pause()
	for {
		before := p.run.words[l].Load()
		if p.run.words[l].CompareAndSwap(before, change(before, operand)) {
			return before
		}
	}
}

func (h hostMemory) Modify(l Location, operand uint64, change Change, _ Access) uint64 {
	before := h.words[l]
	h.words[l] = change(before, operand)
	return before
}
