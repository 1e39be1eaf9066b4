package instances

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every form does what the oracle says: of each, the more instances the more edges
// meet.
func TestFormsAgainstTheOracle(t *testing.T) {
	instances := 2000
	if testing.Short() {
		instances = 200
	}
	forms := Forms()
	log, err := Run(forms, 7, instances)
	require.NoError(t, err)
	for i := range forms {
		f := &forms[i]
		in := Inputs(i, f, 7, instances)
		wrong := 0
		for k := range instances {
			operands := in[Words*k : Words*(k+1)]
			got := [Results]uint64(log.Forms[i].Results[Results*k:])
			if want := expected(f, operands); got != want && wrong < 3 {
				wrong++
				t.Errorf("%s of %x: %x, expected %x", f.Name(), operands, got, want)
			}
		}
	}
}

// A form that always gave the same would show nothing.
func TestFormsGiveDifferentResults(t *testing.T) {
	forms := Forms()
	names := map[string]bool{}
	for i := range forms {
		f := &forms[i]
		name := f.Name() + f.Text
		assert.False(t, names[name], "%s stands there twice", name)
		names[name] = true
		in := Inputs(i, f, 3, 400)
		seen := map[[Results]uint64]bool{}
		for k := range 400 {
			seen[expected(f, in[Words*k:Words*(k+1)])] = true
		}
		if f.Constant != "0x00" && f.Constant != "0xff" {
			assert.Greater(t, len(seen), 1, f.Name())
		}
	}
}

func TestLogIsReadAsWritten(t *testing.T) {
	log, err := Run(Forms()[:20], 1, 5)
	require.NoError(t, err)
	log.Machine = "a GPU"
	var b bytes.Buffer
	require.NoError(t, log.Write(&b))
	got, err := ReadLog(&b)
	require.NoError(t, err)
	assert.Equal(t, log, got)
	_, err = ReadLog(bytes.NewReader([]byte("no log")))
	assert.Error(t, err)
}
