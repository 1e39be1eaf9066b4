package subject

import (
	"fmt"

	"github.com/spf13/pflag"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
)

// Flags are those that say what a structure runs on, and which programs run.
type Flags struct {
	memory             string
	owner              int
	thieves, processes string
	program            string
}

// Register adds the flags to those of a command.
func (f *Flags) Register(fl *pflag.FlagSet) {
	fl.StringVar(&f.memory, "memory", "sc", "sc (simulated, sequentially consistent), ptx (simulated, all that the PTX model allows; ptx:place=block|cluster|gpu|system puts the processes into one of these) or native (Go's atomics)")
	fl.IntVar(&f.owner, "owner", 5, "operations of the owner")
	fl.StringVar(&f.thieves, "thieves", "3+2", "the thieves: 2x3 is two of three operations each, 3+2 one of three and one of two")
	fl.StringVar(&f.processes, "processes", "5+3+2", "the processes of a structure without owner, in the same form")
	fl.StringVar(&f.program, "program", "", "a program of your own, as text or a file's name")
}

// Native says whether real atomics are asked for.
func (f *Flags) Native() bool { return f.memory == Native }

// Check refuses flags that another one would render idle: they mean that
// something else was expected.
func (f *Flags) Check(changed func(flag string) bool) error {
	for _, name := range []string{"owner", "thieves", "processes"} {
		if f.program != "" && changed(name) {
			return fmt.Errorf("--%s does not apply to --program: it says itself what each process does", name)
		}
	}
	return nil
}

// Subject is a structure on a memory, and the programs that run on it: one, or all
// of a shape.
type Subject struct {
	Spec    model.Spec
	Config  *ref.Config
	Memory  model.Spec // none where that is sequentially consistent, or Native
	Native  bool
	Shape   fuzz.Shape
	Program *model.Program
}

// Structure reads a structure with its settings.
func Structure(text string) (model.Spec, *ref.Config, error) {
	spec, err := model.ParseSpec(text)
	if err != nil {
		return spec, nil, err
	}
	config, err := ref.Resolve(spec)
	return spec, config, err
}

// Resolve is the subject that the flags and the name of a structure speak of.
func (f *Flags) Resolve(con *console.Console, changed func(flag string) bool, spec model.Spec, config *ref.Config) (*Subject, error) {
	unmade, err := fuzz.CheckOrders(spec)
	if err != nil {
		return nil, err
	}
	if err := CheckIdleOrders(spec, config, f.memory != ref.MemorySC && !f.Native()); err != nil {
		return nil, err
	}
	for _, access := range unmade {
		con.Say("%s: no random program came by the access %s: its order may change nothing", spec.Structure, access)
	}
	s := &Subject{Spec: spec, Config: config, Native: f.Native()}
	if !s.Native {
		if s.Memory, err = simulatedMemory(f.memory); err != nil {
			return nil, err
		}
	}
	if f.program != "" {
		s.Program, err = ownProgram(con, config, f.program)
	} else {
		s.Shape, err = f.shape(changed, config)
	}
	return s, err
}
