package ref

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The release of 2011 is volatile, which CUDA makes relaxed at system scope, and
// swaps with atomicCAS, which is relaxed and of the device's scope. That is what
// the kernel has as well (see ptx_test.go in gpu).
func TestAtomicsAreOfTheDevicesScope(t *testing.T) {
	for variant, loads := range map[string]Access{
		"fenced": {Order: Relaxed, Scope: GPU}, "book": {Order: Weak, Scope: GPU}, "release2011": {Order: Relaxed, Scope: System},
	} {
		c := mustSubject(t, "abp:variant="+variant).Config()
		at := c.accesses()
		for _, site := range []string{"steal: swap head", "pop: swap head"} {
			assert.Equal(t, Access{Order: Relaxed, Scope: GPU, Site: c.siteNumber(site)}, at[c.siteNumber(site)], variant)
		}
		loads.Site = c.siteNumber("steal: read head")
		assert.Equal(t, loads, at[loads.Site], variant)
	}
}
