package linearize

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// However many objects are hopeless, they do not take a minute each; and what
// can be decided does not take anything from the others.
func TestSearchesShareOneAllowance(t *testing.T) {
	a := newAllowance(limits{jobs: 1, memory: 1 << 30, ofSearch: true})
	var spent []time.Duration
	total := time.Duration(0)
	for range 1000 {
		granted := a.grant()
		spent, total = append(spent, granted), total+granted
		a.waste(granted)
	}
	assert.Equal(t, []time.Duration{60 * time.Second, 30 * time.Second, 15 * time.Second, 7500 * time.Millisecond}, spent[:4])
	assert.Equal(t, leastLimit, spent[999])
	assert.Less(t, total, 2*searchLimit+1000*leastLimit)

	// Four that wait at the same time wait once.
	a = newAllowance(limits{jobs: 4, memory: 1 << 30, ofSearch: true})
	for range 4 {
		a.waste(a.grant())
	}
	assert.Greater(t, a.grant(), 30*time.Second)

	g := newGuard(t.Context(), time.Now(), limits{jobs: 1, ofSearch: true})
	defer g.close()
	for range 100 {
		require.Empty(t, g.search(func(*stopper) bool { return true }))
	}
	assert.Equal(t, searchLimit, g.own.grant())
}

// The memory of the searches has a limit as well, unless the user gave one.
func TestShareOfMemory(t *testing.T) {
	require.EqualValues(t, 1<<30, newAllowance(limits{memory: 4 << 30, machine: true, ofSearch: true}).memory)
	require.Zero(t, newAllowance(limits{memory: 4 << 30, ofSearch: true}).memory)
	require.Nil(t, newAllowance(limits{memory: 4 << 30}))
}
