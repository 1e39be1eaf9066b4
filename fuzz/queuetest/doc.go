// Package queuetest tests queues of your own: write the algorithm against
// [ref.Memory], say what it promises, and call [Check].
//
//	func TestDeque(t *testing.T) {
//		queuetest.Check(t, queuetest.NewDeque("my-deque", newMyDeque))
//	}
//
// Check runs saved cases first, then every execution of all small programs, then
// random programs under several strategies. What fails is shrunk to the smallest
// case that fails for the same reason, printed access by access, and saved under
// testdata/stealproof/<Test>/; the last line of the failure is the command that
// reproduces it. [MakeFuzz] does the same for the inputs of go test -fuzz.
//
// [Progress], [Fences] and [Mutants] ask more of a queue, [Native] runs it on real
// atomics. [Recorded] is for one that is not written against [ref.Memory]: it decides
// what package linearize/record has written down.
//
// Everything that processes share, and everything that lasts from one operation
// to the next, must lie in the memory: in words and arrays of the [ref.Space].
// What does not is found, and reported as such, since the same schedule then gives
// another execution.
//
// Flags of the test binary, each with an environment variable that it wins over:
//
//	-stealproof.seed    STEALPROOF_SEED    seed of the first random run (default 1)
//	-stealproof.checks  STEALPROOF_CHECKS  random runs (default 10000, with -short 1000)
//	-stealproof.memory  STEALPROOF_MEMORY  memory to run on: sc (default), ptx, rc11 or tso
//	-stealproof.case    STEALPROOF_CASE    run this saved case, and nothing else
//
// Nothing depends on the clock: the same flags give the same runs everywhere.
// A clock decides only when to give up (Options.Patience, the deadline of the test).
package queuetest
