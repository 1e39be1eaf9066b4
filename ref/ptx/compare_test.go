package ptx_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// load reads a module of the repository.
func load(t testing.TB, file string) *ptx.Module {
	t.Helper()
	text, err := os.ReadFile("../../gpu/" + file)
	require.NoError(t, err)
	m, err := ptx.Load(filepath.Base(file), text)
	require.NoError(t, err)
	return m
}

// subject is the structure of a module on a memory.
func subject(t testing.TB, file string, kind model.Kind, setup ptx.Setup, capacity uint64, memory string) ref.Subject {
	t.Helper()
	f, err := load(t, file).Foreign(kind, setup)
	require.NoError(t, err)
	f.Capacity = capacity
	s, err := f.Subject(model.Spec{Structure: memory})
	require.NoError(t, err)
	return s
}

// every makes one execution after the other: all that there are.
type every struct {
	choice, options []int
	at              int
}

func (e *every) decide(n int) int {
	if n == 1 {
		return 0
	}
	if e.at == len(e.choice) {
		e.choice, e.options = append(e.choice, 0), append(e.options, n)
	}
	e.at++
	return e.choice[e.at-1]
}

func (e *every) Next(v *ref.View) int        { return v.Enabled[e.decide(len(v.Enabled))] }
func (e *every) Pick(v *ref.View, n int) int { return e.decide(n) }

// advance goes to the next execution, and says whether there is one.
func (e *every) advance() bool {
	e.at = 0
	for n := len(e.choice) - 1; n >= 0; n-- {
		if e.choice[n]++; e.choice[n] < e.options[n] {
			return true
		}
		e.choice, e.options = e.choice[:n], e.options[:n]
	}
	return false
}

// histories are all histories of a program, with the time of each operation.
func histories(t testing.TB, s ref.Subject, p model.Program) (all map[string]bool, executions int) {
	t.Helper()
	setup, err := s.Prepare(p)
	require.NoError(t, err)
	sim := ref.NewSim(setup)
	defer sim.Close()
	all = map[string]bool{}
	for e := (&every{}); ; {
		x := sim.Run(e)
		require.Equal(t, ref.Complete, x.Ending, x.Fault)
		executions++
		var text strings.Builder
		for i := range x.History.Ops {
			o := &x.History.Ops[i]
			fmt.Fprintf(&text, "%d %s %s %d [%d,%d] ", o.Process, o.Op, o.Result, o.Value, o.Call, o.Return)
		}
		all[text.String()] = true
		if !e.advance() {
			return all, executions
		}
	}
}
