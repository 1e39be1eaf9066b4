package axioms

// Proxies, since PTX 7.5. Memory may be reached through several proxies and, by
// aliases, under several virtual addresses. Only what the causality of one access
// to another is kept by says that the second sees the first. The rules for
// virtual aliases are those of the ISA, section "Causality Order"; those for the
// fences of the constant, surface and texture proxies are those of "Mixed-Proxy
// Extensions for the NVIDIA PTX Memory Consistency Model" (Lustig, Cooksey and
// Giroux, ISCA 2022), which the ISA has taken its own from. The other models know
// one way to memory alone.

func (x *Execution) sameAddressAndProxy(i, j int) bool {
	return x.sameAddress.Has(i, j) && x.Graph.Events[i].Proxy == x.Graph.Events[j].Proxy
}

func (x *Execution) sameBlock(i, j int) bool {
	a, b := x.Graph.Events[i].Thread, x.Graph.Events[j].Thread
	return a != Initial && b != Initial && x.Graph.Places[a] == x.Graph.Places[b]
}

// keptByProxies are the pairs of events between which base causality and program
// order are causality: all but accesses of one location, and of those the ones
//   - of one address, through one proxy, by one block,
//   - of one address, where each that does not take the generic proxy has a fence
//     of its proxy, of its block, on the way (the first behind it, the second
//     before it),
//   - of two addresses, likewise, with an alias fence on the way between.
func (x *Execution) keptByProxies() Rel {
	before := x.base.or(x.po)
	generic := x.those(func(e *Event) bool { return e.Accesses() && e.Proxy == Generic })
	ownFence := x.pairs(func(i, j int) bool { // an access, and a fence of its proxy and block
		a, b := &x.Graph.Events[i], &x.Graph.Events[j]
		return a.Accesses() && b.Kind == ProxyFence && a.Proxy == b.Proxy && x.sameBlock(i, j)
	})
	leaves := generic.or(before.and(ownFence))
	enters := generic.or(before.and(ownFence.inverse()))
	alias := x.those(func(e *Event) bool { return e.Kind == AliasFence })
	oneBlock := before.and(x.pairs(func(i, j int) bool { return x.sameAddressAndProxy(i, j) && x.sameBlock(i, j) }))
	oneAddress := leaves.then(before, enters).and(x.sameAddress)
	twoAddresses := leaves.then(before, alias, before, enters).and(x.sameLocation)
	return x.pairs(func(i, j int) bool { return !x.sameLocation.Has(i, j) }).or(oneBlock, oneAddress, twoAddresses)
}

// keeps says whether causality from one event to another is kept.
func (x *Execution) keeps(from, to int) bool { return !x.hasProxies || x.kept.Has(from, to) }
