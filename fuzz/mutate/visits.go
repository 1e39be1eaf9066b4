package mutate

import (
	"sync/atomic"

	"stealproof/model"
	"stealproof/ref"
)

// visits are the lines of a structure that executions have come to, by their numbers.
type visits [256]atomic.Bool

func (v *visits) at(site int) bool { return v[site].Load() }

// watch is a structure whose accesses are noted.
func (v *visits) watch(s ref.Structure) ref.Structure {
	if c, ok := s.(ref.Cooperative); ok {
		return visitedTeam{visited{s, v}, c}
	}
	return visited{s, v}
}

type visited struct {
	ref.Structure
	visits *visits
}

func (s visited) Do(m ref.Memory, o *model.Operation) { s.Structure.Do(visitedMemory{m, s.visits}, o) }

// NextPhase does nothing for a structure without phases.
func (s visited) NextPhase(m ref.Memory) {
	if p, ok := s.Structure.(ref.Phased); ok {
		p.NextPhase(visitedMemory{m, s.visits})
	}
}

// visitedTeam is one whose operations lanes carry out together.
type visitedTeam struct {
	visited
	together ref.Cooperative
}

func (s visitedTeam) Together(o *model.Operation) ref.Crew {
	return visitedCrew{s.together.Together(o), s.visits}
}

type visitedCrew struct {
	ref.Crew
	visits *visits
}

func (c visitedCrew) Lane(m ref.Lane, lane int) {
	c.Crew.Lane(visitedLane{visitedMemory{m, c.visits}, m}, lane)
}

type visitedLane struct {
	visitedMemory
	ref.Waiting
}

// visitedMemory notes the line of every access.
type visitedMemory struct {
	ref.Memory
	visits *visits
}

func (m visitedMemory) Load(l ref.Location, a ref.Access) uint64 {
	m.visits[a.Site].Store(true)
	return m.Memory.Load(l, a)
}

func (m visitedMemory) Store(l ref.Location, v uint64, a ref.Access) {
	m.visits[a.Site].Store(true)
	m.Memory.Store(l, v, a)
}

func (m visitedMemory) CompareAndSwap(l ref.Location, old, desired uint64, a ref.Access) (uint64, bool) {
	m.visits[a.Site].Store(true)
	return m.Memory.CompareAndSwap(l, old, desired, a)
}

func (m visitedMemory) FetchAdd(l ref.Location, delta uint64, a ref.Access) uint64 {
	m.visits[a.Site].Store(true)
	return m.Memory.FetchAdd(l, delta, a)
}

func (m visitedMemory) Modify(l ref.Location, operand uint64, change ref.Change, a ref.Access) uint64 {
	m.visits[a.Site].Store(true)
	return m.Memory.Modify(l, operand, change, a)
}

func (m visitedMemory) Fence(a ref.Access) {
	m.visits[a.Site].Store(true)
	m.Memory.Fence(a)
}
