package limits

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/linearize/internal/general"
)

// However many objects are hopeless, they do not take a minute each; and what
// can be decided does not take anything from the others.
func TestSearchesShareOneAllowance(t *testing.T) {
	a := newAllowance(Limits{Jobs: 1, Memory: 1 << 30, OfSearch: true})
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
	a = newAllowance(Limits{Jobs: 4, Memory: 1 << 30, OfSearch: true})
	for range 4 {
		a.waste(a.grant())
	}
	assert.Greater(t, a.grant(), 30*time.Second)

	g := New(t.Context(), time.Now(), Limits{Jobs: 1, OfSearch: true})
	defer g.Close()
	for range 100 {
		require.Empty(t, g.Search(func(*general.Stopper) bool { return true }))
	}
	assert.Equal(t, searchLimit, g.Own.grant())
}

// The memory of the searches has a limit as well, unless the user gave one.
func TestShareOfMemory(t *testing.T) {
	require.EqualValues(t, 1<<30, newAllowance(Limits{Memory: 4 << 30, machine: true, OfSearch: true}).memory)
	require.Zero(t, newAllowance(Limits{Memory: 4 << 30, OfSearch: true}).memory)
	require.Nil(t, newAllowance(Limits{Memory: 4 << 30}))
}
