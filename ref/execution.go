package ref

import "stealproof/model"

// Ending says how an execution came to its end.
type Ending uint8

// The endings.
const (
	// Complete: every process has finished its program.
	Complete Ending = iota
	// Faulted: an access outside of the memory, or a panic.
	Faulted
	// Stuck: memory no longer changes, though every process that has not
	// finished made thousands of accesses since.
	Stuck
	// Cut: the limit of accesses was met.
	Cut
)

var endingNames = [...]string{"complete", "faulted", "stuck", "cut"}

func (e Ending) String() string { return endingNames[e] }

// Execution is what came of a program under a schedule.
type Execution struct {
	Setup   *Setup
	History *model.History
	Ending  Ending
	// Fault says what went wrong if the execution faulted, and Process where.
	Fault        string
	FaultProcess int
	Steps        int
	// LastChange is the access that changed memory last.
	LastChange int
	// Trace has every access, fences included, if it was asked for.
	Trace []Event

	choices    []model.Choice
	precedence model.Precedence
	fences     FenceOrders
	fit        bool
}

// Choices are those that the schedule made: replayed, they give the same
// execution. Of one that got stuck they end with the last change of memory, or
// the last read of an old write: whoever goes on from there, nothing happens.
func (e *Execution) Choices() model.Choices {
	made := e.choices
	if e.Ending == Stuck {
		last := len(made)
		for last > e.LastChange && made[last-1].Pick == 0 {
			last--
		}
		made = made[:last]
	}
	var c model.Choices
	for _, p := range made {
		c.Add(p)
	}
	return c
}
