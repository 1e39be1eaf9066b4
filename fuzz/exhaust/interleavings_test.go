package exhaust

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/fuzz/internal/given"
	"stealproof/ref"
)

// The count by dynamic programming is that of a plain walk through all of them.
func TestInterleavingsAreCounted(t *testing.T) {
	for _, c := range []struct{ spec, program string }{
		{"abp", "0: push pop\n1: steal"},
		{"abp", "0: push push\n1: steal steal"},
		{"abp", "0: push\n1: steal\n2: steal"},
		{"static", "0: put | take\n1: put | take"},
		{"tz:capacity=3", "0: enq\n1: deq"},
		{"blocking:defect=no-lock", "0: enq\n1: enq\n2: deq"},
		{"blocking", "0: enq deq\n1: enq"},
	} {
		setup := given.Setup(t, c.spec, c.program)
		sim := ref.NewSim(setup)
		plain := int64(0)
		for w := (&every{}); ; {
			sim.Run(w)
			if plain++; !w.advance() {
				break
			}
		}
		sim.Close()
		count, states := countInterleavings(setup, 1<<20)
		assert.Equal(t, big.NewInt(plain), count, "%s\n%s", c.spec, c.program)
		assert.Positive(t, states)
		none, _ := countInterleavings(setup, 3)
		assert.Nil(t, none, "more states than allowed")
	}
}
