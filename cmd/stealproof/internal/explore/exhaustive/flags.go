package exhaustive

import (
	"fmt"

	"github.com/spf13/pflag"
)

// Flags are those of this search alone.
type Flags struct {
	Asked              bool
	size, phases       int
	clients            int
	checkpoint, resume string
	yes, count         bool
	races              bool
	// Several searches are made with these flags, so that none can be gone on with.
	Several bool
}

// Register adds the flags to those of the command.
func (f *Flags) Register(fl *pflag.FlagSet) {
	fl.BoolVar(&f.Asked, "exhaustive", false, "every execution, up to equivalence, of the program or of all programs up to the size; --runs limits each program")
	fl.IntVar(&f.size, "size", 2, "with --exhaustive: most indices that an operation on a range brings or asks for")
	fl.IntVar(&f.phases, "phases", 2, "with --exhaustive: phases of a program on a bag")
	fl.IntVar(&f.clients, "clients", 0, "with --exhaustive: all clients of up to so many calls: which ones, by which processes, and whatever order they give them by signals; in place of a size")
	fl.StringVar(&f.checkpoint, "checkpoint", "", "with --exhaustive: where a limit or Ctrl-C ends the search, write to this file what is left")
	fl.StringVar(&f.resume, "resume", "", "with --exhaustive: go on from this file, and write to it again (or to --checkpoint) if something is left")
	fl.BoolVar(&f.yes, "yes", false, "with --exhaustive: begin, however long it may take")
	fl.BoolVar(&f.races, "races", false, "with --exhaustive, on the memory ptx: name the data races, too: accesses of the same word, one of them a write, of which one at least is weak or does not reach the other, and which nothing orders")
	fl.BoolVar(&f.count, "count", false, "with --exhaustive: judge and count every history, not only the strictest of those with the same results")
}

// Check refuses what does not go with the other flags.
func (f *Flags) Check(changed func(flag string) bool, native bool) error {
	for _, name := range []string{"size", "phases", "clients", "checkpoint", "resume", "yes", "count", "races"} {
		if !f.Asked && changed(name) {
			return fmt.Errorf("--%s goes with --exhaustive only", name)
		}
	}
	for _, name := range []string{"strategy", "seed"} {
		if f.Asked && changed(name) {
			return fmt.Errorf("--%s does not apply to --exhaustive: it makes every execution on the simulated memory", name)
		}
	}
	if f.Asked && native {
		return fmt.Errorf("--memory native does not apply to --exhaustive: there the machine decides who goes next")
	}
	for _, name := range []string{"size", "phases"} {
		if changed("program") && changed(name) {
			return fmt.Errorf("--%s does not apply to --program: it says itself what each process does", name)
		}
	}
	for _, name := range []string{"program", "owner", "thieves", "processes", "phases", "count", "checkpoint", "resume"} {
		if changed("clients") && changed(name) {
			return fmt.Errorf("--%s does not apply to --clients: these are all there are of so many calls", name)
		}
	}
	switch {
	case changed("clients") && (f.clients < 1 || f.clients > mostCalls):
		return fmt.Errorf("--clients %d: expected 1 to %d calls", f.clients, mostCalls)
	case f.size < 1 || f.size > 100:
		return fmt.Errorf("--size %d: expected 1 to 100 indices", f.size)
	case f.phases < 1 || f.phases > 10:
		return fmt.Errorf("--phases %d: expected 1 to 10", f.phases)
	}
	return nil
}

// mostCalls is how many calls the clients may have at most.
const mostCalls = 12
