package verify

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/console"
	"stealproof/cmd/stealproof/internal/report/reporttest"
	"stealproof/fuzz"
	"stealproof/gpu"
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
			con := &console.Console{Out: &out, Err: &bytes.Buffer{}}
			v := verification{verdict: model.Linearizable}
			p := part{what: "it", memory: "simulated", strategy: "mix", expected: test.expected, run: func(context.Context, func(int)) (outcome, error) {
				return outcome{verdict: test.found, executions: 7, remark: "why"}, nil
			}}
			require.NoError(t, v.add(t.Context(), con, p))
			assert.Equal(t, test.suite, v.verdict)
			assert.Equal(t, test.expected == test.found, v.asExpected == 1)
			assert.Equal(t, 7, v.executions)
			assert.Contains(t, out.String(), test.row)
			assert.Contains(t, out.String(), "\n    why\n")
			r := reporttest.Printed(t, &con.Report, "verify", v.verdict)
			assert.Len(t, r["items"], 1)
			require.Len(t, r["findings"], map[bool]int{true: 0, false: 1}[test.expected == test.found])
			for _, f := range r["findings"].([]any) {
				assert.Equal(t, test.suite == violates, f.(map[string]any)["level"] == "error", "what is not decided is a warning")
			}

			// a later part that holds does not make up for it
			p.run = func(context.Context, func(int)) (outcome, error) { return outcome{verdict: test.expected}, nil }
			require.NoError(t, v.add(t.Context(), con, p))
			assert.Equal(t, test.suite, v.verdict)
		})
	}
}

func TestVerifyPartThatCannotRun(t *testing.T) {
	con := &console.Console{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}
	p := part{what: "it", run: func(context.Context, func(int)) (outcome, error) { return outcome{}, errors.New("no memory") }}
	assert.EqualError(t, new(verification).add(t.Context(), con, p), "it: no memory")
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
	for _, d := range gpu.Designs {
		for _, memory := range []string{"simulated", "ptx"} {
			assert.True(t, rows[memory+" any kernel "+d.Name], d.Name)
		}
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

// TestVerify runs the table with fewer executions. The planted defects of two
// structures take long to find, and package fuzz looks for each of them.
func TestVerify(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all that verify --quick does")
	}
	parts, err := verifyParts(0.002)
	require.NoError(t, err)
	long := []string{"abp, planted defects", "the, planted defects"}
	parts = slices.DeleteFunc(parts, func(p part) bool { return slices.Contains(long, p.what) })
	var out, errs bytes.Buffer
	verdict, err := runParts(t.Context(), &console.Console{Out: &out, Err: &errs}, parts)
	require.NoError(t, err)
	assert.Equal(t, model.Linearizable, verdict, out.String())
	assert.Empty(t, errs.String())
	assert.NotContains(t, out.String(), "NOT AS EXPECTED")
	assert.Contains(t, out.String(), fmt.Sprintf("\nverify: all holds: %d of %d parts came out as expected, ", len(parts), len(parts)))
}
