package gpu

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"stealproof/cmd/stealproof/internal/files"
	"stealproof/gpu"
	"stealproof/model"
)

// launchFlags are those of run and of bench.
type launchFlags struct {
	gpu.Options
	module, model, capture string
	patches                []string
	patched                patcher
	logs                   string
	seed                   uint64
	repeat                 int
	duration, checkTimeout time.Duration
	check, keepGoing       bool
	out, date              string
	outObjects             int
}

func (f *launchFlags) register(fl *pflag.FlagSet) {
	f.Options = gpu.Defaults()
	f.patched = patchedStructure
	o := &f.Options
	fl.IntVar(&o.Device, "device", 0, "number of the device, as listed")
	fl.StringVar(&f.module, "module", "", "a module of your own instead of a structure: PTX, cubin or fatbin, compiled with stealproof.cuh")
	fl.StringArrayVar(&f.patches, "patch", nil, "change the module's text, as in queue.cu:31.drop; several, or a+b, one after the other (docs/modules.md)")
	fl.StringVar(&f.model, "model", "", "what the module's objects are: wsdeque, fifo, range or bag")
	fl.IntVar(&o.Objects, "groups", o.Objects, "queues at the same time")
	fl.IntVar(&o.Processes, "processes", o.Processes, "processes of each queue; the first owns it, if it has an owner")
	fl.IntVar(&o.Operations, "ops", o.Operations, "operations of each process")
	fl.IntVar(&o.Puts, "mix", o.Puts, "of 100 bursts, how many put something in")
	fl.IntVar(&o.Burst, "burst", o.Burst, "operations of the same sort in a row, at most")
	fl.IntVar(&o.Sizes, "sizes", o.Sizes, "ranges: the largest size asked for")
	fl.IntVar(&o.Phases, "phases", o.Phases, "bags: into so many phases the operations are cut")
	fl.DurationVar(&o.Nap, "naps", 0, "longest nap where a delay is interesting, as in 20us")
	fl.IntVar(&o.NapOneIn, "nap-one-in", o.NapOneIn, "nap at one of so many occasions")
	fl.BoolVar(&o.OwnerNaps, "owner-naps", false, "owners nap as well")
	fl.IntVar(&o.Stress, "stress", 0, "warps that hammer other cache lines meanwhile")
	fl.BoolVar(&o.Shuffle, "shuffle", false, "place the processes at random")
	fl.IntVar(&o.Patience, "patience", o.Patience, "attempts until a loop that waits gives up")
	fl.DurationVar(&o.Timeout, "timeout", o.Timeout, "of a launch, until it counts as hung")
	fl.Uint64Var(&f.seed, "seed", 1, "seed of the first launch; each further one takes the next")
	fl.IntVar(&f.repeat, "repeat", 1, "launches")
	fl.StringVar(&f.logs, "logs", "device", "device, or host: slower, but what was recorded outlives a kernel that traps")
	fl.StringVar(&f.capture, "capture", "performed", "performed (a fence before the second stamp) or raw")
}

// options resolves what the flags ask for.
func (f *launchFlags) options(args []string) (o gpu.Options, err error) {
	o = f.Options
	switch f.capture {
	case "performed":
		o.Performed = true
	case "raw":
	default:
		return o, fmt.Errorf("--capture %s: expected performed or raw", f.capture)
	}
	switch f.logs {
	case "host":
		o.HostLogs = true
	case "device":
	default:
		return o, fmt.Errorf("--logs %s: expected device or host", f.logs)
	}
	if f.repeat < 1 {
		return o, fmt.Errorf("--repeat %d: expected at least 1", f.repeat)
	}
	if f.module == "" {
		if len(args) != 1 {
			return o, fmt.Errorf("expected one structure, as in abp:width=1, or --module, found %d arguments", len(args))
		}
		if o.Spec, err = model.ParseSpec(args[0]); err != nil {
			return o, err
		}
		c, err := gpu.Resolve(o.Spec)
		if err != nil {
			return o, err
		}
		if o.Patched, err = f.patched(c, f.patches); err != nil {
			return o, fmt.Errorf("structure %s: %w", o.Spec, err)
		}
		return o, o.Check()
	}
	if len(args) != 0 {
		return o, fmt.Errorf("--module and a structure exclude each other")
	}
	if o.Kind, err = model.ParseKind(f.model); err != nil {
		return o, fmt.Errorf("--model: %w", err)
	}
	if o.Image, err = os.ReadFile(f.module); err != nil {
		return o, files.Error(f.module, err)
	}
	o.Image = bytes.TrimPrefix(o.Image, []byte("\ufeff")) // some editors write a mark that says nothing
	if len(f.patches) > 0 {
		if o.Image, err = patched(f.module, o.Image, f.patches, o.Kind); err != nil {
			return o, err
		}
	}
	return o, o.Check()
}

func (f *launchFlags) name() string {
	name := f.Spec.String()
	if f.module != "" {
		name = f.module
	}
	if len(f.patches) > 0 {
		name += " with " + strings.Join(f.patches, "+")
	}
	return name
}
