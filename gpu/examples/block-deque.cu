// All that it takes to record the deque of block_deque.h, at which a block of 64 threads is
// a process: docs/vendor.md.
#include "stealproof.cuh"
#include "without_cuda.h"
#include "block_deque.h"

using Deque = BlockDeque<8>;

struct block_deque {
  static constexpr stealproof::kind model = stealproof::wsdeque;
  Deque* deque;

  static __device__ stealproof::u64 bytes(const stealproof::setup&) { return sizeof(Deque); }
  __device__ block_deque(void* memory, const stealproof::setup&, stealproof::process&) : deque(static_cast<Deque*>(memory)) {}
  __device__ void prepare() { deque->init(); }

  __device__ stealproof::result push(stealproof::u64 value) { return deque->push(value) == Deque::done ? stealproof::ok : stealproof::full; }
  __device__ stealproof::result pop(stealproof::u64& value) { return answer(value = deque->pop()); }
  __device__ stealproof::result steal(stealproof::u64& value) { return answer(value = deque->steal()); }

  static __device__ stealproof::result answer(stealproof::u64 task) {
    return task == Deque::nothing ? stealproof::empty : task == Deque::lost ? stealproof::aborted : stealproof::ok;
  }
};

STEALPROOF_BLOCK_KERNELS(block_deque, 64)
