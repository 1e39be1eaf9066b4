package ref

import (
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"

	"stealproof/model"
)

// Subject is what is asked about: a structure, of this package or of somebody
// else (see Foreign), with its settings, on a memory. All of it is known to
// exist. It is a value: With, On and Around return another one.
type Subject struct {
	config *Config
	spec   model.Spec
	memory model.Spec
	around func(Structure) Structure // nil for nothing
}

// NewSubject resolves the spec of a structure of this package, and a memory: a
// sequentially consistent one if it has no name or is "sc", one that does what
// the PTX model allows if it is "ptx", or "ptx:place=block" for processes that
// share a block; they may be placed by the smallest scope that contains two of
// them, block, cluster, gpu (as without a word) or system. "rc11" does what C11
// allows as repaired by RC11, where a data race of weak accesses is a fault unless it
// is "rc11:races=allowed", and "tso" what x86 does.
func NewSubject(spec, memory model.Spec) (Subject, error) {
	d, err := FindDesign(spec.Structure)
	if err != nil {
		return Subject{}, err
	}
	return d.subject(spec, memory)
}

func (d *Design) subject(spec, memory model.Spec) (Subject, error) {
	c, err := d.resolve(spec)
	if err != nil {
		return Subject{}, err
	}
	return Subject{config: c, spec: spec}.On(memory)
}

// Spec names the structure and its settings.
func (s Subject) Spec() model.Spec { return s.spec }

// Version tells the text of somebody else's structure, and what was said of it, from
// others of its name; empty where the name says it all.
func (s Subject) Version() string { return s.config.Design.version }

// Memory is what simulations run on.
func (s Subject) Memory() model.Spec { return s.memory }

// Config is the spec with a value for every setting.
func (s Subject) Config() *Config { return s.config }

// Design is the structure, whatever its settings.
func (s Subject) Design() *Design { return s.config.Design }

// Foreign says whether the structure is somebody else's.
func (s Subject) Foreign() bool { return !slices.Contains(Designs(), s.config.Design) }

// OnlyOrders says whether the structure is one whose text was changed, in nothing but
// orders, scopes and fences.
func (s Subject) OnlyOrders() bool { return s.config.Design.onlyOrders }

// Weak says whether the memory is weaker than a sequentially consistent one.
func (s Subject) Weak() bool {
	return s.memory.Structure != "" && s.memory.Structure != MemorySC
}

// KnowsRaces says whether data races can be named on the memory: where an access may be
// too weak for another one, and that is not a fault anyway.
func (s Subject) KnowsRaces() bool { return s.memory.Structure == MemoryPTX }

// Buffers says whether executions with load buffering are made, where they can be:
// on the memory ptx:buffering=yes.
func (s Subject) Buffers() bool {
	return s.memory.Structure == MemoryPTX && s.memory.Settings["buffering"] == "yes"
}

// Lanes is how many lanes of a process carry out each operation together, 1 for none.
func (s Subject) Lanes() int { return max(1, s.config.Design.lanes) }

// Unbuffered is the subject on a memory without load buffering, for what makes none.
func (s Subject) Unbuffered() Subject {
	if s.Buffers() {
		s.memory.Settings = maps.Clone(s.memory.Settings)
		delete(s.memory.Settings, "buffering")
	}
	return s
}

func (s Subject) String() string {
	if s.memory.Structure == "" {
		return s.spec.String()
	}
	return fmt.Sprintf("%s on memory %s", s.spec, s.memory)
}

// With is the same structure with another spec.
func (s Subject) With(spec model.Spec) (Subject, error) {
	c, err := s.config.Design.resolve(spec)
	if err != nil {
		return Subject{}, err
	}
	s.config, s.spec = c, spec
	return s, nil
}

// On is the same structure on another memory.
func (s Subject) On(memory model.Spec) (Subject, error) {
	if err := CheckMemory(memory); err != nil {
		return Subject{}, err
	}
	s.memory = memory
	return s, nil
}

// Liberties is the structure in each of the ways in which a compiler may have changed its
// weak accesses, one at a time.
func (s Subject) Liberties() (all []Subject, err error) {
	if s.config.Design.liberties == nil {
		return nil, nil
	}
	for _, patch := range s.config.Design.liberties() {
		if before := s.spec.Settings[PatchSetting]; before != "" {
			patch = before + "+" + patch
		}
		other, err := s.With(s.spec.With(PatchSetting, patch))
		if err != nil {
			return nil, err
		}
		all = append(all, other)
	}
	return all, nil
}

// Around is the structure with something of the caller's around it: an observer,
// or a change. What it makes of a Phased structure must be Phased too, or the
// host does nothing between phases.
func (s Subject) Around(around func(Structure) Structure) Subject {
	if inner := s.around; inner != nil {
		s.around = func(st Structure) Structure { return around(inner(st)) }
	} else {
		s.around = around
	}
	return s
}

// ParseProgram reads a program for the structure.
func (s Subject) ParseProgram(text string) (model.Program, error) {
	p, err := model.ParseProgram(s.Design().Kind, text)
	if err != nil {
		return p, fmt.Errorf("%s: %w", s.spec, err)
	}
	return p, nil
}

// Prepare checks that a program suits the structure, and lays out the memory.
func (s Subject) Prepare(program model.Program) (*Setup, error) {
	d := s.config.Design
	if err := program.Validate(d.Kind, s.config.Params()); err != nil {
		return nil, fmt.Errorf("structure %s: %w", d.Name, err)
	}
	c := *s.config
	c.Processes = len(program.Processes)
	setup := &Setup{Subject: s, Program: program, Config: &c, Space: &Space{}, lanes: s.Lanes()}
	at, err := places(s.memory, c.Processes)
	if err != nil {
		return nil, err
	}
	setup.places = placedLanes(at, setup.Lanes())
	setup.Space.Weak, setup.Space.Sized = setup.Weak(), s.memory.Structure == MemoryPTX
	setup.faulty, setup.atomic = s.races()
	if err := setup.build(program.Objects()); err != nil {
		return nil, err
	}
	if err := setup.expand(); err != nil {
		return nil, err
	}
	if s.Buffers() {
		err = setup.checkBuffering()
	}
	return setup, err
}

// NotMade says what executions on the memory leave out of what the model allows, for
// those who report what was looked at; empty for nothing.
func (s Subject) NotMade() string {
	switch {
	case s.Buffers():
		return "load buffering in random programs, and in clients with signals: loads that take effect after a later store of their process"
	case s.memory.Structure == MemoryPTX:
		return "load buffering: loads that take effect after a later store of their process"
	}
	if s.Weak() { // neither RC11 nor TSO has load buffering
		return ""
	}
	return "orders weaker than sequential consistency: those are looked at on the memory ptx"
}

// Foreign is a structure that is not of this package: one that somebody else
// wrote against Memory and wants to have tested.
type Foreign struct {
	// Name is what specs and saved cases call it: lower-case letters, digits
	// and dashes.
	Name string
	// Version is what tells it from others of this name, its whole text for one: a search
	// that was stopped goes on only with the same. Empty if the name says it all.
	Version string
	Kind    model.Kind
	// Shared is a range without owner.
	Shared bool
	// Capacity is what its histories declare, 0 for none: then a put may come
	// back with full whenever it likes.
	Capacity uint64
	// Model is what its operations mean, where that is not what the kind says.
	Model *model.Model
	// Anonymous: an operation does the same whichever process calls it, and how many
	// there are; and what it puts in is a value to it, whose bits decide nothing.
	Anonymous bool
	// Sites are the names of its accesses, by Access.Site, as in "pop: read top":
	// behind the colon stands read, write, swap, add, modify or fence. Without them its
	// orders cannot be changed, nor mutants made of it. Package stealproof/fuzz/sites
	// finds names for a structure that has none.
	Sites []string
	// Show prints what a location holds, where that is more than a number; nil for
	// numbers.
	Show func(location string, v uint64) string
	// Lanes is how many lanes of a process carry out each operation together, 0 for one
	// alone. With several, Build makes a Cooperative structure.
	Lanes int
	// Build lays it out in memory for so many processes.
	Build func(s *Space, processes int) Structure
	// Changed is the same structure as settings of a spec say: PatchSetting, with its text
	// changed, and LanesSetting, carried out by others. nil if it is none that can be
	// changed.
	Changed func(model.Settings) (Foreign, error)
	// Settings are those of them that its spec has from the beginning.
	Settings model.Settings
	// OnlyOrders says of what Changed gives that nothing but orders, scopes and fences
	// was changed, which a sequentially consistent memory does not look at.
	OnlyOrders bool
	// Mutants are patches of single accesses; nil for those that are made of accesses
	// with names.
	Mutants func() []Mutant
	// Liberties are patches that a compiler may have made of weak accesses, whatever the
	// text says; nil for none.
	Liberties func() []string
}

// The settings of a structure that can be changed.
const (
	PatchSetting = "patch"
	LanesSetting = "lanes"
)

// Subject is the structure, on a memory as NewSubject has them. It has no defects.
func (f Foreign) Subject(memory model.Spec) (Subject, error) {
	d, err := f.design()
	if err != nil {
		return Subject{}, err
	}
	return d.subject(model.Spec{Structure: f.Name, Settings: f.Settings}, memory)
}

// version is a short name for all that tells the structure from others of its name.
func (f Foreign) version() string {
	if f.Version == "" {
		return ""
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%v %v %d %d %s", f.Kind, f.Shared, f.Capacity, f.Lanes, f.Version)
	return fmt.Sprintf("%016x", h.Sum64())
}

func (f Foreign) design() (*Design, error) {
	if s, err := model.ParseSpec(f.Name); err != nil || len(s.Settings) > 0 || s.Structure != f.Name {
		return nil, fmt.Errorf("name %q: expected lower-case letters, digits and dashes", f.Name)
	}
	if _, err := FindDesign(f.Name); err == nil {
		return nil, fmt.Errorf("name %q: it is that of a structure of package ref, expected another", f.Name)
	}
	if _, err := model.ParseKind(f.Kind.String()); err != nil {
		return nil, fmt.Errorf("structure %s: %w", f.Name, err)
	}
	if f.Build == nil {
		return nil, fmt.Errorf("structure %s: nothing builds it", f.Name)
	}
	if f.Lanes < 0 || f.Lanes > MostLanes {
		return nil, fmt.Errorf("structure %s: %d lanes, expected at most %d", f.Name, f.Lanes, MostLanes)
	}
	if f.Shared && f.Kind != model.Range {
		return nil, fmt.Errorf("structure %s: only a range can be shared", f.Name)
	}
	if f.Model != nil && f.Kind == model.Range {
		return nil, fmt.Errorf("structure %s: a range has no model of its own", f.Name)
	}
	d := &Design{
		Name: f.Name, model: f.Model, Kind: f.Kind, Ops: f.Kind.Ops(), Shared: f.Shared, Anonymous: f.Anonymous, version: f.version(), Sites: f.Sites, lanes: f.Lanes,
		build: func(c *Config, s *Space) Structure { return f.build(s, c.Processes) },
		bound: func(*Config) uint64 { return f.Capacity },
	}
	d.onlyOrders, d.liberties = f.OnlyOrders, f.Liberties
	if f.Changed != nil {
		d.changed = f.changedDesigns(d)
	}
	if f.Mutants != nil {
		d.mutants = sync.OnceValue(func() []Mutant {
			all := f.Mutants()
			for i := range all {
				all[i].design = d
			}
			return all
		})
	}
	if f.Show != nil {
		d.show = func(_ *Config, location string, v uint64) string { return f.Show(location, v) }
	}
	return d, nil
}

// changedDesigns makes the designs as settings say, each of them once.
func (f Foreign) changedDesigns(base *Design) func(model.Settings) (*Design, error) {
	var (
		mu   sync.Mutex
		made = map[string]*Design{}
	)
	return func(settings model.Settings) (*Design, error) {
		if maps.Equal(settings, f.Settings) {
			return base, nil
		}
		key := model.Spec{Structure: f.Name, Settings: settings}.String()
		mu.Lock()
		defer mu.Unlock()
		if d := made[key]; d != nil {
			return d, nil
		}
		other, err := f.Changed(settings)
		if err != nil {
			return nil, err
		}
		other.Name, other.Shared, other.Capacity, other.Changed = f.Name, f.Shared, f.Capacity, nil
		d, err := other.design()
		if err != nil {
			return nil, err
		}
		d.base, d.changed = base, base.changed
		made[key] = d
		return d, nil
	}
}

func (f Foreign) build(s *Space, processes int) Structure {
	st := f.Build(s, processes)
	if st == nil {
		panic(errors.New("it was built as nil"))
	}
	return st
}
