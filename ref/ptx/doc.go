// Package ptx makes a structure of a module that somebody compiled with
// gpu/include/stealproof.cuh, so that it is executed without a GPU: on every memory
// of package ref and under every schedule.
//
// Package syntax reads the module, package machine executes it, and here its accesses
// become accesses of ref.Memory.
package ptx
