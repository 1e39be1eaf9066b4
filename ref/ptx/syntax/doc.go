// Package syntax reads PTX, the text that CUDA compilers make for a GPU: clang 16,
// and nvcc 11 to 13.
//
// Parse gives a Module with every name resolved: registers have numbers, branches
// lead to instructions. What instructions mean is not its business: it reads those
// that it has never heard of as well. Package machine executes a module.
package syntax
