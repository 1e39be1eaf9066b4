package ref

// order is the access with the order and the scope that the patch leaves it.
func (m *patchMemory) order(k AccessKind, a Access, e *edit) Access {
	before := a
	switch e.how {
	case weaken:
		a.Order = weaker(k, a.Order)
	case unorder:
		// what is one step away is the mutant "weaker" already
		if o := weakest(k); o != weaker(k, a.Order) {
			a.Order = o
		}
	case narrow:
		if a.Order != Weak { // a weak access has no scope
			a.Scope = Block
		}
	}
	if a != before {
		m.notice()
	}
	return a
}

// weaker is the next weaker order that a kind of access has.
func weaker(k AccessKind, o Order) Order {
	switch {
	case o == weakest(k) || o == Weak:
		return o
	case o == SC && k == Load:
		return Acquire
	case o == SC && k == Store:
		return Release
	case o == SC:
		return AcqRel
	case k == Fence:
		return Weak
	case o == Relaxed:
		return Weak
	}
	return Relaxed
}

// weakest is the order of an access without any: an atomic is never weak.
func weakest(k AccessKind) Order {
	if k == CompareAndSwap || k == FetchAdd || k == Modify {
		return Relaxed
	}
	return Weak
}
