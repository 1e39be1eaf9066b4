package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
)

func (a *app) campaign(cmd *cobra.Command, f exploreFlags, structure string) (*fuzz.Campaign, error) {
	spec, err := model.ParseSpec(structure)
	if err != nil {
		return nil, err
	}
	subject, err := ref.NewSubject(spec, model.Spec{})
	if err != nil {
		return nil, err
	}
	if err := f.check(cmd); err != nil {
		return nil, err
	}
	unmade, err := fuzz.CheckOrders(subject)
	if err != nil {
		return nil, err
	}
	if err := checkIdleOrders(subject, f.memory != ref.MemorySC && f.memory != memoryNative); err != nil {
		return nil, err
	}
	for _, access := range unmade {
		fmt.Fprintf(a.err, "stealproof: %s: no random program came by the access %s: its order may change nothing\n", spec.Structure, access)
	}
	if !cmd.Flags().Changed("runs") {
		f.runs = defaultRuns(f)
	}
	c := &fuzz.Campaign{Subject: subject, Seed: f.seed, Runs: f.runs, Jobs: f.jobs}
	if c.Native = f.memory == memoryNative; !c.Native {
		memory, err := simulatedMemory(f.memory)
		if err != nil {
			return nil, err
		}
		if c.Subject, err = subject.On(memory); err != nil {
			return nil, err
		}
	}
	if f.duration > 0 {
		c.Runs = math.MaxInt
	}
	if c.Schedule, err = model.ParseSchedule(f.strategy); err != nil {
		return nil, fmt.Errorf("--strategy: %w", err)
	}
	if f.program != "" {
		return c, a.ownProgram(c, f.program)
	}
	return c, shape(cmd, c, f)
}

// defaultRuns is no limit where every execution is made, and 1 where all would
// be the same.
func defaultRuns(f exploreFlags) int {
	name, _, _ := strings.Cut(f.strategy, ":")
	switch {
	case f.exhaustive:
		return 0
	case f.program != "" && (name == model.ByChoices || name == "directed" || name == "bytes"):
		return 1
	}
	return f.runs
}

func shape(cmd *cobra.Command, c *fuzz.Campaign, f exploreFlags) (err error) {
	d := c.Subject.Design()
	owned := d.Kind == model.WSDeque || d.Kind == model.Range && !d.Shared
	for _, name := range []string{"owner", "thieves", "processes"} {
		if cmd.Flags().Changed(name) && owned == (name == "processes") {
			return fmt.Errorf("--%s does not apply to %s: %s", name, d.Name,
				map[bool]string{true: "it has an owner and thieves", false: "it has processes without an owner"}[owned])
		}
	}
	if !owned {
		c.Shape, err = fuzz.Thieves(f.processes)
		if err != nil {
			return fmt.Errorf("--processes %w", err)
		}
		return nil
	}
	if f.owner < 1 || f.owner > 10000 {
		return fmt.Errorf("--owner %d: expected 1 to 10000 operations", f.owner)
	}
	thieves, err := fuzz.Thieves(f.thieves)
	if err != nil {
		return fmt.Errorf("--thieves %w", err)
	}
	c.Shape = append(fuzz.Shape{f.owner}, thieves...)
	return nil
}

// ownProgram takes a program as text, or from a file.
func (a *app) ownProgram(c *fuzz.Campaign, program string) error {
	name := "--program"
	if !strings.Contains(program, ":") {
		text, err := a.readText(program)
		if err != nil {
			return fmt.Errorf("--program: expected a program, as in \"0: push pop\", or its file: %w", err)
		}
		name, program = program, text
	}
	p, err := model.ParseProgram(c.Subject.Design().Kind, program)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	c.Program = &p
	return nil
}
