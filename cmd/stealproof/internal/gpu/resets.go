package gpu

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"stealproof/gpu"
)

// resetRate is how often an abp deque is reset, which is what its counter counts.
type resetRate struct {
	name, spec, flags string
	perSecond         float64 // of one deque
	failed            string
}

// measureResets reads the counters of deques whose counter is too wide to go
// round. Nothing is recorded meanwhile.
func (t *table) measureResets(ctx context.Context) error {
	t.resets = resetShapes(t.calibration.Device.Multiprocessors)
	for i := range t.resets {
		r := &t.resets[i]
		o, err := t.parse(r.spec, r.flags)
		if err != nil {
			return err
		}
		o.Performed, o.Unlogged = false, true
		if t.lost != "" || ctx.Err() != nil {
			r.failed = "not run"
		} else if r.perSecond, err = t.countResets(ctx, o); err != nil {
			r.failed = err.Error()
		}
		fmt.Fprintf(t.progress, "%4.0fs  resets, %s: %.3g a second %s\n", time.Since(t.begin).Seconds(), r.name, r.perSecond, r.failed)
	}
	return nil
}

// resetShapes are uses that reset a deque often, and one that does less so.
func resetShapes(multiprocessors int) []resetRate {
	shape := func(name, spec string, each, processes int, flags string) resetRate {
		return resetRate{name: name, spec: spec, flags: crowd(multiprocessors, each, processes) + " --ops 20000" + flags}
	}
	return []resetRate{
		shape("an owner alone, one task at a time", "abp:width=32,capacity=1", 2, 1, " --burst 1"),
		shape("an owner alone, bursts of up to 8", "abp:width=32", 2, 1, ""),
		shape("an owner and a thief, bursts of 1", "abp:width=32", 2, 2, " --burst 1"),
		shape("an owner and 3 thieves, bursts of 1", "abp:width=32", 2, 4, " --burst 1"),
		shape("an owner and 3 thieves, bursts of up to 8", "abp:width=32", 2, 4, ""),
		shape("an owner and 3 thieves, more pops than pushes", "abp:width=32", 2, 4, " --burst 1 --mix 30"),
		shape("an owner and 7 thieves, bursts of 1", "abp:width=32", 2, 8, " --burst 1"),
		shape("ten times as many, 3 thieves, bursts of 1", "abp:width=32", 20, 4, " --burst 1"),
	}
}

// countResets launches twice, the first time to warm up.
func (t *table) countResets(ctx context.Context, o gpu.Options) (float64, error) {
	r, err := t.open(o)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for i := range uint64(2) {
		l, err := r.Launch(ctx, t.flags.seed+i)
		if err != nil {
			return 0, err
		}
		if l.Hang != "" || l.Trap != "" {
			return 0, fmt.Errorf("hang or trap: %s%s", l.Hang, l.Trap)
		}
		if i == 1 && l.Elapsed > 0 {
			return float64(resets(r, o.Objects)) / float64(o.Objects) / l.Elapsed.Seconds(), nil
		}
	}
	return 0, fmt.Errorf("the launch took no time")
}

// resets adds up the counters: the upper halves of heads of 64 bits.
func resets(r launcher, objects int) (sum uint64) {
	for i := range objects {
		sum += binary.LittleEndian.Uint64(r.Object(i)) >> 32
	}
	return sum
}

var wrapWidths = []int{1, 2, 4, 8, 16, 32}

// untilWrap is the time after which a counter of so many bits is back.
func (r resetRate) untilWrap(width int) string {
	if r.perSecond <= 0 {
		return "never"
	}
	seconds := math.Pow(2, float64(width)) / r.perSecond
	return short(time.Duration(seconds * float64(time.Second)))
}

func (r resetRate) row() string {
	cells := []string{r.name}
	if r.failed != "" {
		cells = append(cells, r.failed)
		for range wrapWidths {
			cells = append(cells, "")
		}
		return "| " + strings.Join(cells, " | ") + " |\n"
	}
	cells = append(cells, fmt.Sprintf("%.0f", r.perSecond))
	for _, width := range wrapWidths {
		cells = append(cells, r.untilWrap(width))
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}
