package gpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"stealproof/gpu"
	"stealproof/model"
)

// specs are what has patches besides the planted defects, which kernels_test.go runs:
// those of the wide abp, every fence left out, and variants.
func specs() (all []string) {
	for _, d := range gpu.Designs {
		for _, name := range gpu.Names(d.Defects) {
			if d.Name == "abp" {
				all = append(all, "abp:width=32,defect="+name)
			}
		}
		for _, name := range gpu.Names(d.Fences) {
			if name != "pop-task-tail" {
				all = append(all, d.Name+":without="+name)
			}
		}
	}
	return append(all, "abp:without=all", "the:without=all", "abp:width=32,without=all", "abp:variant=release2011,without=pop-task-tail", "tz:variant=original")
}

// All that a launch of these runs is patched, and says so.
func TestEveryPatchFits(t *testing.T) {
	for i, text := range specs() {
		if testing.Short() && i%4 != 0 {
			continue
		}
		spec, err := model.ParseSpec(text)
		require.NoError(t, err)
		c, err := gpu.Resolve(spec)
		require.NoError(t, err)
		require.NotEmpty(t, c.Patches, text)
		patched, err := patchedStructure(c, nil)
		if assert.NoError(t, err, text) {
			assert.Contains(t, string(patched[:1000]), " // patched: ", text)
		}
	}
}
