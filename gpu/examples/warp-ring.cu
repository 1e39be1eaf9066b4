// All that it takes to record the ring of warp_ring.h, whose operations a whole warp
// carries out: docs/vendor.md.
#include "stealproof.cuh"
#include "without_cuda.h"
#include "warp_ring.h"

using Ring = WarpRing<2>;

struct warp_ring {
  static constexpr stealproof::kind model = stealproof::fifo;
  Ring* ring;

  static __device__ stealproof::u64 bytes(const stealproof::setup&) { return sizeof(Ring); }
  __device__ warp_ring(void* memory, const stealproof::setup&, stealproof::process&) : ring(static_cast<Ring*>(memory)) {}
  __device__ void prepare() { ring->init(); }

  __device__ stealproof::result enq(stealproof::u64 value) { return ring->put(value) ? stealproof::ok : stealproof::full; }
  __device__ stealproof::result deq(stealproof::u64& value) { return ring->take(value) ? stealproof::ok : stealproof::empty; }
};

STEALPROOF_WARP_KERNELS(warp_ring)
