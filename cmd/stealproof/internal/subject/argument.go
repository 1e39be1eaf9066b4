package subject

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"stealproof/model"
	"stealproof/ref"
)

// Argument are the flags of an argument that may name a module: what a structure of
// package ref says itself.
type Argument struct {
	model  string
	module Module
}

// Register adds the flags to those of a command.
func (a *Argument) Register(fl *pflag.FlagSet) {
	fl.StringVar(&a.model, "model", "", "of a module: wsdeque, fifo, range or bag")
	a.module.Register(fl)
	a.module.RegisterSpec(fl)
}

// ofModules are the flags that say of a module what a structure of package ref says itself.
var ofModules = []string{"model", "capacity", "numbers", "lanes", "patch"}

// Structure is what an argument names: a structure of package ref with its settings,
// or a module.
func (a *Argument) Structure(argument string, changed func(flag string) bool) (ref.Subject, error) {
	if IsModule(argument) {
		if a.model == "" {
			return ref.Subject{}, fmt.Errorf("%s: say with --model what it is: wsdeque, fifo, range or bag", argument)
		}
		kind, err := model.ParseKind(a.model)
		if err != nil {
			return ref.Subject{}, fmt.Errorf("--model: %w", err)
		}
		return a.module.Subject(argument, kind)
	}
	for _, name := range ofModules {
		if changed(name) && strings.ContainsAny(argument, "./") {
			return ref.Subject{}, fmt.Errorf("%s: expected a module, which is a file that ends in .ptx", argument)
		}
	}
	s, err := Structure(argument, model.Spec{})
	if err != nil {
		return s, err
	}
	for _, name := range ofModules {
		if changed(name) {
			return ref.Subject{}, fmt.Errorf("--%s is for modules, as in queue.ptx: %s says it itself", name, argument)
		}
	}
	return s, nil
}

// Replayed is what replay is told of a module; the zero value if it is told nothing.
type Replayed struct {
	File     string
	capacity uint64
	numbers  string
}

// Module is what replay is told of the module that an argument names.
func (a *Argument) Module(argument string) Replayed {
	file := ModuleFile(argument)
	if file == "" {
		return Replayed{}
	}
	return Replayed{file, a.module.capacity, a.module.numbers}
}

// Flags are those that say it, word by word.
func (r Replayed) Flags() (words []string) {
	if r.File == "" {
		return nil
	}
	words = []string{"--module", r.File}
	if r.capacity != 0 {
		words = append(words, "--capacity", fmt.Sprint(r.capacity))
	}
	if r.numbers != "" {
		words = append(words, "--numbers", r.numbers)
	}
	return words
}
