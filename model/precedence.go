package model

// Precedence says what comes before each operation of a history that no clock
// orders: the operations of every process in their order, and of operation i the
// first Precedence[i][p] of process p come before it. Those of its own process
// that stand before it always do.
type Precedence [][]int32
