package litmus

import (
	"slices"

	"stealproof/ref/axioms"
)

// threads is the row of threads and where they run.
func (p *parser) threads() error {
	clusters := 0
	for {
		at := p.now.at
		hasCluster, err := p.thread()
		if err != nil {
			return err
		}
		if hasCluster {
			clusters++
		}
		if clusters != 0 && clusters != len(p.test.Threads) {
			return p.errorf(at, "expected a cluster for every thread, or for none")
		}
		if end, err := p.accept(";"); end || err != nil {
			if err != nil {
				return err
			}
			break
		}
		if !p.is("|") {
			return p.expected(`"|" and another thread, or ";"`)
		}
		if err := p.advance(); err != nil {
			return err
		}
	}
	if clusters == 0 {
		p.clusterPerBlock()
	}
	return p.declareRegisters()
}

// clusterPerBlock gives each block its own cluster, as PTX does where a kernel
// is launched without clusters.
func (p *parser) clusterPerBlock() {
	for i := range p.test.Threads {
		place := &p.test.Threads[i].Place
		place.Cluster = place.CTA
	}
}

func (p *parser) thread() (hasCluster bool, err error) {
	id, isThread := threadNumber(p.now)
	if !isThread {
		return false, p.expected(`a thread and where it runs, as in "P0@cta 0,gpu 0"`)
	}
	if _, twice := p.columns[id]; twice {
		return false, p.errorf(p.now.at, "thread %s stands here twice", p.now.text)
	}
	p.columns[id] = len(p.test.Threads)
	if err := p.advance(); err != nil {
		return false, err
	}
	th := Thread{ID: id}
	seen := map[string]bool{}
	for first := true; first || p.is(","); first = false {
		if first && !p.is("@") {
			return false, p.expected(`"@" and where the thread runs, as in "P0@cta 0,gpu 0"`)
		}
		if err := p.advance(); err != nil {
			return false, err
		}
		if err := p.place(&th.Place, seen); err != nil {
			return false, err
		}
	}
	if !seen["cta"] {
		return false, p.errorf(p.now.at, `thread %s: expected the block where it runs, as in "cta 0"`, threadName(id))
	}
	p.test.Threads = append(p.test.Threads, th)
	return seen["cluster"], nil
}

func (p *parser) place(place *axioms.Place, seen map[string]bool) (err error) {
	level := p.now
	field := map[string]*int{"cta": &place.CTA, "cluster": &place.Cluster, "gpu": &place.GPU}[level.text]
	if field == nil || level.kind != word {
		return p.expected(`"cta", "cluster" or "gpu"`)
	}
	if seen[level.text] {
		return p.errorf(level.at, "%s stands here twice", level.text)
	}
	seen[level.text] = true
	if err := p.advance(); err != nil {
		return err
	}
	*field, err = p.index("the number of the " + level.text)
	return err
}

func (p *parser) declareRegisters() error {
	for i, d := range p.declared {
		column, exists := p.columns[d.thread]
		if !exists {
			return p.errorf(d.at, "there is no thread %s: expected one of %s", threadName(d.thread), p.threadList())
		}
		same := func(e declaration) bool { return e.thread == d.thread && e.register == d.register }
		if slices.ContainsFunc(p.declared[:i], same) {
			return p.errorf(d.at, "register %s of %s is declared twice", d.register, threadName(d.thread))
		}
		th, r := &p.test.Threads[column], p.register(column, d.register)
		th.Initial[r], th.declared[r] = d.value, true
	}
	return nil
}

// register finds the number of a register in its thread, or gives it one.
func (p *parser) register(column int, name string) int {
	th := &p.test.Threads[column]
	if i := slices.Index(th.Registers, name); i >= 0 {
		return i
	}
	th.Registers = append(th.Registers, name)
	th.Initial = append(th.Initial, 0)
	th.declared = append(th.declared, false)
	return len(th.Registers) - 1
}
