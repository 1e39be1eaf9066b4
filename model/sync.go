package model

import (
	"fmt"
	"slices"
	"strings"
)

// Sync is how the processes of a client order their operations by themselves,
// beside the object: one gives a signal once, behind some of its operations, and
// others wait for it before some of theirs. A signal is a store to a word of the
// client's own, a wait a load that is made once the signal is there, and reads it.
// What was done before a signal that releases precedes what is done behind a wait
// that acquires, if the scopes of both reach the other process.
//
//	0: enq(1) signal:a
//	1: wait:a enq(2) signal:b.release.gpu
//	2: wait:b.acquire.gpu deq
//
// Without order and scope they are release and acquire for the whole system. With
// relaxed a signal lets go on who waits, and orders nothing on a weak memory.
type Sync struct {
	Name         string
	Order, Scope string
}

// The orders and scopes of signals and waits, as programs name them; see package
// ref for what they mean.
const (
	syncRelaxed = "relaxed"
	syncSystem  = "sys"
)

var syncScopes = []string{"cta", "cluster", "gpu", syncSystem}

// ordering is the order with which a signal or a wait synchronizes.
func ordering(op Op) string {
	if op == Signal {
		return "release"
	}
	return "acquire"
}

// SyncCall is a signal, or a wait, that synchronizes with the whole system.
func SyncCall(op Op, name string) Call {
	return Call{Op: op, Value: NoValue, Sync: Sync{name, ordering(op), syncSystem}}
}

// parseSync reads "signal:a.release.gpu", if the word is of that kind.
func parseSync(word string) (c Call, is bool, err error) {
	head, rest, found := strings.Cut(word, ":")
	op := Signal
	switch {
	case !found && head != opNames[Signal] && head != opNames[Wait]:
		return Call{}, false, nil
	case head == opNames[Wait]:
		op = Wait
	case head != opNames[Signal]:
		return Call{}, false, nil
	}
	form := fmt.Errorf("%.40q: expected %s:NAME, of lower-case letters and digits, or %s:NAME.%s.SCOPE, with %s or %s, and one of %s",
		word, op, op, ordering(op), ordering(op), syncRelaxed, strings.Join(syncScopes, ", "))
	parts := strings.Split(rest, ".")
	c = SyncCall(op, parts[0])
	switch len(parts) {
	case 1:
	case 3:
		c.Sync.Order, c.Sync.Scope = parts[1], parts[2]
	default:
		return c, true, form
	}
	known := (c.Sync.Order == ordering(op) || c.Sync.Order == syncRelaxed) && slices.Contains(syncScopes, c.Sync.Scope)
	if !known || !isSyncName(c.Sync.Name) {
		return c, true, form
	}
	return c, true, nil
}

func isSyncName(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// textOf is what stands behind the colon.
func (s Sync) textOf(op Op) string {
	if s.Order == ordering(op) && s.Scope == syncSystem {
		return s.Name
	}
	return s.Name + "." + s.Order + "." + s.Scope
}

// Synchronizes says whether the program has signals or waits.
func (p Program) Synchronizes() bool {
	some := false
	p.eachCall(func(c *Call) { some = some || c.Op.Synchronizes() })
	return some
}

// checkSyncs says whether every wait passes: whether each signal is given, once, and
// nobody waits, in a circle, for a signal that comes behind the wait. Operations of
// objects are taken to come back.
func (p Program) checkSyncs() error {
	if !p.Synchronizes() {
		return nil
	}
	calls := p.Expand()
	giver := map[string]int{}
	for id, row := range calls {
		for _, c := range row {
			if c.Op != Signal {
				continue
			}
			if first, twice := giver[c.Sync.Name]; twice {
				return fmt.Errorf("signal %s is given twice, by process %d and by process %d: give the second one another name", c.Sync.Name, first, id)
			}
			giver[c.Sync.Name] = id
		}
	}
	for id, row := range calls {
		for _, c := range row {
			if _, given := giver[c.Sync.Name]; c.Op == Wait && !given {
				return fmt.Errorf("process %d waits for signal %s, which no process gives", id, c.Sync.Name)
			}
		}
	}
	return passes(calls, giver)
}

// passes carries the program out as far as it goes.
func passes(calls [][]Call, giver map[string]int) error {
	given := map[string]bool{}
	at := make([]int, len(calls))
	for {
		moved, phased, over := false, 0, 0
		for id, row := range calls {
			for at[id] < len(row) {
				c := row[at[id]]
				if c.Op == Phase || c.Op == Wait && !given[c.Sync.Name] {
					break
				}
				if c.Op == Signal {
					given[c.Sync.Name] = true
				}
				at[id]++
				moved = true
			}
			switch {
			case at[id] == len(row):
				over++
			case row[at[id]].Op == Phase:
				phased++
			}
		}
		switch {
		case over == len(calls):
			return nil
		case moved:
		case phased == len(calls)-over && phased > 0:
			for id, row := range calls {
				if at[id] < len(row) {
					at[id]++
				}
			}
		default:
			return fmt.Errorf("the program cannot be executed to its end, whatever the object does: %s", waiting(calls, at, giver))
		}
	}
}

// waiting names those who wait for ever.
func waiting(calls [][]Call, at []int, giver map[string]int) string {
	var all []string
	for id, row := range calls {
		if at[id] < len(row) && row[at[id]].Op == Wait {
			name := row[at[id]].Sync.Name
			all = append(all, fmt.Sprintf("process %d waits for signal %s, which process %d has not given", id, name, giver[name]))
		}
	}
	for id, row := range calls {
		if at[id] < len(row) && row[at[id]].Op == Phase {
			all = append(all, fmt.Sprintf("process %d for the end of a phase", id))
		}
	}
	return strings.Join(all, ", ")
}
