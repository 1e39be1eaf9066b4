package main

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/model"
	"stealproof/ref"
)

func TestVerdictOfThePartsTogether(t *testing.T) {
	const (
		holds    = model.Linearizable
		violates = model.Violation
		open     = model.Undecided
		notRun   = model.NotRun
	)
	tests := []struct {
		name            string
		expected, found model.Verdict
		suite           model.Verdict
		row             string
	}{
		{"what must hold holds", holds, holds, holds, "linearizable "},
		{"what must hold does not", holds, violates, violates, "violation, NOT AS EXPECTED"},
		{"what must hold stayed open", holds, open, open, "undecided, NOT AS EXPECTED"},
		{"what must hold was not run", holds, notRun, open, "not run, NOT AS EXPECTED"},
		{"what must fail fails", violates, violates, holds, "violation, as expected"},
		{"what must fail was not found", violates, holds, open, "linearizable, NOT AS EXPECTED"},
		{"what must fail stayed open", violates, open, open, "undecided, NOT AS EXPECTED"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			a := &app{out: &out, err: &bytes.Buffer{}}
			v := verification{verdict: model.Linearizable}
			p := part{what: "it", memory: "simulated", strategy: "mix", expected: test.expected, run: func(context.Context, func(int)) (outcome, error) {
				return outcome{verdict: test.found, executions: 7, remark: "why"}, nil
			}}
			require.NoError(t, a.verifyPart(t.Context(), p, &v))
			assert.Equal(t, test.suite, v.verdict)
			assert.Equal(t, test.expected == test.found, v.asExpected == 1)
			assert.Equal(t, 7, v.executions)
			assert.Contains(t, out.String(), test.row)
			assert.Contains(t, out.String(), "\n    why\n")

			// a later part that holds does not make up for it
			p.run = func(context.Context, func(int)) (outcome, error) { return outcome{verdict: test.expected}, nil }
			require.NoError(t, a.verifyPart(t.Context(), p, &v))
			assert.Equal(t, test.suite, v.verdict)
		})
	}
}

func TestVerifyPartThatCannotRun(t *testing.T) {
	a := &app{out: &bytes.Buffer{}, err: &bytes.Buffer{}}
	p := part{what: "it", run: func(context.Context, func(int)) (outcome, error) { return outcome{}, errors.New("no memory") }}
	assert.EqualError(t, a.verifyPart(t.Context(), p, &verification{}), "it: no memory")
}

func TestVerifyLeavesNothingOut(t *testing.T) {
	parts, err := verifyParts(0.1)
	require.NoError(t, err)
	rows := map[string]bool{}
	for _, p := range parts {
		assert.False(t, rows[p.memory+" "+p.what], "every row has a name of its own: %s", p.what)
		rows[p.memory+" "+p.what] = true
		structure, _, _ := strings.Cut(p.what, ":")
		rows[p.memory+" any "+structure] = true
		assert.Contains(t, []model.Verdict{model.Linearizable, model.Violation}, p.expected, p.what)
	}
	for _, d := range ref.Designs() {
		for _, row := range []string{"simulated any " + d.Name, "ptx any " + d.Name, "atomics any " + d.Name, "simulated " + d.Name + ", planted defects"} {
			assert.True(t, rows[row], row)
		}
		assert.True(t, registered(d.Name), "%s has no planted defect", d.Name)
	}
	stored, err := fuzz.StoredCases()
	require.NoError(t, err)
	for _, s := range stored {
		memory := onSimulated
		if s.Case.Memory.Structure != "" {
			memory = s.Case.Memory.Structure
		}
		assert.True(t, rows[memory+" "+s.Name], s.Name)
	}
}

func registered(structure string) bool {
	for _, d := range fuzz.Register {
		if spec, err := model.ParseSpec(d.Spec); err == nil && spec.Structure == structure {
			return true
		}
	}
	return false
}

func TestVerifyInterruptedAtOnce(t *testing.T) {
	o := stealproofCancelled(t, "verify")
	assert.Equal(t, exitInterrupted, o.code)
	assert.Equal(t, 1, strings.Count(o.out, "\n"), "the head of the table, and no row that was not finished")
}

func TestVerifyQuick(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some ten seconds")
	}
	o := stealproof(t, "verify", "--quick")
	require.Equal(t, exitHolds, o.code, o.out+o.err)
	assert.Empty(t, o.err)
	assert.NotContains(t, o.out, "NOT AS EXPECTED")
	assert.Regexp(t, `\nverify: all holds: ([0-9]+) of ([0-9]+) parts came out as expected, [0-9]+ executions judged in \S+\n$`, o.out)
}
