// Package machine executes PTX: one thread at a time, without a GPU.
//
// Decode decodes the functions that some kernels reach; what it does not know there
// it refuses, with file, line and instruction. A Machine runs them. Registers and
// the spaces .local, .param and .const are its own; every access to memory that
// threads share goes out through a Memory, with the order and the scope that PTX
// gives it.
package machine
