package schedule

import "stealproof/ref"

// mix is the default: execution after execution it takes turns between the
// random walk, PCT of several depths and round robin with few preemptions,
// since no one of them finds every defect quickly.
type mix struct {
	parts   []Strategy
	current Strategy
}

func newMix(_ *settings, setup *ref.Setup) (Strategy, error) {
	steps := sequentialSteps(setup)
	m := &mix{parts: []Strategy{
		&Walk{},
		&pct{depth: 2, steps: steps, priority: make([]int, setup.Threads())},
		&pct{depth: 3, steps: steps, priority: make([]int, setup.Threads())},
		&RoundRobin{preemptions: 2, steps: steps},
		&Walk{},
		&pct{depth: 5, steps: steps, priority: make([]int, setup.Threads())},
		&RoundRobin{preemptions: 4, steps: steps},
	}}
	m.Begin(0)
	return m, nil
}

func (m *mix) Begin(seed uint64) {
	m.current = m.parts[seed%uint64(len(m.parts))]
	m.current.Begin(seed)
}

func (m *mix) Next(v *ref.View) int { return m.current.Next(v) }

func (m *mix) Pick(v *ref.View, n int) int { return m.current.Pick(v, n) }
