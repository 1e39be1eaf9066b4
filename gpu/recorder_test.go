package gpu_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/gpu"
)

// entry is the text of one kernel of a module.
func entry(t testing.TB, module, name string) string {
	t.Helper()
	text, err := gpu.Module(module)
	require.NoError(t, err)
	_, after, found := strings.Cut(string(text), ".visible .entry "+name+"(")
	require.True(t, found, name)
	body, _, _ := strings.Cut(after, ".visible .entry ")
	return body
}

// What recording costs is decided here: one reading of the clock, behind the
// instruction that waits for the result, and one store for each operation.
func TestARecordIsOneStampAndOneStore(t *testing.T) {
	stamp := regexp.MustCompile(`@absurd pmevent 1;\s+mov\.u64 %rd\d+, %globaltimer;`)
	for module, operations := range map[string]int{"abp": 3, "abp-book": 3, "tz": 2, "the": 3, "list": 2} {
		raw, bare := entry(t, module, "stealproof_run_raw"), entry(t, module, "stealproof_run_bare")
		assert.Len(t, stamp.FindAllString(raw, -1), operations, module)
		assert.Equal(t, operations, strings.Count(raw, "st.global.v4.u32"), module)
		assert.NotContains(t, raw, "recorder_performed", module)
		assert.Empty(t, stamp.FindAllString(bare, -1), module)
		assert.NotContains(t, bare, "st.global.v4.u32", module)
	}
}

// The kernel that nothing is recorded of does the same accesses, in the same
// numbers, or it would be no measure. That the driver's compiler leaves out none
// either is what its sum of the results is for.
func TestTheBareKernelDoesTheSameAccesses(t *testing.T) {
	named := regexp.MustCompile(`// site (\w+)`)
	count := func(text string) map[string]int {
		n := map[string]int{}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			n[m[1]]++
		}
		return n
	}
	for _, module := range moduleNames(t) {
		if module != "clock" {
			assert.Equal(t, count(entry(t, module, "stealproof_run_raw")), count(entry(t, module, "stealproof_run_bare")), module)
		}
	}
}
