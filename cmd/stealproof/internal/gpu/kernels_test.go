package gpu_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/cmd/stealproof/internal/commandtest"
	"stealproof/fuzz"
	"stealproof/fuzz/exhaust"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/gpu"
	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx"
)

// kernel is the module of a structure with its patches, to be executed without a GPU;
// where the spec leaves it open, of the size that the text in package ref has.
func kernel(t testing.TB, text string, memory model.Spec) ref.Subject {
	t.Helper()
	spec, err := model.ParseSpec(text)
	require.NoError(t, err)
	d, err := ref.FindDesign(spec.Structure)
	require.NoError(t, err)
	for _, s := range d.Settings {
		if s.Name == "capacity" && spec.Settings[s.Name] == "" {
			spec = spec.With(s.Name, s.Default)
		}
	}
	c, err := gpu.Resolve(spec)
	require.NoError(t, err)
	module, err := gpu.Module(c.Module)
	require.NoError(t, err)
	m, err := ptx.Load(c.Module+".ptx", module)
	require.NoError(t, err)
	f, err := m.Foreign(c.Kind, ptx.Setup{Numbers: c.Numbers})
	require.NoError(t, err)
	f.Capacity, f.Shared = c.Params.Capacity, c.Params.Shared
	s, err := f.Subject(memory)
	require.NoError(t, err)
	if c.Patches == "" {
		return s
	}
	s, err = s.With(s.Spec().With("patch", c.Patches))
	require.NoError(t, err)
	return s
}

// lookFor looks for a planted defect of a kernel as the register does for that of the
// text.
func lookFor(t testing.TB, p fuzz.Planted, spec string, memory model.Spec) *fuzz.Result {
	t.Helper()
	s := kernel(t, spec, memory)
	c := &fuzz.Campaign{Subject: s, Shape: p.Shape, Seed: 7, Runs: p.Runs, Schedule: model.Schedule{Strategy: schedule.Default}}
	if p.Program != "" {
		program, err := s.ParseProgram(p.Program)
		require.NoError(t, err)
		c.Program = &program
	}
	r, err := c.Run(t.Context())
	require.NoError(t, err)
	return r
}

// Every planted defect of a kernel is found without a GPU, within the bounds that the
// register has for the texts in package ref; at full size every setting that must fail
// as well.
func TestEveryPlantedDefectOfAKernelIsFound(t *testing.T) {
	planted := map[string]bool{}
	for i, p := range fuzz.Register {
		spec, err := model.ParseSpec(p.Spec)
		require.NoError(t, err)
		for name := range strings.SplitSeq(spec.Settings["defect"], "+") {
			planted[spec.Structure+":"+name] = true
		}
		if !commandtest.Large() && !strings.Contains(p.Spec, "defect=") || !commandtest.Large() && i%2 != 0 || testing.Short() && i%8 != 0 {
			continue
		}
		r := lookFor(t, p, p.Spec, model.Spec{})
		assert.NotNil(t, r.Failure, "%s: not found in %d runs: %s", p.Spec, p.Runs, p.Why)
	}
	for _, defect := range []string{"counter-kept-on-swap", "counter-kept-on-store"} {
		r := lookFor(t, fuzz.Planted{Runs: 5000}, "abp:width=32,defect="+defect, model.Spec{})
		assert.NotNil(t, r.Failure, defect)
	}
	for _, d := range gpu.Designs {
		for _, name := range gpu.Names(d.Defects) {
			assert.True(t, planted[d.Name+":"+name], "%s:defect=%s: nobody looks for it", d.Name, name)
		}
	}
}

// And nothing is found in the whole kernels by the same programs and schedules.
func TestNothingIsFoundInWholeKernels(t *testing.T) {
	most := 1000
	if commandtest.Large() {
		most = 20_000
	}
	seen := map[string]bool{}
	for _, p := range fuzz.Register {
		spec, err := model.ParseSpec(p.Spec)
		require.NoError(t, err)
		whole := model.Spec{Structure: spec.Structure}
		for _, name := range []string{"capacity", "every"} {
			if v := spec.Settings[name]; v != "" {
				whole = whole.With(name, v)
			}
		}
		if key := fmt.Sprint(whole, p.Shape, p.Program); seen[key] {
			continue
		} else {
			seen[key] = true
		}
		p.Runs = min(p.Runs, most)
		r := lookFor(t, p, whole.String(), model.Spec{})
		if assert.Nil(t, r.Failure, whole) {
			assert.Equal(t, model.Linearizable, r.Verdict)
		}
	}
}

// A fence that is left out is found on the weak memory; that between a thief's read of
// the task and its swap only with load buffering, in every execution. There all six do not
// suffice, but do with a swap of pop that acquires.
func TestFencesLeftOutAreFound(t *testing.T) {
	weak := model.Spec{Structure: ref.MemoryPTX}
	for _, d := range gpu.Designs {
		for _, name := range gpu.Names(d.Fences) {
			if name == "pop-task-tail" || name == "steal-task-head" { // only the release of 2011 has the first
				continue
			}
			r := lookFor(t, fuzz.Planted{Runs: 1000}, d.Name+":without="+name, weak)
			assert.NotNil(t, r.Failure, "%s without %s", d.Name, name)
		}
		if len(d.Fences) > 0 {
			assert.Nil(t, lookFor(t, fuzz.Planted{Runs: 1000}, d.Name, weak).Failure, d.Name)
		}
	}
	const acquires = "pop_swap_head.acquire"
	for patch, want := range map[string]model.Verdict{"": model.Violation, acquires: model.Linearizable, acquires + "+steal_fence_task_head.drop": model.Violation} {
		s := kernel(t, "abp", weak.With("buffering", "yes"))
		if patch != "" {
			var err error
			s, err = s.With(s.Spec().With("patch", patch))
			require.NoError(t, err)
		}
		all, err := programs.All(s, programs.Bounds{Shape: programs.Shape{4, 1}})
		require.NoError(t, err)
		r, err := (&exhaust.Search{Subject: s, Programs: all, Jobs: 1}).Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, patch)
	}
}
