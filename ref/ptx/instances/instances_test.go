package instances

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every form does what the oracle says: of each, the more instances the more edges
// meet.
func TestFormsAgainstTheOracle(t *testing.T) {
	instances := 500
	switch {
	case os.Getenv("STEALPROOF_LARGE") != "":
		instances = 2000
	case testing.Short():
		instances = 100
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

// compare compares a log of some machine with what comes out here.
func compare(t *testing.T, device *Log) {
	t.Helper()
	forms := Forms()
	here, err := Run(forms, device.Seed, device.Instances)
	require.NoError(t, err)
	require.Len(t, device.Forms, len(forms), "the forms have changed since: make the log anew")
	for i, want := range device.Forms {
		require.Equal(t, here.Forms[i].Name, want.Name)
		wrong := 0
		in := Inputs(i, &forms[i], device.Seed, device.Instances)
		for k := range device.Instances {
			got, seen := here.Forms[i].Results[Results*k:Results*k+Results], want.Results[Results*k:Results*k+Results]
			if !slices.Equal(got, seen) {
				if wrong++; wrong <= 3 {
					t.Errorf("%s of %x: %x here, %x on %s", want.Name, in[Words*k:Words*k+Words], got, seen, device.Machine)
				}
			}
		}
		if wrong > 3 {
			t.Errorf("%s: %d of %d instances differ", want.Name, wrong, device.Instances)
		}
	}
}

// What came out on GPUs is kept, and comes out here too.
func TestLogsOfDevices(t *testing.T) {
	files, err := filepath.Glob("testdata/*.gz")
	require.NoError(t, err)
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		log, err := ReadLog(f)
		f.Close()
		require.NoError(t, err, file)
		assert.GreaterOrEqual(t, len(log.Forms)*log.Instances, 100000, file)
		compare(t, log)
	}
}
