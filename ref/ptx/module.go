package ptx

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"

	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx/machine"
	"stealproof/ref/ptx/syntax"
)

// Module is a module with the kernels of stealproof.cuh.
type Module struct {
	file   string
	text   *syntax.Module
	source string
}

// Setup is what the structure in a module is told; the meaning of the numbers is
// its own.
type Setup struct {
	Numbers [8]uint64
	// Lanes is how many threads carry out an operation together, each of which is a lane of
	// the process; more than a warp has are those of several. 0 for what the module says,
	// which is one where it says nothing.
	Lanes int
	// Warps is the number of warps that have so many lanes each; 0 for one.
	Warps int
	// Apart: the lanes of a warp never go on side by side, and activemask answers each
	// that it is alone. PTX allows that, and promises nothing more.
	Apart bool
}

// The interface of stealproof.cuh.
const (
	version     = 3
	versionWord = "stealproof_abi"
	lanesWord   = "stealproof_lanes"
	blockWord   = "stealproof_block"
)

// Largest is the size of the largest module that is read, in bytes.
const Largest = syntax.Largest

// Open reads the module in a file, unless that is larger than any module.
func Open(file string) (*Module, error) {
	text, err := Read(file)
	if err != nil {
		return nil, err
	}
	return Load(file, text)
}

// Read reads the text of a module, unless it is larger than any.
func Read(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, named(file, err)
	}
	if info.Size() > Largest {
		return nil, fmt.Errorf("%s: a module of %d bytes: at most %d are read", file, info.Size(), int64(Largest))
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, named(file, err)
	}
	return bytes.TrimPrefix(text, []byte("\ufeff")), nil // some editors write a mark that says nothing
}

// named is why a file could not be read, with its name first as in all messages about files.
func named(file string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// Load reads a module. Errors name the file, and the line where there is one.
func Load(file string, text []byte) (*Module, error) {
	source := string(text)
	m, err := syntax.Parse(file, source)
	if err != nil {
		return nil, err
	}
	word := m.Variable(versionWord)
	if word == nil || len(word.Init) != 1 {
		return nil, &syntax.Error{File: file, Line: 1, Msg: "this module has no word " + versionWord + ": compile it with include/stealproof.cuh and STEALPROOF_KERNELS"}
	}
	if v := word.Init[0].Number; v != version {
		return nil, &syntax.Error{File: file, Line: word.Line, Msg: fmt.Sprintf(
			"this module was compiled with version %d of stealproof.cuh: to run without a GPU it takes version %d, which has a kernel for each operation", v, version)}
	}
	return &Module{file, m, source}, nil
}

// Name is what specs and cases call the structure: ticket.ptx is ticket-ptx.
func (m *Module) Name() string {
	name := strings.ToLower(strings.TrimSuffix(path.Base(m.file), ".ptx"))
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, name)
	if name == "" || name[0] < 'a' {
		name = "m" + name
	}
	return strings.TrimRight(name, "-") + "-ptx"
}

// largestObject bounds the objects that are executed here: each of their words is a
// location of its own.
const largestObject = 1 << 20

// Foreign is the structure in the module, as one of somebody else's. Whether it is
// bounded, or a range without owner, the module does not say: that is set in what
// comes back.
func (m *Module) Foreign(kind model.Kind, setup Setup) (ref.Foreign, error) {
	p, err := machine.Decode(m.text, append([]string{describeKernel, prepareKernel}, operations(kind)...)...)
	if err != nil {
		return ref.Foreign{}, err
	}
	if len(p.Sites) > machine.MostSites {
		return ref.Foreign{}, &syntax.Error{File: m.file, Line: 1, Msg: fmt.Sprintf("%d places in the text access shared memory: at most %d are supported", len(p.Sites), machine.MostSites)}
	}
	setup, settings, err := m.team(setup)
	if err != nil {
		return ref.Foreign{}, err
	}
	team, err := machine.TeamOf(setup.Warps, setup.Lanes)
	if err != nil {
		return ref.Foreign{}, fmt.Errorf("%s: %w", m.file, err)
	}
	lanes := team.Threads()
	if in := p.Together; in != nil && lanes == 1 {
		return ref.Foreign{}, &syntax.Error{File: m.file, Line: in.Line, Msg: fmt.Sprintf(
			"%s: this is for the threads of a warp or of a block, and a process is one thread here: say how many lanes one has, 2 to %d", strings.Join(strings.Fields(in.Text), " "), ref.MostLanes)}
	}
	if p.Together == nil && lanes > 1 && m.number(lanesWord) == 0 && m.number(blockWord) == 0 {
		return ref.Foreign{}, fmt.Errorf("%s: lanes=%s: each operation of this module is that of one thread: nothing in it is for several together, and it has neither of the words %s and %s, which STEALPROOF_WARP_KERNELS and STEALPROOF_BLOCK_KERNELS give it",
			m.file, setup.LanesText(), lanesWord, blockWord)
	}
	d := &design{file: m.file, kind: kind, setup: setup, team: team, agree: m.number(blockWord) > 0, program: p, plans: map[int]*plan{}}
	if err := d.describe(); err != nil {
		return ref.Foreign{}, err
	}
	return ref.Foreign{Name: m.Name(), Version: fmt.Sprint(setup, m.source), Kind: kind, Sites: p.Sites, Show: show, Build: d.build, Lanes: lanes,
		Settings:  settings,
		Changed:   func(settings model.Settings) (ref.Foreign, error) { return m.changed(settings, kind, setup) },
		Mutants:   func() []ref.Mutant { return m.mutants(kind, p) },
		Liberties: func() []string { return m.liberties(kind) },
	}, nil
}

// operations are the kernels of single operations, and of what the host does.
func operations(kind model.Kind) (kernels []string) {
	for _, op := range kind.Ops() {
		kernels = append(kernels, kernelOf(op))
	}
	if kind == model.Bag {
		kernels = append(kernels, phaseKernel)
	}
	return kernels
}

// show prints what a word holds.
func show(_ string, v uint64) string {
	if v == neverWritten {
		return "never written"
	}
	return strconv.FormatUint(v, 10)
}

// design is the structure in a module, with what it is told.
type design struct {
	file    string
	kind    model.Kind
	setup   Setup
	team    machine.Team // who carries out an operation
	agree   bool         // all of them are to be told the same
	program *machine.Program
	bytes   uint64 // of an object

	mu    sync.Mutex
	plans map[int]*plan // for so many processes
}

const (
	describeKernel = "stealproof_describe"
	prepareKernel  = "stealproof_prepare"
	phaseKernel    = "stealproof_next_phase"
)

func kernelOf(op model.Op) string { return "stealproof_" + op.String() }

// What a kernel is told stands at machine.Arguments: struct run or struct call of
// stealproof.cuh, and behind it a struct description and a struct control, whose
// words stay 0: nobody asks a process to stop.
const (
	runBytes         = 240
	callBytes        = 136
	descriptionAt    = 256
	controlAt        = 512
	argumentBytes    = 1536
	setupOfRun       = 152
	setupOfCall      = 48
	patience         = 1<<32 - 1 // whether a process waits for ever is for the simulation to say
	descriptionBytes = 32
)

func put32(b []byte, at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
func put64(b []byte, at int, v uint64) { binary.LittleEndian.PutUint64(b[at:], v) }

// writeSetup writes a struct setup.
func (d *design) writeSetup(b []byte, at, processes int) {
	put32(b, at, uint32(processes))
	put32(b, at+4, patience)
	for i, n := range d.setup.Numbers {
		put64(b, at+24+8*i, n)
	}
}

// newMachine makes a machine for operations, or, with run, for the kernels that get a
// struct run of one object.
func (d *design) newMachine(processes int, run bool) *machine.Machine {
	m := machine.NewMachine(d.program)
	m.Processes = processes
	b := make([]byte, argumentBytes)
	m.Arguments = b
	if !run {
		put64(b, 32, machine.Shared)
		put64(b, 40, machine.Arguments+controlAt)
		d.writeSetup(b, setupOfCall, processes)
		return m
	}
	put32(b, 0, version)
	put32(b, 8, 1) // objects
	put32(b, 12, uint32(processes))
	put64(b, 56, machine.Shared)
	put64(b, 96, machine.Arguments+controlAt)
	d.writeSetup(b, setupOfRun, processes)
	return m
}

// describe asks the module what it is.
func (d *design) describe() error {
	bytes, err := d.objectBytes(1)
	d.bytes = bytes
	return err
}

// objectBytes asks for the size of an object that so many processes share.
func (d *design) objectBytes(processes int) (uint64, error) {
	m := d.newMachine(processes, true)
	m.Shared, m.Limit = newImage(d, 0), prepareLimit
	if err := m.Run(describeKernel, machine.Arguments, machine.Arguments+descriptionAt); err != nil {
		return 0, err
	}
	field := func(i int) uint32 { return binary.LittleEndian.Uint32(m.Arguments[descriptionAt+4*i:]) }
	bytes := binary.LittleEndian.Uint64(m.Arguments[descriptionAt+24:])
	switch {
	case field(0) != version || field(4) != runBytes:
		return 0, &syntax.Error{File: d.file, Line: 1, Msg: fmt.Sprintf("this module does not keep to version %d of stealproof.cuh", version)}
	case field(1) != uint32(d.kind):
		return 0, &syntax.Error{File: d.file, Line: 1, Msg: fmt.Sprintf("this module is of model %s, not of %s", model.Kind(field(1)), d.kind)}
	case bytes == 0 || bytes > largestObject:
		return 0, &syntax.Error{File: d.file, Line: 1, Msg: fmt.Sprintf("an object has %d bytes: 1 to %d are supported without a GPU", bytes, largestObject)}
	}
	return bytes, nil
}

// build lays the structure out for so many processes.
func (d *design) build(s *ref.Space, processes int) ref.Structure {
	p, err := d.planFor(processes)
	if err != nil {
		panic(&ref.Fault{Msg: err.Error()})
	}
	return p.build(s)
}

// planFor makes the plan for so many processes, once.
func (d *design) planFor(processes int) (*plan, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.plans[processes]; p != nil {
		return p, nil
	}
	p, err := newPlan(d, processes)
	if err == nil {
		d.plans[processes] = p
	}
	return p, err
}
