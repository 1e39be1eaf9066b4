package instances

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What lanes do together comes out as on a GPU, bit by bit.
func TestLogOfWarps(t *testing.T) {
	f, err := os.Open("testdata/warps/h100.gz")
	require.NoError(t, err)
	defer f.Close()
	device, err := ReadLog(f)
	require.NoError(t, err)
	compareWarps(t, device)
}

func compareWarps(t *testing.T, device *Log) {
	t.Helper()
	forms := WarpForms()
	here, err := RunWarps(forms, device.Seed, device.Instances)
	require.NoError(t, err)
	require.Len(t, device.Forms, len(forms), "the forms have changed since: make the log anew")
	for i, want := range device.Forms {
		require.Equal(t, here.Forms[i].Name, want.Name)
		for k := 0; k < len(want.Results); k += Results {
			if got := here.Forms[i].Results[k : k+Results]; !slices.Equal(got, want.Results[k:k+Results]) {
				in := WarpInputs(i, &forms[i], device.Seed, device.Instances)
				t.Errorf("%s of %x, lane %d: %x here, %x on %s", want.Name, in[k/Results*Words:k/Results*Words+Words], k/Results%32, got, want.Results[k:k+Results], device.Machine)
				break
			}
		}
	}
}

func TestWarpFormsGiveDifferentResults(t *testing.T) {
	log, err := RunWarps(WarpForms(), 3, 32*9)
	require.NoError(t, err)
	for _, f := range log.Forms {
		results := slices.Clone(f.Results)
		slices.Sort(results)
		assert.Greater(t, len(slices.Compact(results)), 1, f.Name)
	}
}
