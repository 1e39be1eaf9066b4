package model_test

import (
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"stealproof/model"
)

// Generators of everything that has a text form.

var (
	kinds   = rapid.SampledFrom(model.Kinds)
	words   = rapid.StringMatching(`[a-z0-9-]{1,8}`)
	numbers = rapid.Uint64Range(0, model.MaxValue)
	// texts are values of settings: anything without white space and commas
	texts = rapid.StringOfN(rapid.Rune().Filter(func(r rune) bool { return r != ',' && !unicode.IsSpace(r) }), 1, 8, -1)
)

func drawCall(t *rapid.T, k model.Kind) model.Call {
	if rapid.IntRange(0, 9).Draw(t, "phase") == 0 {
		return model.Call{Op: model.Phase, Value: model.NoValue}
	}
	c := model.Call{Op: rapid.SampledFrom(k.Ops()).Draw(t, "op"), Value: model.NoValue}
	c.Object = rapid.SampledFrom([]uint32{0, 0, 1, 1 << 16}).Draw(t, "object")
	switch {
	case k == model.Range && c.Op == model.Push && rapid.Bool().Draw(t, "last"):
		c.Last = true
	case k == model.Range && c.Op == model.Push:
		c.Value = rapid.Uint64Range(0, model.MaxValue-1).Draw(t, "from")
		c.To = rapid.Uint64Range(c.Value+1, model.MaxValue).Draw(t, "to")
	case k == model.Range:
		c.Size = rapid.Uint64Range(1, model.MaxValue).Draw(t, "size")
	case c.Op.Puts() && rapid.Bool().Draw(t, "named"):
		c.Value = numbers.Draw(t, "value")
	}
	return c
}

// drawSteps leaves a process without operations nil, as the parser does.
func drawSteps(t *rapid.T, k model.Kind, least, depth int) []model.Step {
	var steps []model.Step
	for range rapid.IntRange(least, 4).Draw(t, "steps") {
		if depth < 8 && rapid.IntRange(0, 3).Draw(t, "group") == 0 {
			steps = append(steps, model.Step{Times: rapid.IntRange(1, 3).Draw(t, "times"), Group: drawSteps(t, k, 1, depth+1)})
		} else {
			steps = append(steps, model.Step{Call: drawCall(t, k)})
		}
	}
	return steps
}

func drawProgram(t *rapid.T, k model.Kind) model.Program {
	var p model.Program
	for range rapid.IntRange(1, 4).Draw(t, "processes") {
		p.Processes = append(p.Processes, drawSteps(t, k, 0, 0))
	}
	return p
}

func drawChoices(t *rapid.T) model.Choices {
	var c model.Choices
	for range rapid.IntRange(0, 6).Draw(t, "runs") {
		c = append(c, model.Repeat{Choice: model.Choice{Process: rapid.Uint16().Draw(t, "process"), Pick: rapid.Uint16().Draw(t, "pick")}, Times: rapid.Uint32Range(1, 1<<31-1).Draw(t, "times")})
	}
	return c
}

func drawSettings(t *rapid.T) model.Settings {
	return rapid.MapOfN(words, texts, 0, 4).Draw(t, "settings")
}

func drawSpec(t *rapid.T) model.Spec {
	return model.Spec{Structure: words.Draw(t, "structure"), Settings: drawSettings(t)}
}

func drawSchedule(t *rapid.T) model.Schedule {
	if rapid.Bool().Draw(t, "by choices") {
		return model.Schedule{Strategy: model.ByChoices, Choices: drawChoices(t)}
	}
	name := words.Filter(func(s string) bool { return s != model.ByChoices }).Draw(t, "strategy")
	return model.Schedule{Strategy: name, Settings: drawSettings(t)}
}

func drawCase(t *rapid.T) model.Case {
	c := model.Case{
		Note:     strings.Join(rapid.SliceOf(rapid.StringMatching(`[!-~äß語]{1,6}`)).Draw(t, "note"), " "),
		Kind:     kinds.Draw(t, "kind"),
		Spec:     drawSpec(t),
		Schedule: drawSchedule(t),
		Verdict:  model.Verdict(rapid.IntRange(int(model.NotRun), int(model.Violation)).Draw(t, "verdict")),
	}
	if c.Verdict == model.Violation {
		c.Found = words.Draw(t, "found")
	}
	c.Program = drawProgram(t, c.Kind)
	return c
}

func TestTextsAreReadBack(t *testing.T) {
	t.Run("program", rapid.MakeCheck(func(t *rapid.T) {
		k := kinds.Draw(t, "kind")
		want := drawProgram(t, k)
		got, err := model.ParseProgram(k, want.String())
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}))
	t.Run("choices", rapid.MakeCheck(func(t *rapid.T) {
		want := drawChoices(t)
		got, err := model.ParseChoices(want.String())
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}))
	t.Run("schedule", rapid.MakeCheck(func(t *rapid.T) {
		want := drawSchedule(t)
		got, err := model.ParseSchedule(want.String())
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}))
	t.Run("spec", rapid.MakeCheck(func(t *rapid.T) {
		want := drawSpec(t)
		got, err := model.ParseSpec(want.String())
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}))
	t.Run("case", rapid.MakeCheck(func(t *rapid.T) {
		want := drawCase(t)
		got, err := model.ParseCase(want.String())
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}))
}

func TestExpandedValuesAreDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom([]model.Kind{model.WSDeque, model.FIFO, model.Bag}).Draw(t, "kind")
		p := drawProgram(t, k)
		named := map[uint64]bool{}
		var walk func([]model.Step)
		walk = func(steps []model.Step) {
			for _, s := range steps {
				if s.Times == 0 && s.Call.Value != model.NoValue {
					named[s.Call.Value] = true
				}
				walk(s.Group)
			}
		}
		for _, steps := range p.Processes {
			walk(steps)
		}
		given := map[uint64]bool{}
		operations := 0
		for _, process := range p.Expand() {
			operations += len(process)
			for _, c := range process {
				if !c.Op.Puts() {
					continue
				}
				require.LessOrEqual(t, c.Value, uint64(model.MaxValue))
				if !named[c.Value] {
					require.False(t, given[c.Value], "value %d twice", c.Value)
					given[c.Value] = true
				}
			}
		}
		require.Equal(t, p.Len(), operations)
	})
}

func drawChoice(t *rapid.T) model.Choice {
	return model.Choice{Process: rapid.Uint16Range(0, 3).Draw(t, "process"), Pick: rapid.Uint16Range(0, 1).Draw(t, "pick")}
}

func TestChoicesAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOf(rapid.Custom(drawChoice)).Draw(t, "choices")
		var c model.Choices
		for _, p := range list {
			c.Add(p)
		}
		require.Equal(t, len(list), c.Len())
		var got []model.Choice
		for i, r := range c {
			require.NotZero(t, r.Times)
			require.True(t, i == 0 || c[i-1].Choice != r.Choice, "runs are as long as they can be")
			for range r.Times {
				got = append(got, r.Choice)
			}
		}
		require.ElementsMatch(t, list, got)
		if len(list) > 0 {
			require.Equal(t, list, got)
		}
	})
}
