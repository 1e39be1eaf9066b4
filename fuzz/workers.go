package fuzz

import "runtime"

// workersOf is a number of workers, or one per processor if none is given.
func workersOf(jobs int) int {
	if jobs > 0 {
		return jobs
	}
	return runtime.GOMAXPROCS(0)
}
