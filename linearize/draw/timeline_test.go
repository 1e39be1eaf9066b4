package draw

import (
	"bytes"
	"context"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"stealproof/linearize"
	"stealproof/model"
)

// drawn is the page about the first violation of a history.
func drawn(t *testing.T, h *model.History) string {
	t.Helper()
	r := linearize.Check(context.Background(), h, linearize.Options{})
	require.Equal(t, model.Violation, r.Verdict)
	var page bytes.Buffer
	require.NoError(t, WriteTimeline(&page, h, r.Violations[0], Origin{}))
	return page.String()
}

// busyViolation is a queue of eight processes in which one value overtakes
// another.
func busyViolation(n int) *model.History {
	h := busyFIFO(n, 8)
	for i := range h.Ops {
		h.Ops[i].Line = uint32(i + 2)
		h.Ops[i].Call += uint64(i % 5)
		h.Ops[i].Return -= uint64(i % 7)
	}
	// two removals that certainly come one after the other change their values
	a, b := &h.Ops[n-24], &h.Ops[n-8]
	a.Value, b.Value = b.Value, a.Value
	a.Call, a.Result = a.Return, model.OK
	h.Clock = model.Clock{Source: "globaltimer", Unit: "ns", Resolution: 32}
	return h
}

func violationWithPending(t *testing.T) *model.History {
	return history(t, model.WSDeque,
		`{"process":0,"op":"push","result":"ok","value":17,"call":120,"return":131}`,
		`{"process":0,"op":"push","result":"ok","value":18,"call":131,"return":131}`,
		`{"process":0,"op":"pop","result":"ok","value":18,"call":131,"return":150}`,
		`{"process":2,"op":"steal","result":"ok","value":17,"call":125,"return":160}`,
		`{"process":4,"op":"steal","call":128}`,
		`{"process":3,"op":"steal","result":"ok","value":17,"call":140,"return":171}`)
}

func TestTimelineIsWholeAndMarked(t *testing.T) {
	page := drawn(t, violationWithPending(t))
	require.Contains(t, page, "value 17 left twice")
	require.Equal(t, 3, strings.Count(page, `<g class="marked`))
	require.Contains(t, page, `<g class="near pending"`)
	for _, outside := range []string{"http://www.w3.org/2000/svg"} {
		page = strings.ReplaceAll(page, outside, "")
	}
	for _, no := range []string{"http:", "https:", "src=", "href=", "<script", "url("} {
		require.NotContains(t, page, no, "the page must need nothing else")
	}
	requireWellFormed(t, page[strings.Index(page, "<svg"):strings.Index(page, "</svg>")+len("</svg>")])
}

func requireWellFormed(t *testing.T, text string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
	}
}

// No two bars of a row may lie over one another, and labels must fit.
func TestTimelineLeavesRoom(t *testing.T) {
	for name, h := range map[string]*model.History{"pending": violationWithPending(t), "busy": busyViolation(2000)} {
		r := linearize.Check(context.Background(), h, linearize.Options{})
		require.Equal(t, model.Violation, r.Verdict, name)
		line := newTimeline(h, r.Violations[0])
		line.layOut()
		require.LessOrEqual(t, len(line.bars), timelineBars)
		for i, b := range line.bars {
			require.GreaterOrEqual(t, b.end-b.x, b.breadth(), "%s: %s", name, b.label)
			require.LessOrEqual(t, b.end, line.width)
			for _, c := range line.bars[:i] {
				require.False(t, b.row == c.row && b.x < c.end && c.x < b.end, "%s: %s over %s", name, b.label, c.label)
			}
			for _, c := range line.bars { // time goes from left to right
				if b.op.Precedes(c.op) {
					require.Less(t, b.end, c.x, "%s before %s", b.label, c.label)
				} else if b.row != c.row && !c.op.Precedes(b.op) {
					require.True(t, b.x <= c.end && c.x <= b.end, "%s: %s beside %s", name, b.label, c.label)
				}
			}
		}
	}
}

// Names of processes are as long as numbers of 32 bits may be.
func TestTimelineHasRoomForNames(t *testing.T) {
	h := violationWithPending(t)
	for i := range h.Ops {
		h.Ops[i].Process += 4_000_000_000
	}
	page := drawn(t, h)
	require.Contains(t, page, `<text class="name" x="156"`, "18 letters of 8 pixels end there, behind 12 pixels")
}

func TestTimelineOfManyContradictions(t *testing.T) {
	h := busyViolation(4000)
	v := linearize.Violation{Kind: linearize.Other, Explanation: "<script>alert(1)</script>", Ops: make([]int, 3000)}
	for i := range v.Ops {
		v.Ops[i] = i
	}
	var page bytes.Buffer
	require.NoError(t, WriteTimeline(&page, h, v, Origin{}))
	require.Equal(t, timelineBars, strings.Count(page.String(), "<g class="))
	require.Contains(t, page.String(), "2800 more operations belong to the violation")
	require.NotContains(t, page.String(), "<script")
	require.Less(t, page.Len(), 200_000)
}

// What matters is seen without scrolling: the marked processes on top, and
// little to the left of the marked operations, whenever the others began.
func TestTimelineBeginsWithWhatMatters(t *testing.T) {
	h := busyViolation(2000)
	r := linearize.Check(context.Background(), h, linearize.Options{})
	require.Equal(t, model.Violation, r.Verdict)
	line := newTimeline(h, r.Violations[0])
	line.layOut()
	lowest, leftmost, pale := 0, line.width, line.width
	for _, b := range line.bars {
		if b.marked {
			lowest, leftmost = max(lowest, b.row), min(leftmost, b.x)
		}
	}
	processes, earlier := map[uint32]bool{}, 0
	for _, b := range line.bars {
		if b.marked {
			processes[b.op.Process] = true
		} else if b.op.Call < line.first {
			earlier++
			pale = min(pale, b.x)
		}
	}
	require.Equal(t, len(processes)-1, lowest)
	require.Greater(t, earlier, 1, "otherwise this tests nothing")
	require.Less(t, pale, leftmost)
	require.Less(t, leftmost, 300)

	var page bytes.Buffer
	require.NoError(t, WriteTimeline(&page, h, r.Violations[0], Origin{File: "a <b>.sph", Records: true}))
	require.Contains(t, page.String(), ">earlier<")
	require.Contains(t, page.String(), "is cut off there")
	require.Contains(t, page.String(), `<p class="note">a &lt;b&gt;.sph</p>`)
	require.Contains(t, page.String(), `<th class="number">record</th>`)
	require.Contains(t, page.String(), "(record ")
}

// A real browser must draw it: the picture of a page that failed is one colour.
func TestTimelineInABrowser(t *testing.T) {
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("chromium is not installed: the other tests look at the page's structure")
	}
	dir := t.TempDir()
	pages := map[string]string{"small": drawn(t, violationWithPending(t)), "busy": drawn(t, busyViolation(2000))}
	for name, page := range pages {
		file := filepath.Join(dir, name+".html")
		require.NoError(t, os.WriteFile(file, []byte(page), 0o600))
		for _, size := range []string{"1200,700", "420,800"} {
			picture := filepath.Join(dir, name+size+".png")
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
				"--user-data-dir="+filepath.Join(dir, "profile"), "--screenshot="+picture, "--window-size="+size, "file://"+file)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			info, err := os.Stat(picture)
			require.NoError(t, err, "%s", out)
			require.Greater(t, info.Size(), int64(8_000), "an empty page is smaller")
		}
	}
	if keep := os.Getenv("STEALPROOF_KEEP_PICTURES"); keep != "" {
		require.NoError(t, os.CopyFS(keep, os.DirFS(dir)))
	}
}
