//go:build cuda

package gpu

/*
#include <cuda.h>
#include <stdio.h>
#include <unistd.h>

// The package cu ends the program with exit code 1 where there is no GPU, when
// it is initialized: code 1 means a violation here. This runs before.
__attribute__((constructor)) static void look_for_a_gpu(void) {
	CUresult r = cuInit(0);
	if (r == CUDA_SUCCESS) return;
	const char *name = NULL;
	cuGetErrorName(r, &name);
	fprintf(stderr, "stealproof: CUDA cannot be used here: %s (error %d): a build with -tags cuda needs a GPU and its driver, see docs/gpu.md\n", name ? name : "unknown", (int)r);
	_exit(2);
}
*/
import "C"

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// pinned is host memory that the device copies to at full speed, and that it can
// write to itself, at the address that is returned. The package cu has no call
// for it.
func pinned(bytes uint64) ([]byte, uint64, error) {
	var p unsafe.Pointer
	if r := C.cuMemHostAlloc(&p, C.size_t(bytes), C.CU_MEMHOSTALLOC_DEVICEMAP); r != C.CUDA_SUCCESS {
		return nil, 0, fmt.Errorf("allocating %d bytes of pinned host memory: error %d", bytes, int(r))
	}
	var at C.CUdeviceptr
	if r := C.cuMemHostGetDevicePointer(&at, p, 0); r != C.CUDA_SUCCESS {
		return nil, 0, fmt.Errorf("mapping %d bytes of host memory into the device's: error %d", bytes, int(r))
	}
	return unsafe.Slice((*byte)(p), bytes), uint64(at), nil
}

func freePinned(b []byte) {
	if len(b) > 0 {
		C.cuMemFreeHost(unsafe.Pointer(&b[0]))
	}
}

// Copies go through a stream of their own, so that they work beside a kernel
// that never ends.
func download(to []byte, from cu.DevicePtr, stream cu.Stream) error {
	if len(to) == 0 {
		return nil
	}
	if err := cu.MemcpyDtoHAsync(unsafe.Pointer(&to[0]), from, int64(len(to)), stream); err != nil {
		return err
	}
	return stream.Synchronize()
}

func upload(to cu.DevicePtr, from []byte, stream cu.Stream) error {
	if len(from) == 0 {
		return nil
	}
	if err := cu.MemcpyHtoDAsync(to, unsafe.Pointer(&from[0]), int64(len(from)), stream); err != nil {
		return err
	}
	return stream.Synchronize()
}

// word passes a value as a kernel's parameter.
func word(v uint64) unsafe.Pointer { return unsafe.Pointer(&v) }
