package gpu

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"stealproof/gpu"
)

// Each launch is compared with the one of the same round: a machine that is
// slower in one round must not look like a cost.
func TestBenchComparesLaunchesOfARound(t *testing.T) {
	ms := func(times ...int) (d []time.Duration) {
		for _, n := range times {
			d = append(d, time.Duration(n)*time.Millisecond)
		}
		return d
	}
	raw := benchMode{name: "raw", times: ms(105, 420, 104, 103, 108)}
	assert.Equal(t, "  raw                  105ms       1 million operations a second  +5.0% time (+4.0% to +5.0%)", raw.line(ms(100, 400, 100, 100, 100), 105000))
	assert.Equal(t, ms(105, 420, 104, 103, 108), raw.times, "the order of the rounds is kept")
}

func TestBenchComparesWithAKernelThatDoesNotRecord(t *testing.T) {
	modes := benchModes()
	assert.Equal(t, "unrecorded", modes[0].name)
	for i, m := range modes {
		o := gpu.Defaults()
		m.set(&o)
		assert.Equal(t, i == 0, o.Unlogged, m.name)
		assert.Equal(t, m.name == "performed", o.Performed, m.name)
	}
}
