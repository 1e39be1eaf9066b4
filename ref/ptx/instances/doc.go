// Package instances makes random instances of PTX's instructions: a module with a
// kernel for every form of every instruction that package machine knows, and
// operands for as many threads as are wanted. The same module runs here and on a
// GPU, where every thread is a block of its own; a Log keeps what came out, so that
// the two can be compared bit by bit.
package instances
