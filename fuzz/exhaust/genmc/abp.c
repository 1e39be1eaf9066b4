// The deque of Arora, Blumofe & Plaxton with every fence that it needs, as ref/abp.go
// makes it: relaxed accesses, and six fences. Head is an index and, above it, a counter.

#include "client.h"

#define CAPACITY 4
#define COUNT (1u << 16)

static atomic_uint head, tail, tasks[CAPACITY];

static bool swap_head(unsigned old, unsigned new)
{
	return atomic_compare_exchange_strong_explicit(&head, &old, new, memory_order_relaxed, memory_order_relaxed);
}

static bool push(unsigned task)
{
	unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
	if (t == CAPACITY)
		return false;
	atomic_store_explicit(&tasks[t], task, memory_order_relaxed);
	atomic_thread_fence(memory_order_acq_rel);
	atomic_store_explicit(&tail, t + 1, memory_order_relaxed);
	return true;
}

static bool pop(unsigned *task)
{
	unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
	if (t == 0)
		return false;
	t--;
	atomic_store_explicit(&tail, t, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	*task = atomic_load_explicit(&tasks[t], memory_order_relaxed);
	unsigned old = atomic_load_explicit(&head, memory_order_relaxed);
	if (t > old % COUNT)
		return true;
	atomic_store_explicit(&tail, 0, memory_order_relaxed);
	atomic_thread_fence(memory_order_acq_rel);
	unsigned new = (old / COUNT + 1) * COUNT;
	if (t == old % COUNT && swap_head(old, new))
		return true;
	atomic_store_explicit(&head, new, memory_order_relaxed);
	return false;
}

static bool steal(unsigned *task)
{
	unsigned old = atomic_load_explicit(&head, memory_order_relaxed);
	atomic_thread_fence(memory_order_seq_cst);
	unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
	if (t <= old % COUNT)
		return false;
	atomic_thread_fence(memory_order_acq_rel);
	*task = atomic_load_explicit(&tasks[old % COUNT], memory_order_relaxed);
	atomic_thread_fence(memory_order_acq_rel);
	return swap_head(old, old + 1);
}
