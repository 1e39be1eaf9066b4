package ref

import (
	"fmt"
	"slices"
	"sync/atomic"

	"stealproof/model"
)

// patch is what is changed in the text of an algorithm, from outside, to see
// whether somebody notices: a planted defect, or a mutant. The text knows nothing
// of it. A memory between the algorithm and the one that it runs on makes the
// accesses as the patch has them (patch_memory.go).
type patch []change

// change says what becomes of some accesses. The functions below make changes.
type change struct {
	how   how
	sites []string // the accesses, as Design.Sites names them
	// with are further sites: those with which the accesses change places, or
	// whose value takes the place of another.
	with []string
	// word and kind narrow a site that makes several accesses; word also says
	// what is accessed where that has to be known early.
	word  string
	kind  []AccessKind
	inOp  model.Op // only in this operation, if not 0
	value uint64
	most  string // the setting that bounds the value
	bits  string // the setting that has the number of bits of the value

	result, becomes model.Result
}

// how is the kind of a change. The first ones are those of Operators.
type how string

const (
	drop      how = "drop"
	reuse     how = "reuse"
	twice     how = "twice"
	plus      how = "plus"
	uncounted how = "uncounted"
	late      how = "late" // behind the next access
	blind     how = "blind"
	never     how = "never"
	split     how = "split"
	weaken    how = "weaker"
	unorder   how = "weakest"
	narrow    how = "narrower"

	behind       how = "behind" // late, behind a certain site or to the end
	early        how = "early"  // before or behind a certain site
	tell         how = "tell"   // the access is made, but the text is told something else
	tellUpperEnd how = "tell upper end"
	put          how = "put"      // a store stores something else
	instead      how = "instead"  // another access is made
	answer       how = "answer"   // the operation comes back with something else
	constant     how = "constant" // a number of the text is another one
	more         how = "more"     // a number of the text is larger
)

// unbounded is a number that nothing reaches.
const unbounded = ^uint64(0)

// leaveOut leaves out accesses: a load gives 0, a swap claims to have swapped.
func leaveOut(sites ...string) change { return change{how: drop, sites: sites} }

// leaveOutAs leaves out a load, which gives a value all the same.
func leaveOutAs(value uint64, site string) change {
	return change{how: drop, sites: []string{site}, value: value}
}

// fromRegister gives, instead of a load, what the operation saw or stored there
// last.
func fromRegister(sites ...string) change { return change{how: reuse, sites: sites} }

// storeOnly makes a swap a plain store, which always succeeds.
func storeOnly(site string) change { return change{how: blind, sites: []string{site}} }

// inTwoSteps makes a swap or an addition a load and then a store, as sites of
// their own if some are named.
func inTwoSteps(site string, steps ...string) change {
	return change{how: split, sites: []string{site}, with: steps}
}

// moveBehind makes stores, fences and at most one load late: behind a site. The
// value of the load must do nothing but come out of the operation.
func moveBehind(site string, sites ...string) change {
	return change{how: behind, sites: sites, with: []string{site}}
}

// moveToTheEnd makes stores and fences late: the last of the operation.
func moveToTheEnd(sites ...string) change { return change{how: behind, sites: sites} }

// loadEarly makes a load of a word early: before the first of some sites that
// all come before it. A load, a store or a swap can be such a site.
func loadEarly(site, word string, before ...string) change {
	return change{how: early, sites: []string{site}, word: word, kind: []AccessKind{Load}, with: before}
}

// storeEarly makes a store of a value early: directly behind a site that has
// taken effect.
func storeEarly(site, word string, value uint64, behind string) change {
	return change{how: early, sites: []string{site}, word: word, kind: []AccessKind{Store}, value: value, with: []string{behind}}
}

// offBy adds to what is read, stored or added.
func offBy(n int, site string) change {
	return change{how: plus, sites: []string{site}, value: uint64(n)}
}

// tellsNumber ignores what a load has read: the text is told a number.
func tellsNumber(value uint64, site string) change {
	return change{how: tell, sites: []string{site}, value: value}
}

// tells ignores what a load has read: the text is told what the operation read
// or stored at another site.
func tells(site, other string) change {
	return change{how: tell, sites: []string{site}, with: []string{other}}
}

// tellsUpperEnd ignores what a load has read: the text is told the upper end of
// the operation's interval.
func tellsUpperEnd(site string) change {
	return change{how: tellUpperEnd, sites: []string{site}}
}

// puts stores what the operation read at another site.
func puts(site, other string) change {
	return change{how: put, sites: []string{site}, with: []string{other}}
}

// keepsCounter stores, beside the index, the counter that was read at another
// site.
func keepsCounter(site, other string) change {
	return change{how: uncounted, sites: []string{site}, with: []string{other}}
}

// loadInstead loads a word as another site does.
func loadInstead(site, word, other string) change {
	return change{how: instead, sites: []string{site}, word: word, with: []string{other}}
}

// answers changes what an operation comes back with.
func answers(op model.Op, result, becomes model.Result) change {
	return change{how: answer, inOp: op, result: result, becomes: becomes}
}

// number changes a number that the text names; see Config.constant.
func number(name string, value uint64) change {
	return change{how: constant, word: name, value: value}
}

// numberMore adds to a number that the text names.
func numberMore(name string, n uint64) change {
	return change{how: more, word: name, value: n}
}

// during restricts a change to an operation.
func (c change) during(op model.Op) change {
	c.inOp = op
	return c
}

// atMost bounds the value by a setting.
func (c change) atMost(setting string) change {
	c.most = setting
	return c
}

// inBits makes the value wrap as a number of so many bits does.
func (c change) inBits(setting string) change {
	c.bits = setting
	return c
}

// only restricts a change to accesses of a kind and of a word.
func (c change) only(k AccessKind, word string) change {
	c.kind, c.word = []AccessKind{k}, word
	return c
}

// constant is a number of the text, or what a planted defect makes of it.
func (c *Config) constant(name string, value uint64) uint64 {
	for _, p := range c.defects {
		for _, ch := range p {
			switch {
			case ch.word != name:
			case ch.how == constant:
				value = ch.value
			case ch.how == more:
				value += ch.value
			}
		}
	}
	return value
}

// applied is a patch as it is applied to a structure that was laid out.
type applied struct {
	edits   []edit
	answers []change
	watched []uint8 // sites whose values are needed later
	reuses  bool
	noticed *atomic.Bool // whether the patch made a difference so far
}

// edit is a change of one site.
type edit struct {
	change
	site    uint8
	access  Access   // as the site makes it
	others  []Access // of change.with
	at      Location // of change.word
	mask    uint64   // bits that a value has
	bound   uint64   // of a value
	counter uint64   // what counts one, in a word with a counter
}

// apply looks up what the patch names.
func (p patch) apply(c *Config, s *Space, noticed *atomic.Bool) *applied {
	a := &applied{noticed: noticed}
	accesses := c.accesses()
	for _, ch := range p {
		switch ch.how {
		case constant, more:
			continue
		case answer:
			a.answers = append(a.answers, ch)
			continue
		case tell, put, uncounted:
			for _, name := range ch.with {
				a.watched = append(a.watched, c.siteNumber(name))
			}
		case reuse:
			a.reuses = true
		}
		for _, name := range ch.sites {
			a.edits = append(a.edits, ch.edit(c, s, accesses, accesses[c.siteNumber(name)]))
		}
	}
	return a
}

func (ch change) edit(c *Config, s *Space, accesses []Access, a Access) edit {
	e := edit{change: ch, site: a.Site, access: a, mask: ^uint64(0), bound: ^uint64(0)}
	for _, name := range ch.with {
		e.others = append(e.others, accesses[c.siteNumber(name)])
	}
	if ch.word != "" {
		e.at = s.word(ch.word)
	}
	if ch.bits != "" {
		e.mask = 1<<uint(c.number(ch.bits)) - 1
	}
	if ch.most != "" {
		e.bound = uint64(c.number(ch.most))
	}
	if c.Design.counter != nil {
		e.counter = c.Design.counter(c)
	}
	return e
}

// siteNumber is the number of a site. Patches are part of the design: a site that it
// does not have is a slip of ours.
func (c *Config) siteNumber(site string) uint8 {
	i := slices.Index(c.Design.Sites, site)
	if i < 0 {
		panic(fmt.Sprintf("ref: %s has no access %q", c.Design.Name, site))
	}
	return uint8(i)
}

// notice notes that the patch makes a difference.
func (a *applied) notice() {
	if !a.noticed.Load() {
		a.noticed.Store(true)
	}
}
