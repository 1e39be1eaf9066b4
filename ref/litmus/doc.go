// Package litmus decides litmus tests: small programs with a question about
// what their threads may see.
//
// Parse reads a test in the herd-style dialect of PTX (docs/litmus.md). Decide
// answers it under a memory model of package axioms: it looks at every path of
// every thread, everybody's meetings at barriers, every choice of what each read
// reads from, and every order of writes and fences that the axioms leave open.
// Each produces the executions themselves.
//
// Package library has tests of our own, package picture draws what decides one.
package litmus
