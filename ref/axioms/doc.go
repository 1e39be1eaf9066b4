// Package axioms says which executions a memory model allows.
//
// An execution is a Graph: events (reads, writes, fences, barriers) of threads
// that are placed in blocks, clusters and GPUs; for each read the write that it
// read from; an order among the writes of each location; an order among fences.
// Check says which axiom of a model forbids it, and shows the cycle.
//
// The model of PTX stands in ptx.go, to be read beside the chapter "Memory
// Consistency Model" of the PTX ISA: each auxiliary relation and each axiom is
// one function; proxies stand in proxies.go, rounds of barriers in rounds.go.
// Sequential consistency, x86-TSO and release-acquire stand beside it.
//
// Everything that the axioms forbid is monotone: an execution that is forbidden
// stays so however many reads, orders of writes or orders of fences are added.
// So unfinished graphs can be checked too, and a search can cut early.
package axioms
