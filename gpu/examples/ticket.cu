// All that it takes to record the ring of ticket_ring.h: docs/vendor.md.
#include "stealproof.cuh"
#ifndef __CUDACC__
#include "without_cuda.h"
#endif
#include "ticket_ring.h"

using Ring = TicketRing<unsigned long long, 64>;

struct ticket {
  static constexpr stealproof::kind model = stealproof::fifo;
  Ring* ring;
  stealproof::process& me;

  static __device__ stealproof::u64 bytes(const stealproof::setup&) { return sizeof(Ring); }
  __device__ ticket(void* memory, const stealproof::setup&, stealproof::process& p) : ring(static_cast<Ring*>(memory)), me(p) {}
  __device__ void prepare() { ring->init(); }

  __device__ stealproof::result enq(stealproof::u64 value) {
    return ring->tryPush(value, [this] { me.nap(); }) ? stealproof::ok : stealproof::full;
  }
  __device__ stealproof::result deq(stealproof::u64& value) {
    return ring->tryPop(value, [this] { me.nap(); }) ? stealproof::ok : stealproof::empty;
  }
};

STEALPROOF_KERNELS(ticket)
