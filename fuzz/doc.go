// Package fuzz runs structures and judges what they do: single executions
// ([Judge]), many under a strategy ([Campaign]), saved ones again ([RunCase]), and
// the planted defects that must be found ([Register]).
//
// What stands below it: package choice, schedule (who goes next) and programs (what
// is executed). What is built upon it: exhaust (every execution), shrink (the
// smallest case), progress, mutate and fences, trace (what happened, in columns), sites
// (accesses named after the lines that make them), and queuetest, which tests queues of
// others with go test.
package fuzz
