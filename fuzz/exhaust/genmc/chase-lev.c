// The deque of Chase & Lev on an array of fixed size, with the orders of chaseLev in
// fuzz/exhaust. With -DLOWERS=memory_order_relaxed the owner lowers bottom as in
// docs/testing.md, which is wrong here and right on a GPU.

#include "client.h"

#ifndef LOWERS
#define LOWERS memory_order_release
#endif

#define SLOTS 4

static atomic_uint top = 1, bottom = 1, tasks[SLOTS];

static bool push(unsigned task)
{
	unsigned b = atomic_load_explicit(&bottom, memory_order_relaxed);
	unsigned t = atomic_load_explicit(&top, memory_order_acquire);
	if (b - t == SLOTS)
		return false;
	atomic_store_explicit(&tasks[b % SLOTS], task, memory_order_relaxed);
	atomic_store_explicit(&bottom, b + 1, memory_order_release);
	return true;
}

static bool pop(unsigned *task)
{
	unsigned b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
	atomic_store_explicit(&bottom, b, LOWERS);
	atomic_thread_fence(memory_order_seq_cst);
	unsigned t = atomic_load_explicit(&top, memory_order_relaxed);
	if (t > b) {
		atomic_store_explicit(&bottom, b + 1, memory_order_release);
		return false;
	}
	*task = atomic_load_explicit(&tasks[b % SLOTS], memory_order_relaxed);
	if (t < b)
		return true;
	unsigned seen = t;
	bool won = atomic_compare_exchange_strong_explicit(&top, &seen, t + 1, memory_order_seq_cst, memory_order_seq_cst);
	atomic_store_explicit(&bottom, b + 1, memory_order_release);
	return won;
}

static bool steal(unsigned *task)
{
	unsigned t = atomic_load_explicit(&top, memory_order_acquire);
	atomic_thread_fence(memory_order_seq_cst);
	unsigned b = atomic_load_explicit(&bottom, memory_order_acquire);
	if (t >= b)
		return false;
	*task = atomic_load_explicit(&tasks[t % SLOTS], memory_order_relaxed);
	unsigned seen = t;
	return atomic_compare_exchange_strong_explicit(&top, &seen, t + 1, memory_order_seq_cst, memory_order_seq_cst);
}
