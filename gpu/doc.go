// Package gpu runs the structures, or a module of somebody else, on a CUDA
// device and brings back the history of what happened.
//
// The kernels are in kernels/, compiled to the PTX of ptx/; what they share
// with a vendor's kernel is include/stealproof.cuh. Only the files with the
// build tag cuda need CUDA; all else, from the layout of the launches to the
// reading of their logs, is built and tested everywhere.
package gpu
