package machine

import "fmt"

// MostThreads is how many threads of a block are executed.
const MostThreads = 64

// Team says which threads of a block there are: of each of its warps so many, from the
// first one on. The others are not waited for, as if they had exited.
type Team []int

// TeamOf is a block of so many warps with so many lanes each. More lanes than a warp has
// are those of several.
func TeamOf(warps, lanes int) (t Team, err error) {
	warps, lanes = max(1, warps), max(1, lanes)
	switch {
	case warps > MostThreads || lanes > MostThreads || warps*lanes > MostThreads:
		return nil, fmt.Errorf("at most %d lanes are executed in all", MostThreads)
	case warps > 1 && lanes > MostLanes:
		return nil, fmt.Errorf("a warp has at most %d lanes", MostLanes)
	}
	for range warps {
		for left := lanes; left > 0; left -= MostLanes {
			t = append(t, min(left, MostLanes))
		}
	}
	return t, nil
}

// Threads is how many there are.
func (t Team) Threads() (n int) {
	for _, lanes := range t {
		n += lanes
	}
	return n
}

// size is how many threads the block has, those included that are not there.
func (t Team) size() uint64 {
	last := len(t) - 1
	for _, lanes := range t[:last] {
		if lanes < MostLanes {
			return uint64(len(t)) * MostLanes
		}
	}
	return uint64(last*MostLanes + t[last])
}

// seat is where a thread sits: its warp, its lane there, and which threads the warp has.
type seat struct {
	warp, lane  int
	first, size int
}

// mask are the threads of the warp.
func (s *seat) mask() uint64 { return (1<<s.size - 1) << s.first }

func (t Team) seats() (all []seat) {
	for warp, lanes := range t {
		first := len(all)
		for lane := range lanes {
			all = append(all, seat{warp, lane, first, lanes})
		}
	}
	return all
}
