// Package model is the vocabulary that everything else in stealproof speaks:
// programs, schedules, operations, histories, verdicts, and what each kind of
// object means when its operations happen one at a time.
//
// The flow is one way, and every thing between two arrows is a value; programs,
// schedules, histories and cases can be saved, read back and run again:
//
//	program + schedule -> execution -> history -> verdict -> report
//
// The package imports nothing else of the project.
package model
