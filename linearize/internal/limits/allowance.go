package limits

import (
	"fmt"
	"sync"
	"time"

	"stealproof/linearize/internal/wording"
)

// Where nobody says how long a check may take, the general search has limits of
// its own. It comes after a monitor gave up, and what it decides it decides
// soon: of the histories of BenchmarkSearchAfterMonitor none took it more than 13
// seconds, or more than half a GiB beyond a set of operations for each operation.
// The others went on without progress until the memory was used up.
const (
	searchLimit = time.Minute            // of the first search
	leastLimit  = 100 * time.Millisecond // of any
	searchShare = 4                      // searches get this part of the memory, where no limit was given
)

// allowance is what searches that lead nowhere may use up. A search gets half of
// what is left, so thousands of hopeless objects take little more than two
// minutes together; one that decides costs nothing.
type allowance struct {
	mu     sync.Mutex
	left   time.Duration
	least  time.Duration // for any search
	jobs   int           // searches at the same time, which wait together
	memory uint64        // that they may add to the heap; 0: as much as everything else
}

// Own are the limits of one search.
type Own struct {
	Time   time.Duration
	Memory uint64 // 0: as much as everything else
}

// newAllowance is nil if searches have no limits of their own.
func newAllowance(l Limits) *allowance {
	if !l.OfSearch {
		return nil
	}
	first := l.First
	if first == (Own{}) {
		first.Time = searchLimit
		if l.machine {
			first.Memory = l.Memory / searchShare
		}
	}
	return &allowance{left: 2 * first.Time, least: min(leastLimit, first.Time), jobs: l.Jobs, memory: first.Memory}
}

// grant is how long the next search may take.
func (a *allowance) grant() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return max(a.left/2, a.least)
}

// waste takes away what a search used that led nowhere.
func (a *allowance) waste(used time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left = max(a.left-used/time.Duration(a.jobs), 0)
}

func allowanceText(limit time.Duration) string {
	return fmt.Sprintf("the general search did not decide within %s, a limit of its own: --timeout or --checker porcupine lets it go on", limit.Round(time.Millisecond))
}

func shareText(limit uint64) string {
	return fmt.Sprintf("the general search needs more than %s, a limit of its own: --memory, --timeout or --checker porcupine lets it go on", wording.Bytes(limit))
}
