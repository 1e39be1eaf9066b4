// The queue of Tsigas & Zhang, mended, parallel to ref/tz.go. The variant original is
// a patch of it.
#include "stealproof.cuh"

using namespace stealproof;

STEALPROOF_LOAD(enq_read_tail, u64, sc, gpu)
STEALPROOF_LOAD(enq_read_slot, u64, sc, gpu)
STEALPROOF_LOAD(enq_check_tail_in_scan, u64, sc, gpu)
STEALPROOF_LOAD(enq_read_head_in_scan, u64, sc, gpu)
STEALPROOF_LOAD(enq_read_next_slot, u64, sc, gpu)
STEALPROOF_LOAD(enq_check_tail_after_scan, u64, sc, gpu)
STEALPROOF_LOAD(enq_read_head, u64, sc, gpu)
STEALPROOF_LOAD(enq_read_slot_behind_head, u64, sc, gpu)
STEALPROOF_STORE(enq_write_vnull_to_help, u64, sc, gpu)
STEALPROOF_CAS(enq_swap_head_to_help, u64, sc, gpu)
STEALPROOF_LOAD(enq_check_tail_before_swap, u64, sc, gpu)
STEALPROOF_CAS(enq_swap_slot, u64, sc, gpu)
STEALPROOF_CAS(enq_swap_tail, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_head, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_tail_first, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_slot, u64, sc, gpu)
STEALPROOF_LOAD(deq_check_head_in_scan, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_tail_in_scan, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_next_tail_first, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_next_slot, u64, sc, gpu)
STEALPROOF_LOAD(deq_check_head_after_scan, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_tail, u64, sc, gpu)
STEALPROOF_CAS(deq_swap_tail_to_help, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_vnull, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_vnull_for_slot_0, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_slot_0, u64, sc, gpu)
STEALPROOF_LOAD(deq_check_head_before_swap, u64, sc, gpu)
STEALPROOF_CAS(deq_swap_slot, u64, sc, gpu)
STEALPROOF_STORE(deq_write_vnull, u64, sc, gpu)
STEALPROOF_CAS(deq_swap_head, u64, sc, gpu)

// Values that a patch can change; see gpu/defects.go.
STEALPROOF_VALUE(rounds, u64)     // until a position comes back
STEALPROOF_VALUE(first_vnull, u64)
STEALPROOF_VALUE(other_null, u64) // what tells the two nulls apart
STEALPROOF_VALUE(tail_first, u32) // 1: a dequeue reads tail before the slot as well
STEALPROOF_VALUE(hasty, u64)      // not 0: the first null is the end of the queue
STEALPROOF_VALUE(enq_full, u32)   // what an enqueue answers then

// An empty slot holds one of two nulls, which no value equals.
constexpr u64 null0 = 1ull << 63;
constexpr u64 null1 = null0 + 1;

struct tz {
  static constexpr kind model = fifo;

  u64 *head, *tail, *vnull, *nodes;
  u64 slots, every, cycle;
  bool publishes_at_zero;
  u32 patience;
  process& me;

  // setting: capacity, every, vnull elsewhere, gap
  static STEALPROOF_INLINE u64 bytes(const setup& s) { return 3 * s.setting[3] + 8 * s.setting[0]; }

  STEALPROOF_INLINE tz(void* memory, const setup& s, process& p) : me(p) {
    char* at = static_cast<char*>(memory);
    u64 gap = s.setting[3];
    head = reinterpret_cast<u64*>(at);
    tail = reinterpret_cast<u64*>(at + gap);
    vnull = reinterpret_cast<u64*>(at + 2 * gap);
    nodes = reinterpret_cast<u64*>(at + 3 * gap);
    slots = s.setting[0];
    every = s.setting[1];
    cycle = slots * rounds(1ull << 32);
    publishes_at_zero = s.setting[2] == 0;
    patience = s.patience;
  }

  STEALPROOF_INLINE void prepare() {
    *head = 0;
    *tail = 1;
    *vnull = first_vnull(null1);
    for (u64 i = 0; i < slots; i++) nodes[i] = null0;
    nodes[0] = *vnull;
  }

  static STEALPROOF_INLINE bool is_null(u64 v) { return v >= null0; }

  // Head and tail are positions: modulo the array as published, or mended,
  // counted up for ever, so that a process that slept through a round cannot
  // move them by mistake.
  STEALPROOF_INLINE u64 next(u64 position) const { return position + 1 == cycle ? 0 : position + 1; }
  STEALPROOF_INLINE u64 index(u64 position) const { return position % slots; }
  STEALPROOF_INLINE u64* node(u64 position) const { return nodes + index(position); }

  // reaches says whether a position is that of head, one round on.
  STEALPROOF_INLINE bool reaches(u64 position, u64 h) const {
    u64 on = h + slots;
    return position == (on >= cycle ? on - cycle : on);
  }

  STEALPROOF_INLINE bool patient(u32& tries) const { return tries++ < patience && (tries % 1024 != 0 || !me.stopped()); }

  STEALPROOF_INLINE result enq(u64 v) {
    for (u32 tries = 0; patient(tries);) {
      u64 t = enq_read_tail(tail);
      u64 slot = t;
      u64 seen = enq_read_slot(node(slot));
      u64 after = next(slot);
      while (!is_null(seen) && patient(tries)) { // tail lags behind: look for the first free slot
        if (enq_check_tail_in_scan(tail) != t) break;
        if (reaches(after, enq_read_head_in_scan(head))) break;
        slot = after;
        seen = enq_read_next_slot(node(slot));
        after = next(slot);
      }
      if (enq_check_tail_after_scan(tail) != t) continue;
      u64 h = enq_read_head(head);
      if (reaches(after, h)) {
        if (full_behind(h)) return static_cast<result>(enq_full(full));
        continue;
      }
      if (enq_check_tail_before_swap(tail) != t) continue;
      me.nap();
      if (enq_swap_slot(node(slot), seen, v) == seen) {
        if (index(after) % every == 0) enq_swap_tail(tail, t, after);
        return ok;
      }
    }
    return never;
  }

  // full_behind looks at the slot behind head, which stands in an enqueue's
  // way: a value there means full; otherwise head lags, and is helped along.
  STEALPROOF_INLINE bool full_behind(u64 h) {
    u64 slot = next(h);
    u64 seen = enq_read_slot_behind_head(node(slot));
    if (!is_null(seen)) return true;
    if (index(slot) == 0) enq_write_vnull_to_help(vnull, seen);
    enq_swap_head_to_help(head, h, slot);
    return false;
  }

  STEALPROOF_INLINE result deq(u64& v) {
    const bool mended = tail_first(1) == 1;
    for (u32 tries = 0; patient(tries);) {
      u64 h = deq_read_head(head);
      u64 slot = next(h);
      u64 t = 0;
      if (mended) t = deq_read_tail_first(tail);
      u64 seen = deq_read_slot(node(slot));
      while (is_null(seen) && patient(tries)) { // head lags behind: look for the first value
        if (deq_check_head_in_scan(head) != h) break;
        u64 now = deq_read_tail_in_scan(tail);
        if ((slot == now && (slot == t || !mended)) || hasty(0) != 0) return empty;
        if (slot != t || !mended) slot = next(slot);
        if (mended) t = deq_read_next_tail_first(tail);
        seen = deq_read_next_slot(node(slot));
      }
      if (deq_check_head_after_scan(head) != h) continue;
      if (is_null(seen)) return never; // patience is over
      if (deq_read_tail(tail) == slot) {
        deq_swap_tail_to_help(tail, slot, next(slot));
        continue;
      }
      u64 null = null_for(slot, h);
      if (deq_check_head_before_swap(head) != h) continue;
      me.nap();
      if (deq_swap_slot(node(slot), seen, null) == seen) {
        if ((index(slot) == 0) == publishes_at_zero) deq_write_vnull(vnull, null);
        if (index(slot) % every == 0) deq_swap_head(head, h, slot);
        v = seen;
        return ok;
      }
    }
    return never;
  }

  // null_for chooses the null to leave behind: each round through the array
  // leaves the other one.
  STEALPROOF_INLINE u64 null_for(u64 slot, u64 h) {
    if (index(slot) == 0) return deq_read_vnull_for_slot_0(vnull) ^ other_null(null0 ^ null1);
    if (index(slot) < index(h)) return deq_read_slot_0(nodes);
    return deq_read_vnull(vnull);
  }
};

STEALPROOF_KERNELS(tz)
