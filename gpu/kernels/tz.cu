// The queue of Tsigas & Zhang, parallel to ref/tz.go. Variant original is
// mended with the defects tail_read_late and positions_modulo.
#include "stealproof.cuh"

using namespace stealproof;

STEALPROOF_LOAD(enq_read_tail, u64, sc, gpu)
STEALPROOF_LOAD(enq_read_slot, u64, sc, gpu)
STEALPROOF_LOAD(enq_read_head, u64, sc, gpu)
STEALPROOF_STORE(enq_help_vnull, u64, sc, gpu)
STEALPROOF_CAS(enq_help_head, u64, sc, gpu)
STEALPROOF_CAS(enq_swap_slot, u64, sc, gpu)
STEALPROOF_STORE(enq_store_slot, u64, sc, gpu)
STEALPROOF_CAS(enq_swap_tail, u64, sc, gpu)
STEALPROOF_STORE(enq_store_tail, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_head, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_tail_first, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_slot, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_tail, u64, sc, gpu)
STEALPROOF_CAS(deq_help_tail, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_vnull, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_first, u64, sc, gpu)
STEALPROOF_CAS(deq_swap_slot, u64, sc, gpu)
STEALPROOF_STORE(deq_store_slot, u64, sc, gpu)
STEALPROOF_STORE(deq_write_vnull, u64, sc, gpu)
STEALPROOF_CAS(deq_swap_head, u64, sc, gpu)
STEALPROOF_STORE(deq_store_head, u64, sc, gpu)

// Defects in the order of ref/defects.go.
enum defect : u64 {
  tail_read_late = 1 << 0,
  positions_modulo = 1 << 1,
  one_null = 1 << 2,
  null_not_switched = 1 << 3,
  vnull_not_published = 1 << 4,
  no_full_check = 1 << 5,
  no_help_head = 1 << 6,
  no_help_tail = 1 << 7,
  enq_tail_unchecked = 1 << 8,
  empty_unchecked = 1 << 9,
  enq_store = 1 << 10,
  deq_store = 1 << 11,
  head_store = 1 << 12,
  tail_store = 1 << 13,
  full_as_enqueued = 1 << 14,
};

// An empty slot holds one of two nulls, which no value equals.
constexpr u64 null0 = 1ull << 63;
constexpr u64 null1 = null0 + 1;

struct tz {
  static constexpr kind model = fifo;

  u64 *head, *tail, *vnull, *nodes;
  u64 slots, every, cycle;
  bool publish_at_zero, publish_elsewhere;
  u64 defects;
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
    defects = s.defects;
    cycle = has(positions_modulo) ? slots : slots << 32;
    publish_at_zero = s.setting[2] == 0 && !has(vnull_not_published);
    publish_elsewhere = s.setting[2] == 1 && !has(vnull_not_published);
    patience = s.patience;
  }

  STEALPROOF_INLINE void prepare() {
    *head = 0;
    *tail = 1;
    *vnull = has(one_null) ? null0 : null1;
    for (u64 i = 0; i < slots; i++) nodes[i] = null0;
    nodes[0] = *vnull;
  }

  STEALPROOF_INLINE bool has(defect d) const { return (defects & d) != 0; }
  static STEALPROOF_INLINE bool is_null(u64 v) { return v >= null0; }

  // Head and tail are positions: modulo the array as published, or mended,
  // counted up for ever, so that a process that slept through a round cannot
  // move them by mistake.
  STEALPROOF_INLINE u64 next(u64 position) const { return position + 1 == cycle ? 0 : position + 1; }
  STEALPROOF_INLINE u64 index(u64 position) const { return position % slots; }
  STEALPROOF_INLINE u64* node(u64 position) const { return nodes + index(position); }

  // reaches says whether a position is that of head, one round on.
  STEALPROOF_INLINE bool reaches(u64 position, u64& h) const {
    h = enq_read_head(head);
    u64 on = h + slots;
    return position == (on >= cycle ? on - cycle : on);
  }

  STEALPROOF_INLINE bool tail_moved(u64 t) const { return !has(enq_tail_unchecked) && enq_read_tail(tail) != t; }
  STEALPROOF_INLINE bool head_moved(u64 h) const { return deq_read_head(head) != h; }

  STEALPROOF_INLINE bool patient(u32& tries) const { return tries++ < patience && (tries % 1024 != 0 || !me.stopped()); }

  STEALPROOF_INLINE result enq(u64 v) {
    for (u32 tries = 0; patient(tries);) {
      u64 t = enq_read_tail(tail);
      u64 slot = t;
      u64 seen = enq_read_slot(node(slot));
      u64 after = next(slot);
      u64 h;
      while (!is_null(seen) && patient(tries)) { // tail lags behind: look for the first free slot
        if (tail_moved(t)) break;
        if (reaches(after, h)) break;
        slot = after;
        seen = enq_read_slot(node(slot));
        after = next(slot);
      }
      if (tail_moved(t)) continue;
      if (reaches(after, h)) {
        if (full_behind(h)) return has(full_as_enqueued) ? ok : full;
        continue;
      }
      if (tail_moved(t)) continue;
      me.nap();
      if (swap_slot(slot, seen, v)) {
        if (index(after) % every == 0) {
          if (has(tail_store)) enq_store_tail(tail, after);
          else enq_swap_tail(tail, t, after);
        }
        return ok;
      }
    }
    return never;
  }

  STEALPROOF_INLINE bool swap_slot(u64 slot, u64 seen, u64 v) {
    if (has(enq_store)) {
      enq_store_slot(node(slot), v);
      return true;
    }
    return enq_swap_slot(node(slot), seen, v) == seen;
  }

  // full_behind looks at the slot behind head, which stands in an enqueue's
  // way: a value there means full; otherwise head lags, and is helped along.
  STEALPROOF_INLINE bool full_behind(u64 h) {
    u64 slot = next(h);
    u64 seen = enq_read_slot(node(slot));
    if (!is_null(seen) && !has(no_full_check)) return true;
    if (has(no_help_head)) return false;
    if (index(slot) == 0) enq_help_vnull(vnull, seen);
    enq_help_head(head, h, slot);
    return false;
  }

  STEALPROOF_INLINE result deq(u64& v) {
    for (u32 tries = 0; patient(tries);) {
      u64 h = deq_read_head(head);
      u64 slot = next(h);
      u64 t = 0;
      u64 seen = look(slot, t);
      while (is_null(seen) && patient(tries)) { // head lags behind: look for the first value
        if (head_moved(h)) break;
        u64 now = deq_read_tail(tail);
        if (has(empty_unchecked) || (slot == now && (slot == t || has(tail_read_late)))) return empty;
        if (slot != t || has(tail_read_late)) slot = next(slot);
        seen = look(slot, t);
      }
      if (head_moved(h)) continue;
      if (is_null(seen)) return never; // patience is over
      if (!has(no_help_tail) && slot == deq_read_tail(tail)) {
        deq_help_tail(tail, slot, next(slot));
        continue;
      }
      u64 null = null_for(slot, h);
      if (head_moved(h)) continue;
      me.nap();
      if (leave(slot, seen, null)) {
        bool first = index(slot) == 0;
        if ((first && publish_at_zero) || (!first && publish_elsewhere)) deq_write_vnull(vnull, null);
        if (index(slot) % every == 0) {
          if (has(head_store)) deq_store_head(head, slot);
          else deq_swap_head(head, h, slot);
        }
        v = seen;
        return ok;
      }
    }
    return never;
  }

  STEALPROOF_INLINE bool leave(u64 slot, u64 seen, u64 null) {
    if (has(deq_store)) {
      deq_store_slot(node(slot), null);
      return true;
    }
    return deq_swap_slot(node(slot), seen, null) == seen;
  }

  // look reads a slot, mended: after it has read tail.
  STEALPROOF_INLINE u64 look(u64 slot, u64& t) {
    if (!has(tail_read_late)) t = deq_read_tail_first(tail);
    return deq_read_slot(node(slot));
  }

  // null_for chooses the null to leave behind: each round through the array
  // leaves the other one.
  STEALPROOF_INLINE u64 null_for(u64 slot, u64 h) {
    if (index(slot) == 0) {
      u64 null = deq_read_vnull(vnull);
      return has(one_null) || has(null_not_switched) ? null : null ^ 1;
    }
    if (index(slot) < index(h)) return deq_read_first(nodes);
    return deq_read_vnull(vnull);
  }
};

STEALPROOF_KERNELS(tz)
