package ref

import (
	"fmt"
	"slices"
	"strings"

	"stealproof/model"
)

// place is where a process runs: scopes are sets of places.
type place struct{ block, cluster, gpu int }

// placements say how processes are spread, by the smallest scope that contains
// two of them.
var placements = map[string]func(process int) place{
	"block":   func(int) place { return place{} },
	"cluster": func(p int) place { return place{block: p} },
	"gpu":     func(p int) place { return place{block: p, cluster: p} },
	"system":  func(p int) place { return place{block: p, cluster: p, gpu: p} },
}

// shares is the smallest scope that contains both places.
func (a place) shares(b place) Scope {
	switch {
	case a.gpu != b.gpu:
		return System
	case a.cluster != b.cluster:
		return GPU
	case a.block != b.block:
		return Cluster
	}
	return Block
}

// The memories that a program can be simulated on, as specs name them.
const (
	MemorySC  = "sc"
	MemoryPTX = "ptx"
)

const defaultPlacement = "gpu"

// places resolves a memory's spec: where each process runs on a weak memory,
// nothing on the sequentially consistent one.
func places(m model.Spec, processes int) ([]place, error) {
	if m.Structure == "" || m.Structure == MemorySC {
		if len(m.Settings) > 0 {
			return nil, fmt.Errorf("%s: sc has no settings", m)
		}
		return nil, nil
	}
	if m.Structure != MemoryPTX {
		return nil, fmt.Errorf("unknown memory %q: expected sc or ptx", m.Structure)
	}
	name := defaultPlacement
	for setting, v := range m.Settings {
		if setting != "place" {
			return nil, fmt.Errorf("%s: unknown setting %q: expected place", m, setting)
		}
		name = v
	}
	where, known := placements[name]
	if !known {
		return onePlaceEach(name, processes)
	}
	all := make([]place, processes)
	for p := range all {
		all[p] = where(p)
	}
	return slices.Clip(all), nil
}

// onePlaceEach reads a place for every process, as in "0.0.0+0.0.1+1.0.0": the
// number of its GPU, of the cluster there, and of the block in that.
func onePlaceEach(list string, processes int) ([]place, error) {
	var all []place
	for item := range strings.SplitSeq(list, "+") {
		var p place
		if n, err := fmt.Sscanf(item+";", "%d.%d.%d;", &p.gpu, &p.cluster, &p.block); n != 3 || err != nil || min(p.gpu, p.cluster, p.block) < 0 {
			return nil, fmt.Errorf("ptx: place=%s: expected block, cluster, gpu or system, or GPU.CLUSTER.BLOCK of every process, as in 0.0.0+0.0.1", list)
		}
		all = append(all, p)
	}
	if len(all) != processes {
		return nil, fmt.Errorf("ptx: place=%s: expected a place for each of %d processes, found %d", list, processes, len(all))
	}
	return all, nil
}

// CheckMemory refuses memories that there are not, for any number of processes.
func CheckMemory(m model.Spec) error {
	_, err := places(m, 1+strings.Count(m.Settings["place"], "+"))
	return err
}
