// Package patch changes the text of a PTX module, one access at a time: a fence is
// left out, an order weakened, a swap only stores, two accesses change places. What
// comes out is PTX that says what was patched; the interpreter runs it, and so does a
// GPU.
//
// A patch has a text that a person writes, "steal_read_task.behind=steal_swap_head" or
// "queue.cu:31#2.drop": the place, what becomes of it, and with what. See Operators.
package patch
