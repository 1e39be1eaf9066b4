//go:build cuda

package gpu

import (
	"errors"
	"fmt"
	"runtime"

	"gorgonia.org/cu"
)

// thread is the one OS thread that a context belongs to. All that touches the
// device is done there.
type thread struct {
	work    chan func()
	context cu.CUContext
}

func openThread(device int) (*thread, error) {
	count, err := cu.NumDevices()
	if err != nil {
		return nil, named("counting the devices", err)
	}
	if device < 0 || device >= count {
		return nil, fmt.Errorf("there is no device %d: this machine has %d, numbered from 0", device, count)
	}
	t := &thread{work: make(chan func())}
	go t.loop()
	err = t.do("making a context", func() (err error) {
		if t.context, err = cu.Device(device).MakeContext(cu.SchedAuto); err != nil {
			return err
		}
		return cu.SetCurrentContext(t.context)
	})
	if err != nil {
		close(t.work)
		return nil, err
	}
	return t, nil
}

func (t *thread) loop() {
	runtime.LockOSThread() // never unlocked: the thread ends with its context
	for f := range t.work {
		f()
	}
}

// do runs f on the thread and names what was done in its error.
func (t *thread) do(what string, f func() error) error {
	done := make(chan error)
	t.work <- func() { done <- f() }
	return named(what, <-done)
}

func (t *thread) close() error {
	err := t.do("destroying the context", t.context.Destroy)
	close(t.work)
	return err
}

// cudaError is an error of the driver, with its name and what to do.
type cudaError struct {
	What string
	Err  error
}

func (e *cudaError) Unwrap() error { return e.Err }

func (e *cudaError) Error() string {
	msg := fmt.Sprintf("CUDA, %s: %v", e.What, e.Err)
	if hint := hints[e.Err.Error()]; hint != "" {
		msg += " (" + hint + ")"
	}
	return msg
}

// hints say what to do, by the driver's name of the error.
var hints = map[string]string{
	"SharedObjectInitFailed":     "libcuda.so.1 cannot be loaded: this machine has no NVIDIA driver, or the linker does not find it",
	"SharedObjectSymbolNotFound": "the driver is older than the functions that are used: update it",
	"NoDevice":                   "no GPU is visible: look at nvidia-smi and CUDA_VISIBLE_DEVICES",
	"OutOfMemory":                "choose fewer groups, processes or operations, or end what else uses the GPU",
	"NoBinaryForGpu":             "the module was built for another GPU: build it for this one, or as PTX",
	"InvalidPtx":                 "the driver does not accept this PTX",
	"UnsupportedPtxVersion":      "the driver is older than the PTX: update it, or build with an older toolkit",
	"InvalidImage":               "this is no PTX, cubin or fatbin",
	"InvalidSource":              "this is no PTX, cubin or fatbin",
	"NotFound":                   "the module lacks what STEALPROOF_KERNELS defines",
	"IllegalAddress":             "the kernel used an address that is not its own",
	"MisalignedAddress":          "the kernel used an address that does not fit its type",
	"LaunchFailed":               "the kernel trapped",
	"IllegalInstruction":         "the kernel trapped",
	"Assert":                     "an assertion of the kernel failed",
	"HardwareStackError":         "the kernel's stack is spoilt",
	"InvalidPc":                  "the kernel jumped to where no code is",
	"InvalidAddressSpace":        "the kernel used an address of another space",
	"UnknownErrorCode:222":       "unsupported PTX version: the driver is older than the PTX: update it, or build with an older toolkit",
	"LaunchTimeout":              "the display driver ended the kernel: use a GPU without a display",
	"LaunchOutOfResources":       "the kernel needs more registers or shared memory than there are",
}

// isTrap says whether the device ended a kernel for what it did. The context and
// its memory are gone then.
func isTrap(err error) bool {
	for _, trap := range []error{
		cu.IllegalAddress, cu.MisalignedAddress, cu.LaunchFailed, cu.IllegalInstruction, cu.Assert,
		cu.HardwareStackError, cu.InvalidPc, cu.InvalidAddressSpace,
	} {
		if errors.Is(err, trap) {
			return true
		}
	}
	return false
}

func named(what string, err error) error {
	if err == nil {
		return nil
	}
	return &cudaError{what, err}
}
