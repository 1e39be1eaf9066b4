// Package linearize decides histories: whether the operations on an object can
// be put into an order that respects real time and the meaning of the object.
//
// A history comes from a file (see linearize/format), or is put together by
// whoever recorded it. [Check] decides, and what comes out is a [Report]: a
// verdict, and for every object that broke its promise the few operations that
// show it, explained in words.
//
// Check looks itself whether it was given a history; to everything else here only
// what model.History.Validate accepts may be given.
//
// The work goes from cheap to dear. A near-linear monitor decides what it can;
// of what it leaves, one pass finds what contradicts itself whatever the order
// (a value that left twice); the general search is the arbiter for all else,
// under limits of time and memory that end in undecided, never in success.
package linearize
