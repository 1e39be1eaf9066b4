package progress

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"stealproof/fuzz/internal/lines"
	"stealproof/model"
)

// Write prints what was found about a structure, an operation after the other.
func (r *Report) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	name := r.Expected.Spec
	if r.Expected.About != "" {
		name += ", " + r.Expected.About
	}
	fmt.Fprintf(out, "%s: %s in %d executions, %d points of suspension\n", name, r.kind(), r.Executions, r.Points)
	for i := range r.Ops {
		r.Ops[i].write(out)
	}
	fmt.Fprintf(out, "  %s\n", r.ends())
	if r.Wrong != "" {
		writeWrapped(out, "  ", "not its progress, but its results are wrong here: "+r.Wrong)
	}
	if (r.Wrong != "" || r.Broken != "") && !r.Subject.Foreign() {
		fmt.Fprintf(out, "  to see it: stealproof explore %s%s\n", r.Expected.Spec, r.onMemory())
	}
	return out.Flush()
}

// onMemory is the flag that asks for the memory.
func (r *Report) onMemory() string {
	if r.Subject.Memory().Structure == "" {
		return ""
	}
	return " --memory " + r.Subject.Memory().String()
}

func writeWrapped(w io.Writer, indent, text string) {
	for _, line := range lines.Fill(strings.Fields(text), " ", 80) {
		fmt.Fprintf(w, "%s%s\n", indent, line)
	}
}

// kind is what the structure is called: what all of its operations are.
func (r *Report) kind() Level {
	least := WaitFree
	for _, p := range r.Ops {
		least = min(least, p.Level)
	}
	return least
}

// ends says whether there is an execution without end.
func (r *Report) ends() string {
	switch {
	case r.Broken != "":
		return "not all executions were made, since one is wrong: " + r.Broken
	case r.Endless:
		return fmt.Sprintf("an execution has no end within %d accesses: a livelock, or operations that take very long", progressAccesses)
	case !r.Complete:
		return fmt.Sprintf("not all executions were made, so that nothing is known but what blocks: there are more than %d of the program \"%s\"%s, or it was interrupted",
			progressExecutions, strings.ReplaceAll(r.Unfinished, "\n", ", "), r.elsewhere())
	case r.Spins:
		return "there are executions without end in which nobody completes: who waits goes on, whom it waits for does not"
	case r.alone():
		return "there are executions without end in which nobody completes, though nobody is suspended"
	}
	return fmt.Sprintf("no execution without end: the longest has %d accesses", r.Longest)
}

// elsewhere says where there are fewer executions.
func (r *Report) elsewhere() string {
	if r.Subject.Memory().Structure == "" {
		return ""
	}
	return " on memory " + r.Subject.Memory().String() + " (without --memory there are far fewer)"
}

func (r *Report) alone() bool {
	for _, p := range r.Ops {
		if p.Alone {
			return true
		}
	}
	return false
}

func (p *Operation) write(w io.Writer) {
	fmt.Fprintf(w, "  %-6s %s%s", p.Claim.Op, p.Level, p.steps())
	if p.Claim.Level != LevelUnknown && p.Level != p.Claim.Level {
		fmt.Fprintf(w, "; EXPECTED %s", p.Claim.Level)
	} else if !p.AsClaimed() {
		fmt.Fprintf(w, "; EXPECTED at most %d, and one that makes them", p.Claim.Bound)
	}
	fmt.Fprintln(w)
	if p.Claim.Why != "" {
		writeWrapped(w, "         ", p.Claim.Why)
	}
	if p.Alone {
		fmt.Fprintln(w, "         never returns though nobody is suspended")
	}
	for _, s := range p.stopLines() {
		for i, line := range lines.Fill(strings.Fields(s), " ", 76) {
			if i > 0 {
				line = "  " + line
			}
			fmt.Fprintf(w, "         %s\n", line)
		}
	}
}

// steps is how many accesses of its own the operation makes.
func (p *Operation) steps() string {
	switch p.Level {
	case WaitFree:
		return fmt.Sprintf(", at most %d accesses of its own", p.Own)
	case LockFree:
		n := len(p.Starved)
		return fmt.Sprintf(", no bound was found on its own accesses: %d against 64 times the operations of others, %d against 8", p.Starved[n-1], p.Starved[0])
	}
	return ""
}

// stopLines says, operation by operation, before which of its accesses one must
// be suspended to stop this one.
func (p *Operation) stopLines() []string {
	var ops []model.Op
	lines := map[model.Op][]string{}
	for _, s := range p.Stops {
		if lines[s.Op] == nil {
			ops = append(ops, s.Op)
		}
		operation, line, found := strings.Cut(s.Line, ": ")
		if !found || strings.ContainsAny(operation, ".:") { // a place in a file
			line = s.Line
		}
		lines[s.Op] = append(lines[s.Op], line)
	}
	var all []string
	for _, op := range ops {
		all = append(all, fmt.Sprintf("never returns once somebody is suspended in %s before: %s", op, strings.Join(lines[op], "; ")))
	}
	return all
}

// AsClaimed says whether everything is as the table expects.
func (r *Report) AsClaimed() bool {
	for i := range r.Ops {
		if !r.Ops[i].AsClaimed() {
			return false
		}
	}
	return true
}

// Decided says whether every operation has a level.
func (r *Report) Decided() bool {
	for _, p := range r.Ops {
		if p.Level == LevelUnknown {
			return false
		}
	}
	return true
}
