package gpu

import (
	"embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stealproof/model"
)

//go:embed ptx/*.ptx
var modules embed.FS

// Module returns the PTX of an embedded module.
func Module(name string) ([]byte, error) { return modules.ReadFile("ptx/" + name + ".ptx") }

//go:embed examples/ticket.ptx examples/ticket-trusts-turn.ptx
var examples embed.FS

// Example returns the PTX of an example of docs/vendor.md.
func Example(name string) ([]byte, error) { return examples.ReadFile("examples/" + name + ".ptx") }

// Setting is a choice that a design leaves open, one of Values or a number.
// Its place in Design.Settings is its place in the launch's setup, unless the
// module is chosen by it.
type Setting struct {
	Name, Default string
	Values        []string
	Min, Max      uint64
	chooses       bool // the module or its patches, not a number of the setup
}

// Design is a structure that there is a kernel of. Names are those of ref/.
type Design struct {
	Name     string
	Kind     model.Kind
	Shared   bool
	Settings []Setting
	// Fences can be left out, as in "abp:without=push-task-tail", and Defects planted:
	// both are patches of the module.
	Fences, Defects []Defect
	module          func(s model.Settings) string
	bound           string                        // the setting that is the capacity that histories declare
	implied         func(s model.Settings) string // patches that make the module another variant
}

// gap is the distance of shared words in bytes: by default a line of its own for each.
var gap = Setting{Name: "gap", Default: "128", Min: 8, Max: 1 << 20}

// Designs lists what can be run.
var Designs = []*Design{
	{
		Name: "abp", Kind: model.WSDeque, bound: "capacity",
		Settings: []Setting{
			{Name: "capacity", Default: "1024", Min: 1, Max: 1 << 20},
			{Name: "width", Default: "16", Max: 32},
			gap,
			{Name: "variant", Default: "fenced", Values: []string{"fenced", "book", "release2011"}, chooses: true},
		},
		Fences: abpFences, Defects: abpDefects,
		module: abpModule,
	},
	{
		Name: "tz", Kind: model.FIFO,
		Settings: []Setting{
			{Name: "capacity", Default: "64", Min: 3, Max: 1 << 20},
			{Name: "every", Default: "2", Min: 1, Max: 1 << 20},
			{Name: "vnull", Default: "at-zero", Values: []string{"at-zero", "elsewhere"}},
			gap,
			{Name: "variant", Default: "mended", Values: []string{"mended", "original", "skeleton"}, chooses: true},
			{Name: "declare", Default: "0", Max: 1 << 20, chooses: true},
		},
		Defects: tzDefects,
		module:  tzModule,
		bound:   "declare",
		implied: func(s model.Settings) string {
			if s["variant"] == "original" {
				return tzOriginal
			}
			return ""
		},
	},
	{
		Name: "the", Kind: model.Range,
		Settings: []Setting{
			{Name: "fill", Default: "locked", Values: []string{"locked", "beg-first", "end-first"}},
			{Name: "failed", Default: "abort", Values: []string{"abort", "empty", "empty-if-equal"}},
			{Name: "compare", Default: "signed", Values: []string{"signed", "unsigned", "difference"}},
			gap,
			{Name: "base", Default: "0", Max: 1<<32 - 1},
		},
		Fences: theFences, Defects: theDefects,
	},
	{
		Name: "blocking", Kind: model.FIFO, bound: "capacity",
		Settings: []Setting{
			{Name: "capacity", Default: "64", Min: 1, Max: 1 << 20},
			{Name: "variant", Default: "meant", Values: []string{"meant", "printed"}},
			gap,
		},
		Defects: blockingDefects,
	},
	{
		Name: "static", Kind: model.Bag,
		Settings: []Setting{{Name: "capacity", Default: "1024", Min: 1, Max: 1 << 20}, gap},
		Defects:  staticDefects,
	},
	{
		Name: "list", Kind: model.Range, Shared: true,
		Settings: []Setting{gap},
		Defects:  listDefects,
	},
}

// abpModule names the module of a variant. Orders are in the text of the
// kernel, and so is the size of head.
func abpModule(s model.Settings) string {
	switch {
	case s["width"] == "32":
		return "abp-wide"
	case s["variant"] == "fenced":
		return "abp"
	}
	return "abp-" + s["variant"]
}

// tzModule: the skeleton shares nothing with the others but its settings.
func tzModule(s model.Settings) string {
	if s["variant"] == "skeleton" {
		return "tz-skeleton"
	}
	return "tz"
}

// Config is a spec resolved against its design.
type Config struct {
	Spec   model.Spec
	Kind   model.Kind
	Params model.Params
	// Module is the name of the embedded module, empty for a file.
	Module string
	// Patches are what is to be changed in the module's text before it is loaded, as in
	// "a.drop+b.blind"; empty for nothing.
	Patches string
	Numbers [8]uint64
	// Lowest is below every index that is put into a range.
	Lowest uint64
}

// Resolve checks a spec and fills in what it leaves open.
func Resolve(spec model.Spec) (*Config, error) {
	var names []string
	for _, d := range Designs {
		if d.Name == spec.Structure {
			c, err := d.resolve(spec)
			if err != nil {
				return nil, fmt.Errorf("structure %s: %w", d.Name, err)
			}
			return c, nil
		}
		names = append(names, d.Name)
	}
	return nil, fmt.Errorf("unknown structure %q: expected one of %s", spec.Structure, strings.Join(names, ", "))
}

func (d *Design) resolve(spec model.Spec) (*Config, error) {
	c := &Config{Spec: spec, Kind: d.Kind, Params: model.Params{Shared: d.Shared}, Module: d.Name}
	values := model.Settings{}
	for _, s := range d.Settings {
		values[s.Name] = s.Default
	}
	for name, v := range spec.Settings {
		if name == "defect" || name == "without" && len(d.Fences) > 0 {
			continue
		}
		if values[name] == "" {
			return nil, d.unknown(name)
		}
		values[name] = v
	}
	for i, s := range d.Settings {
		n, err := s.number(values[s.Name])
		if err != nil {
			return nil, err
		}
		if !s.chooses {
			c.Numbers[i] = n
		}
	}
	if d.bound != "" {
		c.Params.Capacity, _ = strconv.ParseUint(values[d.bound], 10, 64)
	}
	c.Lowest, _ = strconv.ParseUint(values["base"], 10, 64)
	if d.module != nil {
		c.Module = d.module(values)
	}
	values["defect"] = spec.Settings["defect"]
	if err := d.check(values); err != nil {
		return nil, err
	}
	return c, d.patch(c, values, spec.Settings)
}

// unknown says which settings there are.
func (d *Design) unknown(name string) error {
	known := []string{"defect"}
	if len(d.Fences) > 0 {
		known = append(known, "without")
	}
	for _, s := range d.Settings {
		known = append(known, s.Name)
	}
	return fmt.Errorf("unknown setting %q: expected one of %s", name, strings.Join(known, ", "))
}

// patch finds the patches of a variant, of fences left out, and of defects.
func (d *Design) patch(c *Config, values, given model.Settings) error {
	var patches []string
	if d.implied != nil {
		patches = append(patches, d.implied(values))
	}
	fences, err := d.fences(c.Module)
	if err != nil {
		return err
	}
	without := given["without"]
	if without == "all" {
		var names []string
		for _, f := range fences {
			names = append(names, f.Name)
		}
		without = strings.Join(names, "+")
	}
	for _, asked := range []struct {
		what, names string
		known       []Defect
	}{{"fence", without, fences}, {"defect", given["defect"], d.Defects}} {
		found, err := patchesOf(asked.what, asked.names, asked.known, c.Module == "abp-wide")
		if err != nil {
			return err
		}
		patches = append(patches, found...)
	}
	c.Patches = strings.Join(slices.DeleteFunc(patches, func(p string) bool { return p == "" }), "+")
	return nil
}

// fences are those that a module has: variants lack some.
func (d *Design) fences(module string) ([]Defect, error) {
	text, err := Module(module)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(d.Fences), func(f Defect) bool {
		site, _, _ := strings.Cut(f.Patches, ".")
		return !strings.Contains(string(text), "// site "+site+"\n")
	}), nil
}

// check refuses what single settings cannot.
func (d *Design) check(values model.Settings) error {
	gap, _ := strconv.ParseUint(values["gap"], 10, 64)
	if gap%8 != 0 {
		return fmt.Errorf("gap=%d: expected a multiple of 8", gap)
	}
	if values["variant"] == "skeleton" && (values["defect"] != "" || values["vnull"] != "at-zero") {
		return fmt.Errorf("variant=skeleton: it has neither defects nor a vnull")
	}
	if d.Name != "abp" {
		return nil
	}
	wide := values["width"] == "32"
	width, _ := strconv.Atoi(values["width"])
	capacity, _ := strconv.Atoi(values["capacity"])
	switch {
	case width > 16 && !wide:
		return fmt.Errorf("width=%d: expected 0 to 16, or 32", width)
	case wide && values["variant"] != "fenced":
		return fmt.Errorf("width=32: only the variant fenced has it")
	case !wide && capacity > 1<<16-1:
		return fmt.Errorf("capacity=%d: a 16-bit index allows at most 65535; width=32 allows more", capacity)
	}
	return nil
}

func (s *Setting) number(v string) (uint64, error) {
	if len(s.Values) > 0 {
		if i := slices.Index(s.Values, v); i >= 0 {
			return uint64(i), nil
		}
		return 0, fmt.Errorf("%s=%s: expected one of %s", s.Name, v, strings.Join(s.Values, ", "))
	}
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil || n < s.Min || n > s.Max {
		return 0, fmt.Errorf("%s=%s: expected a number from %d to %d", s.Name, v, s.Min, s.Max)
	}
	return n, nil
}

// patchesOf reads "a+b" as names in a list.
func patchesOf(what, v string, known []Defect, wide bool) (patches []string, err error) {
	if v == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(v, "+") {
		i := slices.IndexFunc(known, func(d Defect) bool { return d.Name == name })
		switch {
		case i < 0 && len(known) == 0:
			return nil, fmt.Errorf("unknown %s %q: there is none", what, name)
		case i < 0:
			return nil, fmt.Errorf("unknown %s %q: expected one of %s", what, name, strings.Join(Names(known), ", "))
		case wide && known[i].wide != "":
			patches = append(patches, known[i].wide)
		default:
			patches = append(patches, known[i].Patches)
		}
	}
	return patches, nil
}

// Names are the names of defects.
func Names(defects []Defect) []string {
	var names []string
	for _, d := range defects {
		names = append(names, d.Name)
	}
	return names
}
