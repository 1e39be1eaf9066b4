// Package ref holds the published structures, each written once, the memories
// that they run on, and the execution of programs under control.
//
// An algorithm is a [Structure]: it speaks to shared memory through [Memory],
// where every access names its order and its scope, and fences are accesses of
// their own. The same text runs on
//
//   - [Sim], a memory in which every access is a scheduling point and a
//     [Scheduler] decides who goes next: sequentially consistent, or one that does
//     what the memory model of PTX allows;
//   - [Native], Go's atomics, with a goroutine per process.
//
// A [Subject] is a structure with its settings, on a memory: one of this package,
// by [NewSubject], or one of somebody else's, by [Foreign].
//
// The text of a published structure has the steps of its paper and nothing else.
// Planted defects (defects.go) and mutants (mutant.go) are patches of it, applied
// by a memory that stands between (patch.go): an access left out, a swap that
// only stores, two accesses exchanged, an order weakened, a number off by one.
package ref
