// Package ref holds the published structures, each written once, the memories
// that they run on, and the execution of programs under control.
//
// An algorithm speaks to shared memory through [Memory]: every access names
// its order and its scope, and fences are accesses of their own. The same text
// runs on
//
//   - [Sim], a sequentially consistent memory in which every access is a
//     scheduling point and a [Scheduler] decides who goes next;
//   - [Native], Go's atomics, with a goroutine per process.
//
// What is removed for a planted defect is an order, a fence, a counter bit or
// the sequence of two accesses of that one text, never a copy of it.
package ref
