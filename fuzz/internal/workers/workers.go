// Package workers says how many goroutines share the work.
package workers

import "runtime"

// Count is a number of workers, or one per processor if none is given.
func Count(jobs int) int {
	if jobs > 0 {
		return jobs
	}
	return runtime.GOMAXPROCS(0)
}
