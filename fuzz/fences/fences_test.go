package fences

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/fuzz/internal/given"
	"stealproof/fuzz/programs"
	"stealproof/fuzz/schedule"
	"stealproof/model"
	"stealproof/ref"
)

func searchFences(t *testing.T, f Search) *Answer {
	t.Helper()
	f.Subject, f.Shape = given.On(t, "ptx", f.Subject), programs.DefaultShape
	r, err := f.Run(context.Background())
	require.NoError(t, err)
	return r
}

// bySlug names the orders of an answer.
func bySlug(r *Answer) map[string]string {
	names := map[string]string{}
	for site, o := range r.Sufficient {
		names[r.Design.SiteSlug(site)] = o.String()
	}
	return names
}

// Of the fences of the deque, those that the literature on weak memory names are
// needed: two that order a store or a load before a load, for which only sc will
// do, and the ones that publish. That of steal between task and head guards
// against load buffering alone; see TestTheSixthFenceOfTheDequeIsNeeded.
func TestFencesOfTheDeque(t *testing.T) {
	if testing.Short() {
		t.Skip("tries every order of the deque")
	}
	r := searchFences(t, Search{Subject: given.Subject(t, "abp"), FencesOnly: true, Runs: 20_000, Bound: []programs.Bounds{{Shape: programs.Shape{4, 1}}, {Shape: programs.Shape{2, 1, 1}}}})
	assert.Equal(t, map[string]string{
		"push-fence-task-tail":         "acq_rel",
		"steal-fence-head-tail":        "sc",
		"steal-fence-tail-task":        "acq_rel",
		"steal-fence-task-head":        "weak",
		"pop-fence-tail-head":          "sc",
		"pop-fence-tail-head-on-reset": "acq_rel",
	}, bySlug(r))
	assert.True(t, r.Exhausted)
	assert.Positive(t, r.Executions)
	require.Len(t, r.Needed, 5)
	for _, n := range r.Needed {
		again, err := fuzz.RunCase(n.Case)
		require.NoError(t, err)
		assert.True(t, again.Expected(), "%s %s", r.Design.Sites[n.Site], n.Weaker)
		// with the order that suffices, no execution of this program fails
		c := n.Case
		c.Spec = WithOrders(given.Spec(t, "abp"), r.Design, r.Sites, r.Sufficient)
		setup := given.Prepare(t, given.On(t, "ptx", given.Subject(t, c.Spec.String())), c.Program.String())
		sim := ref.NewSim(setup)
		for seed := range uint64(500) {
			w := &schedule.Walk{}
			w.Begin(seed)
			assert.True(t, fuzz.Holds(sim.Run(w)))
		}
		sim.Close()
	}
}

// A lock needs acquire and release, and then nothing else.
func TestOrdersOfALock(t *testing.T) {
	r := searchFences(t, Search{Subject: given.Subject(t, "blocking"), Runs: 5000, Bound: []programs.Bounds{{Shape: programs.Shape{2, 1}}}})
	for slug, order := range bySlug(r) {
		want := map[string]string{"lock": "acquire", "unlock": "release"}[slug]
		if want == "" {
			want = "weak"
		}
		assert.Equal(t, want, order, slug)
	}
}

// Where the strongest orders do not suffice, there is a counterexample to them.
func TestNoOrdersSuffice(t *testing.T) {
	r := searchFences(t, Search{Subject: given.Subject(t, "abp:defect=steal-store"), FencesOnly: true, Runs: 2000})
	require.NotNil(t, r.Failure)
	assert.Equal(t, model.Violation, r.Failure.Finding.Verdict)
	assert.Nil(t, r.Sufficient)
}

// Orders that the spec gives are part of the question: what a fence that it
// leaves out would prevent must still be found, whatever else is changed.
func TestFencesKeepTheOrdersOfTheSpec(t *testing.T) {
	spec := given.Spec(t, "abp:orders=steal-fence-head-tail.weak+steal-read-head.acquire")
	r := searchFences(t, Search{Subject: given.Subject(t, spec.String()), Runs: 2000})
	require.NotNil(t, r.Failure, "%v", bySlug(r))
	assert.Contains(t, r.Failure.Case.Spec.Settings["orders"], "steal-fence-head-tail.weak")

	steal := []Site{{Site: r.Sites[0].Site, Kind: ref.Load, Given: ref.Relaxed}}
	slug := r.Design.SiteSlug(steal[0].Site)
	with := func(o ref.Order) string {
		return WithOrders(spec, r.Design, steal, Orders{steal[0].Site: o}).Settings["orders"]
	}
	assert.Equal(t, spec.Settings["orders"], with(ref.Relaxed))
	assert.Equal(t, spec.Settings["orders"]+"+"+slug+".weak", with(ref.Weak))
	spec = given.Spec(t, "abp:orders="+slug+".acquire")
	assert.Equal(t, slug+".weak", with(ref.Weak), "an order given anew replaces that of the spec")
}

// The orders must suffice for every spec that is asked for, and what does not is
// no part of the question.
func TestFencesForSeveralSettings(t *testing.T) {
	r := searchFences(t, Search{Subject: given.Subject(t, "abp"), Also: []model.Spec{given.Spec(t, "abp:defect=steal-store")}, FencesOnly: true, Runs: 2000})
	require.NotNil(t, r.Failure, "alone the first one has an answer")
	assert.Contains(t, r.Failure.Case.Spec.String(), "defect=steal-store")
	f := Search{Subject: given.On(t, "ptx", given.Subject(t, "abp")), Also: []model.Spec{given.Spec(t, "the")}, Shape: programs.DefaultShape}
	_, err := f.Run(context.Background())
	assert.ErrorContains(t, err, "expected the same structure")
}
