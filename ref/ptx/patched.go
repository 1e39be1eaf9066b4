package ptx

import (
	"fmt"
	"slices"

	"stealproof/model"
	"stealproof/ref"
	"stealproof/ref/ptx/machine"
	"stealproof/ref/ptx/patch"
)

// changed is the structure in the module with its text changed, or with other lanes.
func (m *Module) changed(settings model.Settings, kind model.Kind, setup Setup) (ref.Foreign, error) {
	if lanes := settings[lanesSetting]; lanes != "" {
		var err error
		if setup, err = setup.WithLanes(lanes); err != nil {
			return ref.Foreign{}, err
		}
	}
	if patches := settings[ref.PatchSetting]; patches != "" {
		return m.patched(patches, kind, setup)
	}
	return m.Foreign(kind, setup)
}

func (m *Module) patched(patches string, kind model.Kind, setup Setup) (ref.Foreign, error) {
	all, err := patch.Parse(patches)
	if err != nil {
		return ref.Foreign{}, err
	}
	kernels := operations(kind)
	t := patch.New(m.text, m.source, kernels...)
	onlyOrders := true
	for _, p := range all {
		onlyOrders = onlyOrders && t.OnlyOrders(p)
		if t, err = t.Apply([]patch.Patch{p}); err != nil {
			return ref.Foreign{}, err
		}
	}
	if !slices.ContainsFunc(append(kernels, prepareKernel), t.Changed) {
		return ref.Foreign{}, fmt.Errorf("patch %q: it changes nothing that an operation executes", patches)
	}
	changed, err := Load(m.file, []byte(t.String()))
	if err != nil {
		return ref.Foreign{}, err
	}
	f, err := changed.Foreign(kind, setup)
	f.OnlyOrders = onlyOrders
	return f, err
}

// mutants are the patches of single accesses of the operations.
func (m *Module) mutants(kind model.Kind, program *machine.Program) (all []ref.Mutant) {
	operators := map[string]*ref.Operator{}
	for _, o := range patch.Operators {
		operators[o.Name] = &ref.Operator{Name: o.Name, Doc: o.Doc, Orders: o.Orders}
	}
	t := patch.New(m.text, m.source, operations(kind)...)
	sitesAt := func(places []int) (sites []int) {
		for _, at := range places {
			if site, known := program.SiteAt(at); known && !slices.Contains(sites, site) {
				sites = append(sites, site)
			}
		}
		return sites
	}
	for _, p := range t.Mutants() {
		sites := sitesAt(t.Places(p))
		if len(sites) == 0 { // a barrier is come to if an access beside it is
			sites = sitesAt(t.Near(p))
		}
		if len(sites) > 0 {
			all = append(all, ref.PatchMutant(sites, operators[p.Operator.Name], p.String()))
		}
	}
	return all
}

// liberties are what a compiler may make of the weak accesses of the operations.
func (m *Module) liberties(kind model.Kind) (all []string) {
	for _, p := range patch.New(m.text, m.source, operations(kind)...).Liberties() {
		all = append(all, p.String())
	}
	return all
}
