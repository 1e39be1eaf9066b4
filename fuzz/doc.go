// Package fuzz decides what is executed: programs and schedules, generated,
// mutated and replayed; the register of planted defects; campaigns over many
// executions.
package fuzz
