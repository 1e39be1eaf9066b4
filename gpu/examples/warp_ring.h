// A ring whose elements are rows of words, one for each lane of a warp: all lanes put
// an element in together, and take one out together. A leader claims the cell for all,
// and tells the others which one it is.
//
// The warp meets where that looks superfluous: shuffles exchange registers, and order no
// memory, so that without a meeting what the leader has seen holds for the leader alone.
// WARP_RING_EAGER leaves out the one before the leader publishes the row,
// WARP_RING_TRUSTING the one after it has seen that a row is there.
//
// A counter says that what was put in before is in: so who moves it releases, and who
// reads it acquires. Else a leader may see that others have taken an element and not what
// they put in before that, and call the ring empty.
#pragma once

template <unsigned cells> struct WarpRing {
  struct Cell {
    unsigned long long turn; // 2*lap: free, 2*lap+1: full
    unsigned long long words[32];
  };

  unsigned long long head, tail;
  Cell cell[cells];

  __device__ void init() {
    head = tail = 0;
    for (unsigned i = 0; i < cells; i++) cell[i].turn = 0;
  }

  static constexpr unsigned long long nothing = ~0ull;

  // Claims the next cell whose turn it is; nothing if it is still full, or empty.
  __device__ unsigned long long claim(unsigned long long* counter, unsigned long long* other, unsigned full) {
    for (;;) {
      unsigned long long at = loadAcquire(counter), turn = loadAcquire(&cell[at % cells].turn), wanted = at / cells * 2 + full;
      if (turn == wanted) {
        __threadfence();
        if (atomicCAS(counter, at, at + 1) == at) return at;
      } else if (turn < wanted && (full == 0 || loadAcquire(other) == at)) {
        return nothing;
      }
    }
  }

  // What the leader claims, for all lanes that are here.
  __device__ unsigned long long claimTogether(unsigned long long* counter, unsigned long long* other, unsigned full, bool& leads) {
    unsigned leader = __ffs(__activemask()) - 1;
    leads = laneNumber() == leader;
    unsigned long long at = 0;
    if (leads) at = claim(counter, other, full);
    unsigned low = __shfl_sync(0xffffffffu, (unsigned)at, leader), high = __shfl_sync(0xffffffffu, (unsigned)(at >> 32), leader);
    return low | (unsigned long long)high << 32;
  }

  __device__ bool put(unsigned long long value) {
    bool leads;
    unsigned long long at = claimTogether(&tail, &head, 0, leads);
    if (at == nothing) return false;
    Cell& c = cell[at % cells];
    __syncwarp(); // the leader has seen that all have read the last row of this cell
    c.words[laneNumber()] = value;
#ifndef WARP_RING_EAGER
    __syncwarp();
#endif
    if (leads) storeRelease(&c.turn, at / cells * 2 + 1);
    return true;
  }

  __device__ bool take(unsigned long long& value) {
    bool leads;
    unsigned long long at = claimTogether(&head, &tail, 1, leads);
    if (at == nothing) return false;
    Cell& c = cell[at % cells];
#ifndef WARP_RING_TRUSTING
    __syncwarp();
#endif
    value = c.words[laneNumber()];
    bool whole = __all_sync(0xffffffffu, value == (__shfl_sync(0xffffffffu, (unsigned)value, 0) | value >> 32 << 32));
    __syncwarp(); // all have read the row before somebody else may fill it
    if (leads) storeRelease(&c.turn, at / cells * 2 + 2);
    if (!whole) value = 0;
    return true;
  }
};
