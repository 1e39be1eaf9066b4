package instances

import (
	"fmt"

	"stealproof/ref/ptx/machine"
	"stealproof/ref/ptx/syntax"
)

// Run executes all forms on the machine of this repository.
func Run(forms []Form, seed uint64, instances int) (*Log, error) {
	p, err := decode(Module(forms), len(forms))
	if err != nil {
		return nil, err
	}
	l := &Log{Machine: "stealproof", Seed: seed, Instances: instances}
	x := machine.NewMachine(p)
	x.Processes = instances
	for i := range forms {
		f, kernel := &forms[i], Kernel(i)
		w := &memory{words: append(Inputs(i, f, seed, instances), make([]uint64, Results*instances)...)}
		x.Shared = w
		out := 8 * uint64(Words*instances)
		for x.Process = range instances {
			if err := x.Run(kernel, machine.Shared, machine.Shared+out); err != nil {
				return nil, fmt.Errorf("form %s, instance %d: %w", f.Name(), x.Process, err)
			}
		}
		l.Forms = append(l.Forms, FormLog{f.Name(), w.words[Words*instances:]})
	}
	return l, nil
}

// memory is a row of words.
type memory struct{ words []uint64 }

func (m *memory) Load(at uint64, a *machine.Access) uint64 {
	at -= machine.Shared
	return m.words[at/8] >> (8 * (at % 8)) & (1<<(8*a.Size-1)<<1 - 1)
}

func (m *memory) Store(at, v uint64, _ *machine.Access) { m.words[(at-machine.Shared)/8] = v }

func (m *memory) Update(at, x, y uint64, a *machine.Access) uint64 { panic("no form has an atomic") }

func (m *memory) Fence(*machine.Access) {}

// decode reads a module with a kernel for each of so many forms.
func decode(module string, forms int) (*machine.Program, error) {
	m, err := syntax.Parse("instances.ptx", module)
	if err != nil {
		return nil, err
	}
	kernels := make([]string, forms)
	for i := range kernels {
		kernels[i] = Kernel(i)
	}
	return machine.Decode(m, kernels...)
}
