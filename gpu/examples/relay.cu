// The queue of relay_queue.h, recorded: what a compiler makes of a wait over a weak load.
#include "stealproof.cuh"
#ifndef __CUDACC__
#include "without_cuda.h"
#endif
#include "relay_queue.h"

using Queue = RelayQueue<unsigned long long, 256>;

struct relay {
  static constexpr stealproof::kind model = stealproof::fifo;
  Queue* queue;
  stealproof::process& me;

  static __device__ stealproof::u64 bytes(const stealproof::setup&) { return sizeof(Queue); }
  __device__ relay(void* memory, const stealproof::setup&, stealproof::process& p) : queue(static_cast<Queue*>(memory)), me(p) {}
  __device__ void prepare() { queue->init(); }

  __device__ stealproof::result enq(stealproof::u64 value) {
    return queue->tryPush(value, [this] { me.nap(); }) ? stealproof::ok : stealproof::full;
  }
  __device__ stealproof::result deq(stealproof::u64& value) { return queue->tryPop(value) ? stealproof::ok : stealproof::empty; }
};

STEALPROOF_KERNELS(relay)
