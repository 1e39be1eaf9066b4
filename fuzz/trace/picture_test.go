package trace_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/fuzz"
	"stealproof/linearize/draw/page/pagetest"
	"stealproof/ref"
)

func stored(t *testing.T, name string) *fuzz.Rerun {
	t.Helper()
	all, err := fuzz.StoredCases()
	require.NoError(t, err)
	for _, c := range all {
		if c.Name == name {
			r, err := fuzz.RunCase(c.Case)
			require.NoError(t, err)
			return r
		}
	}
	require.Fail(t, "no such case", name)
	return nil
}

func drawn(t *testing.T, r *fuzz.Rerun) (string, *pagetest.Page) {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, r.Picture().WriteHTML(&text))
	return text.String(), pagetest.Parse(t, text.String())
}

var arrows = regexp.MustCompile(`<g class="arrow ([a-z]+)" data-from="([0-9]+)" data-to="([0-9]+)">`)

// drawnArrows are those of a page, by what they say.
func drawnArrows(t *testing.T, text string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, m := range arrows.FindAllStringSubmatch(text, -1) {
		found[strings.Join(m[1:], " ")] = true
	}
	return found
}

// The arrows of a picture are who read from whom, by the values alone: on a sequentially
// consistent memory the last write of the location, on a weak one what the execution says.
func TestArrowsSayWhoReadFromWhom(t *testing.T) {
	for _, name := range []string{"abp-width1.case", "blocking-printed.case", "abp-task-after-cas.case", "fences-abp-pop-fence-tail-head.case", "buffering-abp-pop-swap-head.case", "orders-tz-deq-read-slot.case"} {
		t.Run(name, func(t *testing.T) {
			r := stored(t, name)
			text, page := drawn(t, r)
			want := map[string]bool{}
			byStep := map[int]*ref.Event{}
			for i := range r.Execution.Trace {
				if ev := &r.Execution.Trace[i]; !ev.Silent {
					byStep[ev.Step] = ev
				}
			}
			for step := 1; step <= len(byStep); step++ {
				ev := byStep[step]
				if ev.Kind == ref.Fence {
					continue
				}
				source := ev.Source
				if !r.Execution.Setup.Weak() {
					for s := step - 1; s > 0 && source == 0; s-- {
						if w := byStep[s]; w.Kind != ref.Fence && w.Location == ev.Location && w.Writes() {
							source = s
						}
					}
				}
				if source > 0 && ev.Kind != ref.Store {
					require.Equal(t, byStep[source].After, ev.Before, "step %d reads what step %d wrote", step, source)
					if byStep[source].Process != ev.Process || ev.Missed > 0 || source > step {
						want[fmt.Sprintf("reads %d %d", source, step)] = true
					}
				}
				if ev.Missed > 0 {
					want[fmt.Sprintf("missed %d %d", ev.Missed, step)] = true
				}
				if ev.Overtaken > 0 {
					want[fmt.Sprintf("overtook %d %d", step, ev.Overtaken)] = true
				}
			}
			got := drawnArrows(t, text)
			for a := range got {
				if from, to := 0, 0; strings.HasPrefix(a, "overwrites") {
					_, err := fmt.Sscanf(a, "overwrites %d %d", &from, &to)
					require.NoError(t, err)
					assert.Equal(t, byStep[from].Location, byStep[to].Location)
					assert.NotEqual(t, byStep[from].Process, byStep[to].Process)
					assert.Equal(t, ref.Store, byStep[from].Kind)
					delete(got, a)
				}
			}
			assert.NotEmpty(t, want, "otherwise this tests nothing")
			assert.Equal(t, want, got)
			for step := range byStep {
				assert.True(t, page.IDs["step"+strconv.Itoa(step)], "every access has a box")
				assert.True(t, page.IDs["row"+strconv.Itoa(step)], "and a row")
			}
			assert.Equal(t, 2, page.Classes["access fatal"]+page.Classes["access writes fatal"], "one, and one in the legend")
		})
	}
}

// Of a long execution what matters is drawn, and how much is left out.
func TestLongExecutionIsShortened(t *testing.T) {
	r := stored(t, "abp-width4-wrap.case")
	text, page := drawn(t, r)
	assert.Regexp(t, `⋯ [0-9]+ rows left out`, text)
	assert.True(t, page.IDs[fmt.Sprintf("step%d", r.Fatal)])
	assert.Less(t, len(text), 200_000)
}

// The picture alone needs nothing else either.
func TestPictureAlone(t *testing.T) {
	var svg bytes.Buffer
	require.NoError(t, stored(t, "fences-abp-push-fence-task-tail.case").Picture().WriteSVG(&svg))
	pagetest.WellFormed(t, svg.String())
	assert.Contains(t, svg.String(), "step 7 missed step 2, which had written something newer")
	assert.Contains(t, svg.String(), `class="operation matters"`)
}
