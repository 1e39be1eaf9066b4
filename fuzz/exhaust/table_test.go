package exhaust

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"stealproof/fuzz/internal/given"
)

// The graphs of these programs are as many as GenMC 0.11 finds under RC11, of which
// they also are: one for each reads-from and coherence. Orders of sc fences aside, RC11
// and PTX allow the same of these.
func TestGraphsAreAsManyAsThoseOfOthers(t *testing.T) {
	for _, c := range []struct {
		spec, program string
		sc, ptx, tso  int
	}{
		{"chase-lev", "0: push push push pop pop\n1: steal steal\n2: steal", 5478, 5543, 5543},
		{"chase-lev", "0: push push push pop pop pop\n1: steal steal\n2: steal steal", 96_376, 97_914, 97_894},
		{"abp", "0: push push push pop pop pop\n1: steal steal\n2: steal steal", 25_950, 26_288, 25_950},
	} {
		if c.ptx > given.Amount(testing.Short(), 10_000, 10_000, 1_000_000) {
			continue
		}
		for memory, want := range map[string]int{"sc": c.sc, "ptx": c.ptx, "rc11": c.ptx, "tso": c.tso} {
			setup := weakSetupOf(t, memory, c.spec, c.program)
			r := exhaust(t, &Search{Subject: setup.Subject, Programs: alone(setup), Jobs: 1, everyProcess: true})
			assert.True(t, r.Complete)
			assert.Equal(t, want, r.Executions, "%s %s", c.spec, memory)
			if memory != "sc" {
				assert.Zero(t, r.DeadEnds, c.spec)
			}
			t.Log(c.spec, memory, r.Executions, r.Cut, r.DeadEnds, r.Elapsed)
		}
	}
}
