// Package fuzz decides what is executed: programs and schedules, generated,
// mutated and replayed; the register of planted defects; campaigns over many
// executions, exhaustive exploration of small programs, and shrinking of what
// fails. Package queuetest below it tests queues of others.
package fuzz
