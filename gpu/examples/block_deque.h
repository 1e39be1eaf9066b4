// A work-stealing deque for blocks, as the papers have them: one thread of a block works at
// the deque (that of Arora, Blumofe and Plaxton), and tells the others through shared
// memory what it has found.
//
// BLOCK_DEQUE_HASTY leaves out the barrier in front of which the answer is written and
// behind which it is read.
#pragma once

template <unsigned cells> struct BlockDeque {
  unsigned long long head; // an index, and above 32 bits a counter
  unsigned long long tail;
  unsigned long long tasks[cells];

  static constexpr unsigned long long done = ~0ull, nothing = ~1ull, lost = ~2ull; // answers that are no tasks

  __device__ void init() { head = tail = 0; }

  // All threads of the block call these.
  __device__ unsigned long long push(unsigned long long task) { return told(threadNumber() == 0 ? pushAlone(task) : 0); }
  __device__ unsigned long long pop() { return told(threadNumber() == 0 ? popAlone() : 0); }
  __device__ unsigned long long steal() { return told(threadNumber() == 0 ? stealAlone() : 0); }

  __device__ unsigned long long told(unsigned long long answer) {
    __shared__ unsigned long long slot;
    if (threadNumber() == 0) slot = answer;
#ifndef BLOCK_DEQUE_HASTY
    __syncthreads();
#endif
    answer = slot;
    __syncthreads(); // all have read it before the next one is written
    return answer;
  }

  __device__ unsigned long long pushAlone(unsigned long long task) {
    unsigned long long at = loadRelaxed(&tail);
    if (at == cells) return nothing;
    storeRelaxed(&tasks[at], task);
    storeRelease(&tail, at + 1);
    return done;
  }

  __device__ unsigned long long popAlone() {
    unsigned long long at = loadRelaxed(&tail);
    if (at == 0) return nothing;
    storeRelaxed(&tail, --at);
    __threadfence();
    unsigned long long task = loadRelaxed(&tasks[at]), first = loadRelaxed(&head);
    if (at > (unsigned)first) return task;
    storeRelaxed(&tail, 0);
    __threadfence(); // whoever sees the new counter sees that there is nothing
    unsigned long long anew = ((first >> 32) + 1) << 32;
    if (at == (unsigned)first && atomicCAS(&head, first, anew) == first) return task;
    storeRelaxed(&head, anew);
    return nothing;
  }

  __device__ unsigned long long stealAlone() {
    unsigned long long first = loadRelaxed(&head);
    __threadfence();
    if (loadAcquire(&tail) <= (unsigned)first) return nothing;
    unsigned long long task = loadRelaxed(&tasks[(unsigned)first]);
    __threadfence();
    return atomicCAS(&head, first, first + 1) == first ? task : lost;
  }
};
