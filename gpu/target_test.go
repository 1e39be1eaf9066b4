package gpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestModulesForNewerDevicesAreRefused(t *testing.T) {
	h200 := Device{Name: "NVIDIA H200", Major: 9, Minor: 0}
	for _, target := range []string{"sm_70", "sm_90", "sm_90a", "sm_89, debug"} {
		assert.NoError(t, checkTarget([]byte("// made\n.version 7.0\n.target "+target+"\n"), h200), target)
	}
	assert.EqualError(t, checkTarget([]byte(".version 8.7\n.target sm_120\n"), h200),
		"this module is for a newer GPU: compute capability 12.0, NVIDIA H200 has 9.0: build it for this one")
	assert.Error(t, checkTarget([]byte(".target sm_100a\n"), h200))
	assert.NoError(t, checkTarget([]byte("\x7fELF .target sm_120"), h200))
	assert.NoError(t, checkTarget([]byte("anything"), h200))
	abp, err := Module("abp")
	require.NoError(t, err)
	assert.Error(t, checkTarget(abp, Device{Major: 6}))
}
