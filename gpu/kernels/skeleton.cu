// Algorithm 3 of Cederman & Tsigas 2008 as printed, parallel to ref/tz.go:
// one null, no test for empty, none for full. An operation that finds neither a
// value nor a free slot goes round for ever, or until the run's patience ends.
#include "stealproof.cuh"

using namespace stealproof;

STEALPROOF_LOAD(enq_read_tail, u64, sc, gpu)
STEALPROOF_LOAD(enq_read_slot, u64, sc, gpu)
STEALPROOF_CAS(enq_swap_slot, u64, sc, gpu)
STEALPROOF_CAS(enq_swap_tail, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_head, u64, sc, gpu)
STEALPROOF_LOAD(deq_read_slot, u64, sc, gpu)
STEALPROOF_CAS(deq_swap_slot, u64, sc, gpu)
STEALPROOF_CAS(deq_swap_head, u64, sc, gpu)

constexpr u64 null0 = 1ull << 63; // which no value equals

struct skeleton {
  static constexpr kind model = fifo;

  u64 *head, *tail, *nodes;
  u64 slots, every;
  u32 patience;
  process& me;

  // setting: capacity, every, none, gap
  static STEALPROOF_INLINE u64 bytes(const setup& s) { return 2 * s.setting[3] + 8 * s.setting[0]; }

  STEALPROOF_INLINE skeleton(void* memory, const setup& s, process& p) : me(p) {
    char* at = static_cast<char*>(memory);
    head = reinterpret_cast<u64*>(at);
    tail = reinterpret_cast<u64*>(at + s.setting[3]);
    nodes = reinterpret_cast<u64*>(at + 2 * s.setting[3]);
    slots = s.setting[0];
    every = s.setting[1];
    patience = s.patience;
  }

  STEALPROOF_INLINE void prepare() {
    *head = *tail = 0;
    for (u64 i = 0; i < slots; i++) nodes[i] = null0;
  }

  STEALPROOF_INLINE u64* node(u64 slot) const { return nodes + slot % slots; }
  STEALPROOF_INLINE bool patient(u32& tries) const { return tries++ < patience && (tries % 1024 != 0 || !me.stopped()); }

  STEALPROOF_INLINE result enq(u64 v) {
    for (u32 tries = 0; patient(tries);) {
      u64 old = enq_read_tail(tail);
      u64 slot = old;
      while (enq_read_slot(node(slot)) != null0 && patient(tries)) slot++;
      me.nap();
      if (enq_swap_slot(node(slot), null0, v) != null0) continue;
      if (slot % every == 0) enq_swap_tail(tail, old, slot % slots);
      return ok;
    }
    return never;
  }

  STEALPROOF_INLINE result deq(u64& v) {
    for (u32 tries = 0; patient(tries);) {
      u64 old = deq_read_head(head);
      u64 slot = old;
      u64 task = deq_read_slot(node(slot));
      while (task == null0 && patient(tries)) task = deq_read_slot(node(++slot));
      if (task == null0) return never; // patience is over
      me.nap();
      if (deq_swap_slot(node(slot), task, null0) != task) continue;
      if (slot % every == 0) deq_swap_head(head, old, slot % slots);
      v = task;
      return ok;
    }
    return never;
  }
};

STEALPROOF_KERNELS(skeleton)
