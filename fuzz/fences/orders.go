package fences

import (
	"maps"
	"slices"
	"strings"

	"stealproof/fuzz/programs"
	"stealproof/model"
	"stealproof/ref"
)

// ordersOf are the orders that a kind of access can have.
var ordersOf = map[ref.AccessKind][]ref.Order{
	ref.Load:           {ref.Weak, ref.Relaxed, ref.Acquire, ref.SC},
	ref.Store:          {ref.Weak, ref.Relaxed, ref.Release, ref.SC},
	ref.CompareAndSwap: {ref.Relaxed, ref.Acquire, ref.Release, ref.AcqRel, ref.SC},
	ref.FetchAdd:       {ref.Relaxed, ref.Acquire, ref.Release, ref.AcqRel, ref.SC},
	ref.Modify:         {ref.Relaxed, ref.Acquire, ref.Release, ref.AcqRel, ref.SC},
	ref.Fence:          {ref.Weak, ref.Acquire, ref.Release, ref.AcqRel, ref.SC},
}

// Unmade are the accesses to which a spec gives orders and which random programs did
// not make, for example since the variant does not have them: their orders may change
// nothing.
func Unmade(s ref.Subject) ([]string, error) {
	spec := s.Spec()
	given := spec.Settings["orders"]
	if given == "" {
		return nil, nil
	}
	d := s.Design()
	plain := model.Spec{Structure: spec.Structure, Settings: maps.Clone(spec.Settings)}
	delete(plain.Settings, "orders") // a fence that they leave out is not made
	asItIs, err := s.With(plain)
	if err != nil {
		return nil, err
	}
	if asItIs, err = asItIs.On(model.Spec{}); err != nil {
		return nil, err
	}
	made, err := sitesMade(asItIs, programs.DefaultShape)
	if err != nil {
		return nil, err
	}
	var unmade []string
	for item := range strings.SplitSeq(given, "+") {
		slug, _, _ := strings.Cut(item, ".")
		site := slices.IndexFunc(d.Sites, func(name string) bool { return d.SiteSlug(slices.Index(d.Sites, name)) == slug })
		if made[site] == nil {
			unmade = append(unmade, slug)
		}
	}
	return unmade, nil
}
