//go:build cuda

package instances

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"gorgonia.org/cu"
)

// TestDevice runs the instances on a GPU and compares each with what comes out
// here. With INSTANCES_LOG=FILE it leaves the log there. INSTANCES is how many of
// each form (260).
func TestDevice(t *testing.T) {
	instances := 260
	if n := os.Getenv("INSTANCES"); n != "" {
		var err error
		instances, err = strconv.Atoi(n)
		require.NoError(t, err)
	}
	forms := Forms()
	device := runOnDevice(t, launch{Module(forms), forms, Inputs, 1}, 1, instances)
	if file := os.Getenv("INSTANCES_LOG"); file != "" {
		w, err := os.Create(file)
		require.NoError(t, err)
		require.NoError(t, device.Write(w))
		require.NoError(t, w.Close())
	}
	t.Logf("%d instances of %d forms on %s", instances*len(forms), len(forms), device.Machine)
	compare(t, device)
}

// TestDeviceWarps is the same for what the lanes of a warp do together. With
// INSTANCES_WARPS_LOG=FILE it leaves the log there.
func TestDeviceWarps(t *testing.T) {
	forms := WarpForms()
	device := runOnDevice(t, launch{WarpModule(forms), forms, WarpInputs, 32}, 11, 960)
	if file := os.Getenv("INSTANCES_WARPS_LOG"); file != "" {
		w, err := os.Create(file)
		require.NoError(t, err)
		require.NoError(t, device.Write(w))
		require.NoError(t, w.Close())
	}
	compareWarps(t, device)
}

// launch is what runs: forms in a module, their inputs, and the threads of a block.
type launch struct {
	text    string
	forms   []Form
	inputs  func(form int, f *Form, seed uint64, instances int) []uint64
	threads int
}

// runOnDevice runs all forms on the first GPU.
func runOnDevice(t *testing.T, l launch, seed uint64, instances int) *Log {
	runtime.LockOSThread() // a context belongs to a thread
	defer runtime.UnlockOSThread()
	device, err := cu.GetDevice(0)
	require.NoError(t, err)
	context, err := device.MakeContext(cu.SchedAuto)
	require.NoError(t, err)
	defer context.Destroy()
	name, err := device.Name()
	require.NoError(t, err)
	major, err := device.Attribute(cu.ComputeCapabilityMajor)
	require.NoError(t, err)
	driver := cu.Version()
	forms := l.forms
	module, err := cu.LoadData(l.text)
	require.NoError(t, err)
	in, err := cu.MemAlloc(int64(8 * Words * instances))
	require.NoError(t, err)
	out, err := cu.MemAlloc(int64(8 * Results * instances))
	require.NoError(t, err)
	log := &Log{Machine: fmt.Sprintf("%s, sm_%d0, driver for CUDA %d", name, major, driver), Seed: seed, Instances: instances}
	for i := range forms {
		words := l.inputs(i, &forms[i], seed, instances)
		require.NoError(t, cu.MemcpyHtoD(in, unsafe.Pointer(&words[0]), int64(8*len(words))))
		f, err := module.Function(Kernel(i))
		require.NoError(t, err, forms[i].Name())
		from, to := uint64(in), uint64(out)
		require.NoError(t, f.Launch(instances/l.threads, 1, 1, l.threads, 1, 1, 0, cu.Stream{}, []unsafe.Pointer{unsafe.Pointer(&from), unsafe.Pointer(&to)}), forms[i].Name())
		require.NoError(t, cu.Synchronize(), forms[i].Name())
		results := make([]uint64, Results*instances)
		require.NoError(t, cu.MemcpyDtoH(unsafe.Pointer(&results[0]), out, int64(8*len(results))))
		log.Forms = append(log.Forms, FormLog{forms[i].Name(), results})
	}
	return log
}
