package litmus

// liveRegisters says, for each instruction of a thread and for its end, which
// registers still matter there: those that may be used before they are set
// again, or that are looked at in the end.
func (t *Test) liveRegisters(thread int, observed []Variable) [][]bool {
	th := &t.Threads[thread]
	live := make([][]bool, len(th.Code)+1)
	for i := range live {
		live[i] = make([]bool, len(th.Registers))
	}
	for _, v := range observed {
		if v.Thread != thread {
			continue
		}
		live[len(th.Code)][v.Index] = true
		for at, i := range th.Code { // a thread may wait there for ever
			live[at][v.Index] = live[at][v.Index] || i.Op == Sync && i.HasQuorum
		}
	}
	for changed := true; changed; {
		changed = false
		for at := len(th.Code) - 1; at >= 0; at-- {
			for r := range th.Registers {
				if !live[at][r] && th.Code[at].needs(r, at, live) {
					live[at][r], changed = true, true
				}
			}
		}
	}
	return live
}

// needs says whether a register matters before the instruction.
func (i *Instruction) needs(register, at int, live [][]bool) bool {
	for _, o := range [...]struct {
		is bool
		Operand
	}{{i.usesA(), i.A}, {i.usesB(), i.B}, {i.HasID, i.ID}, {i.HasQuorum, i.Quorum}} {
		if o.is && o.IsRegister && o.Register == register {
			return true
		}
	}
	switch {
	case i.Op == Goto:
		return live[i.Target][register]
	case i.Op == Branch:
		return live[i.Target][register] || live[at+1][register]
	case i.setsRegister() && i.Register == register:
		return false
	}
	return live[at+1][register]
}

// setsRegister says whether Register is one that takes a result.
func (i *Instruction) setsRegister() bool {
	switch i.Op {
	case Load, Move, Compute, Atomic, Exchange, Compare:
		return true
	}
	return false
}

func (i *Instruction) usesA() bool {
	switch i.Op {
	case Store, Move, Compute, Atomic, Exchange, Compare, Branch:
		return true
	}
	return false
}

func (i *Instruction) usesB() bool {
	return i.Op == Compute || i.Op == Compare || i.Op == Branch
}
