package subject

import (
	"cmp"
	"fmt"
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
	patches  []string
	lanes    string
}

// IsModule says whether an argument names a module and not a structure.
func IsModule(argument string) bool { return ModuleFile(argument) != "" }

// ModuleFile is the file of a module, whose name may have settings behind it as that of
// a structure has, as in ring.ptx:orders=ring-h-12-fence.weak; empty if the argument
// names no module.
func ModuleFile(argument string) string {
	file, _ := cutModule(argument)
	return file
}

// cutModule cuts behind the last .ptx that the name of a setting follows: a patch names a
// file, too.
func cutModule(argument string) (file, settings string) {
	if strings.HasSuffix(argument, ".ptx") {
		return argument, ""
	}
	for rest := argument; ; {
		at := strings.LastIndex(rest, ".ptx:")
		if at < 0 {
			return "", ""
		}
		rest = argument[:at+len(".ptx")]
		settings = argument[at+len(".ptx:"):]
		if name, _, is := strings.Cut(settings, "="); is && !strings.ContainsAny(name, ",.:/") {
			return rest, settings
		}
		rest = argument[:at]
	}
}

// Register adds the flags to those of a command.
func (m *Module) Register(fl *pflag.FlagSet) {
	fl.Uint64Var(&m.capacity, "capacity", 0, "of a module: how much its object holds, 0 for no bound that is known")
	fl.StringVar(&m.numbers, "numbers", "", "of a module: what setup::setting holds, as in 2,2,128")
}

// RegisterSpec adds the flags for what a saved case has in its spec.
func (m *Module) RegisterSpec(fl *pflag.FlagSet) {
	fl.StringVar(&m.lanes, "lanes", "", "of a module: how many threads carry out an operation together, as in 4, or 2x4 for two warps of four lanes, or 4.apart where activemask answers each that it is alone; else what the module says")
	fl.StringArrayVar(&m.patches, "patch", nil, "of a module: change its text, as in queue.cu:31.drop; several, or a+b, one after the other (docs/modules.md)")
}

// setup is what the structure is told.
func (m *Module) setup() (s ptx.Setup, err error) {
	if m.lanes != "" {
		if s, err = s.WithLanes(m.lanes); err != nil {
			return s, fmt.Errorf("--%w", err)
		}
	}
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

// Subject is the structure in a module, with settings if some stand behind the name of
// its file.
func (m *Module) Subject(argument string, kind model.Kind) (ref.Subject, error) {
	file, text := cutModule(argument)
	settings, err := model.ParseSettings(text)
	if err != nil {
		return ref.Subject{}, fmt.Errorf("%s: %w", argument, err)
	}
	s, err := m.inFile(cmp.Or(file, argument), kind)
	if err != nil || len(settings) == 0 {
		return s, err
	}
	spec := s.Spec()
	for name, value := range settings {
		spec = spec.With(name, value)
	}
	return s.With(spec)
}

func (m *Module) inFile(file string, kind model.Kind) (ref.Subject, error) {
	setup, err := m.setup()
	if err != nil {
		return ref.Subject{}, err
	}
	module, err := ptx.Open(file)
	if err != nil {
		return ref.Subject{}, err
	}
	f, err := module.Foreign(kind, setup)
	if err != nil {
		return ref.Subject{}, err
	}
	f.Capacity = m.capacity
	s, err := f.Subject(model.Spec{})
	if err != nil || len(m.patches) == 0 {
		return s, err
	}
	patches := strings.Join(m.patches, "+")
	if strings.ContainsAny(patches, ", \t\n") || patches == "" {
		return s, fmt.Errorf("--patch %q: expected a place and what becomes of it, as in queue.cu:31.drop", patches)
	}
	return s.With(s.Spec().With("patch", patches))
}
