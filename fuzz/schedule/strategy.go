// Package schedule decides who goes next: strategies that a seed makes repeatable,
// replay of saved choices, and a process that is suspended for ever.
package schedule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stealproof/model"
	"stealproof/ref"
)

// Strategy is a scheduler that starts afresh with each seed. The same strategy,
// settings and seed give the same execution.
type Strategy interface {
	ref.Scheduler
	Begin(seed uint64)
}

// strategies maps the name of a schedule to what runs it.
var strategies = map[string]func(*settings, *ref.Setup) (Strategy, error){
	"random":        newWalk,
	"pct":           newPCT,
	"round-robin":   newRoundRobin,
	"directed":      newDirected,
	"bytes":         newByteChoices,
	"mix":           newMix,
	model.ByChoices: nil, // see NewStrategy
}

// Default takes turns between the others.
const Default = "mix"

// Names lists the names of all strategies.
func Names() []string {
	var names []string
	for name := range strategies {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// New makes the strategy that a schedule names, for executions of a
// setup, and the seed that it names, if any.
func New(s model.Schedule, setup *ref.Setup) (Strategy, uint64, error) {
	build, known := strategies[s.Strategy]
	if s.Strategy == suspendName {
		build, known = newSuspended, true
	}
	if !known {
		return nil, 0, fmt.Errorf("unknown strategy %q: expected one of %s", s.Strategy, strings.Join(Names(), ", "))
	}
	if s.Strategy == model.ByChoices {
		return NewReplay(s.Choices), 0, nil
	}
	set := &settings{values: s.Settings}
	seed := uint64(set.number("seed", 0, 0, 1<<62))
	st, err := build(set, setup)
	if err == nil {
		err = set.err()
	}
	if err != nil {
		return nil, 0, fmt.Errorf("strategy %s: %w", s.Strategy, err)
	}
	return st, seed, nil
}

// WithSeed is the schedule with another seed.
func WithSeed(s model.Schedule, seed uint64) model.Schedule {
	set := model.Settings{"seed": strconv.FormatUint(seed, 10)}
	for k, v := range s.Settings {
		if k != "seed" {
			set[k] = v
		}
	}
	return model.Schedule{Strategy: s.Strategy, Settings: set}
}

// settings reads the settings of a schedule and remembers which were asked
// for, so that unknown ones can be refused.
type settings struct {
	values model.Settings
	known  []string
	failed error
}

func (s *settings) text(name, fallback string) string {
	s.known = append(s.known, name)
	if v, given := s.values[name]; given {
		return v
	}
	return fallback
}

func (s *settings) number(name string, fallback, least, most int) int {
	v := s.text(name, strconv.Itoa(fallback))
	n, err := strconv.Atoi(v)
	if (err != nil || n < least || n > most) && s.failed == nil {
		s.failed = fmt.Errorf("%s=%s: expected a number from %d to %d", name, v, least, most)
	}
	return n
}

func (s *settings) err() error {
	if s.failed != nil {
		return s.failed
	}
	for name := range s.values {
		if !slices.Contains(s.known, name) {
			return fmt.Errorf("unknown setting %q: expected one of %s", name, strings.Join(s.known, ", "))
		}
	}
	return nil
}

// sequentialSteps is the number of accesses of the program when each process
// runs to its end before the next begins: what strategies take for its length.
func sequentialSteps(setup *ref.Setup) int {
	sim := ref.NewSim(setup)
	defer sim.Close()
	sim.Limit = 1 << 16
	sim.Patience = 64
	return max(1, sim.Run(&RoundRobin{}).Steps)
}

// Waits says whether a process only repeats itself on an unchanged memory, so
// that a strategy with priorities lets others go first.
func Waits(v *ref.View, process int) bool { return v.Repeats(process) > patienceOfStrategies }

const patienceOfStrategies = 24
