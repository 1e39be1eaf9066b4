// Package format reads and writes files of histories: JSON Lines, plain or
// compressed, binary records for C and CUDA, and what other tools write.
// docs/history-format.md describes them.
//
// [ReadFile] and [WriteFile] go by the ending of the file, [Read] and [Write] are
// for streams. What a reader returns is a history that linearize.Check can
// decide: every operation is one of the kind, and those of a process do not
// overlap.
package format
