package subject

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// Module are the flags of what a PTX module does not say itself.
type Module struct {
	capacity uint64
	numbers  string
}

// IsModule says whether an argument names a module and not a structure.
func IsModule(argument string) bool { return strings.HasSuffix(argument, ".ptx") }

// Register adds the flags to those of a command.
func (m *Module) Register(fl *pflag.FlagSet) {
	fl.Uint64Var(&m.capacity, "capacity", 0, "of a module: how much its object holds, 0 for no bound that is known")
	fl.StringVar(&m.numbers, "numbers", "", "of a module: what setup::setting holds, as in 2,2,128")
}

// setup is what the structure is told.
func (m *Module) setup() (s ptx.Setup, err error) {
	if m.numbers == "" {
		return s, nil
	}
	fields := strings.Split(m.numbers, ",")
	if len(fields) > len(s.Numbers) {
		return s, fmt.Errorf("--numbers %s: expected at most %d", m.numbers, len(s.Numbers))
	}
	for i, field := range fields {
		if s.Numbers[i], err = strconv.ParseUint(field, 0, 64); err != nil {
			return s, fmt.Errorf("--numbers %s: expected numbers with commas between them", m.numbers)
		}
	}
	return s, nil
}

// Subject is the structure in a module.
func (m *Module) Subject(file string, kind model.Kind) (ref.Subject, error) {
	setup, err := m.setup()
	if err != nil {
		return ref.Subject{}, err
	}
	text, err := readAtMost(file, ptx.Largest)
	if err != nil {
		return ref.Subject{}, err
	}
	module, err := ptx.Load(file, text)
	if err != nil {
		return ref.Subject{}, err
	}
	f, err := module.Foreign(kind, setup)
	if err != nil {
		return ref.Subject{}, err
	}
	f.Capacity = m.capacity
	return f.Subject(model.Spec{})
}

// readAtMost reads a file, unless it is larger than any module.
func readAtMost(file string, most int64) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%s: a module of %d bytes: at most %d are read", file, info.Size(), most)
	}
	return os.ReadFile(file)
}
