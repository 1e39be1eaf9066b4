package subject

import (
	"fmt"

	"github.com/spf13/pflag"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/fuzz/fences"
	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// Flags are those that say what a structure runs on, and which programs run.
type Flags struct {
	memory             string
	owner              int
	thieves, processes string
	program            string
	argument           Argument
}

// Register adds the flags to those of a command.
func (f *Flags) Register(fl *pflag.FlagSet) {
	fl.StringVar(&f.memory, "memory", "sc", "sc (simulated, sequentially consistent), ptx (simulated, all that the PTX model allows; ptx:place=block|cluster|gpu|system puts the processes into one of these; ptx:buffering=yes has load buffering, too, with --exhaustive and --fences), rc11 (simulated, C11 as RC11 repairs it; a data race of accesses that are not atomic is a fault, unless rc11:races=allowed), tso (simulated, the store buffers of x86) or native (Go's atomics)")
	fl.IntVar(&f.owner, "owner", 5, "operations of the owner")
	fl.StringVar(&f.thieves, "thieves", "3+2", "the thieves: 2x3 is two of three operations each, 3+2 one of three and one of two")
	fl.StringVar(&f.processes, "processes", "5+3+2", "the processes of a structure without owner, in the same form")
	f.argument.Register(fl)
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

// Work is a structure on a memory, and the programs that run on it: one, or such of
// a shape.
type Work struct {
	Subject ref.Subject
	Native  bool // it runs on real atomics, whatever the memory of the subject
	Shape   programs.Shape
	Program *model.Program
}

// Structure is what an argument names.
func (f *Flags) Structure(argument string, changed func(flag string) bool) (ref.Subject, error) {
	return f.argument.Structure(argument, changed)
}

// Structure is a structure of package ref with its settings, on a memory.
func Structure(text string, memory model.Spec) (ref.Subject, error) {
	spec, err := model.ParseSpec(text)
	if err != nil {
		return ref.Subject{}, err
	}
	return ref.NewSubject(spec, memory)
}

// Work is what the flags say of a structure, which is not on its memory yet.
func (f *Flags) Work(con *console.Console, changed func(flag string) bool, s ref.Subject) (w Work, err error) {
	unmade, err := fences.Unmade(s)
	if err != nil {
		return w, err
	}
	if err := CheckIdleOrders(s, f.memory != ref.MemorySC && !f.Native()); err != nil {
		return w, err
	}
	for _, access := range unmade {
		con.Say("%s: no random program came by the access %s: its order may change nothing", s.Design().Name, access)
	}
	w = Work{Subject: s, Native: f.Native()}
	if !w.Native {
		memory, err := simulatedMemory(f.memory)
		if err != nil {
			return w, err
		}
		if w.Subject, err = s.On(memory); err != nil {
			return w, err
		}
	}
	if f.program != "" {
		w.Program, err = ownProgram(con, s.Design(), f.program)
	} else {
		w.Shape, err = f.shape(changed, s.Design())
	}
	return w, err
}

// Module is what replay is told of the module that an argument names.
func (f *Flags) Module(argument string) Replayed { return f.argument.Module(argument) }
