// What a device's %globaltimer is worth: its tick, and whether a stamp that
// was handed from one multiprocessor to another is ever ahead of the clock
// there.
#include "stealproof.cuh"

using namespace stealproof;

STEALPROOF_LOAD(box_read, u64, acquire, gpu)
STEALPROOF_STORE(box_write, u64, release, gpu)

struct tick {
  u64 reads, steps, smallest, backward;
};

struct pair_result {
  u64 place;              // multiprocessor
  u64 received, smallest; // hand-overs that came in, shortest gap
  u64 backward, furthest; // stamps that were ahead of this clock, by how much at most
  u64 late;               // 1: the partner did not answer
};

extern "C" {

__global__ void clock_tick(tick* out, u64 reads) {
  if (thread_index() != 0 || block_index() != 0) return;
  tick t = {reads, 0, ~0ull, 0};
  u64 last = now();
  for (u64 i = 0; i < reads; i++) {
    u64 time = now();
    if (time == last) continue;
    if (time < last) {
      t.backward++;
    } else if (time - last < t.smallest) {
      t.smallest = time - last;
    }
    t.steps++;
    last = time;
  }
  *out = t;
}

// Block b and block partner[b] send each other stamps, in turn. A box holds
// the stamp and, in its lowest bit, the parity of the turn.
__global__ void clock_pairs(pair_result* out, const u32* partner, u64* boxes, u64 turns) {
  if (thread_index() != 0) return;
  u32 me = block_index(), other = partner[me];
  pair_result r = {multiprocessor(), 0, ~0ull, 0, 0, 0};
  if (other == me) {
    out[me] = r;
    return;
  }
  u64* mine = boxes + 16ull * me; // a line each
  u64* theirs = boxes + 16ull * other;
  for (u64 turn = 1; turn <= turns && r.late == 0; turn++) {
    if (me < other) box_write(mine, now() << 1 | (turn & 1));
    u64 seen = 0;
    for (u64 i = 0;; i++) {
      seen = box_read(theirs);
      if (seen != 0 && (seen & 1) == (turn & 1)) break;
      if (i == 50000000) {
        r.late = 1;
        break;
      }
    }
    if (r.late) break;
    u64 here = now_after(static_cast<u32>(seen)), stamp = seen >> 1;
    r.received++;
    if (here < stamp) {
      r.backward++;
      if (stamp - here > r.furthest) r.furthest = stamp - here;
    } else if (here - stamp < r.smallest) {
      r.smallest = here - stamp;
    }
    if (me > other) box_write(mine, now() << 1 | (turn & 1));
  }
  out[me] = r;
}
}
