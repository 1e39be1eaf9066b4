package programs

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/model"
	"stealproof/ref"
)

// everyShape is the plain way: all numbers of operations, and then one of those that
// are alike.
func everyShape(g *allPrograms) []Shape {
	all := []Shape{nil}
	for id, most := range g.bounds.Shape {
		var longer []Shape
		for _, s := range all {
			for n := 0; n <= most; n++ {
				if id > 0 || n > 0 {
					longer = append(longer, append(slices.Clone(s), n))
				}
			}
		}
		all = longer
	}
	seen := map[string]bool{}
	all = slices.DeleteFunc(all, func(s Shape) bool {
		text := g.normal(slices.Clone(s)).String()
		defer func() { seen[text] = true }()
		return seen[text]
	})
	for i := range all {
		all[i] = g.normal(all[i])
	}
	slices.SortStableFunc(all, func(a, b Shape) int { return cmp.Compare(a.total(), b.total()) })
	return all
}

// Shapes that are alike are left out on the way, and what remains is the same in the
// same order.
func TestShapesInTheOrderOfThePlainWay(t *testing.T) {
	for _, structure := range []string{"abp", "tz", "the", "list", "static"} {
		s, err := ref.NewSubject(model.Spec{Structure: structure}, model.Spec{})
		require.NoError(t, err)
		for _, shape := range []Shape{{1}, {3, 2}, {2, 2, 2}, {1, 3, 2}, {2, 1, 3}, {2, 1, 2, 1}, {1, 2, 2, 2, 2}} {
			g := &allPrograms{config: s.Config(), bounds: Bounds{Shape: shape}}
			got, err := g.shapes()
			require.NoError(t, err)
			assert.Equal(t, everyShape(g), got, "%s %s", structure, shape)
		}
	}
}

// Many processes are no reason to use up the memory before anything is searched.
func TestShapesOfManyProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("lists tens of thousands of programs")
	}
	s, err := ref.NewSubject(model.Spec{Structure: "abp"}, model.Spec{})
	require.NoError(t, err)
	list, err := All(s, Bounds{Shape: Shape{1, 8, 8, 8, 8, 8, 8, 8, 8}})
	require.NoError(t, err)
	assert.Len(t, list, 2*12_870) // as many as there are ways to give 8 thieves up to 8 steals
	s, err = ref.NewSubject(model.Spec{Structure: "static"}, model.Spec{})
	require.NoError(t, err)
	_, err = All(s, Bounds{Shape: Shape{8, 8, 8, 8, 8, 8, 8, 8, 8}})
	assert.ErrorContains(t, err, "has more than 65536 programs")
}
