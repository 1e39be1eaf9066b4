// The blocking queue of Cederman & Tsigas, parallel to ref/blocking.go.
#include "stealproof.cuh"

using namespace stealproof;

#include "lock.cuh"

STEALPROOF_LOAD(read_beg, u32, relaxed, gpu)
STEALPROOF_LOAD(read_end, u32, relaxed, gpu)
STEALPROOF_LOAD(read_data, u64, relaxed, gpu)
STEALPROOF_STORE(write_data, u64, relaxed, gpu)
STEALPROOF_STORE(write_beg, u32, relaxed, gpu)
STEALPROOF_STORE(write_end, u32, relaxed, gpu)

// Defects in the order of ref/defects.go.
enum defect : u64 {
  no_lock = 1 << 0,
  enq_unlocked = 1 << 1,
  deq_unlocked = 1 << 2,
  lock_in_two_steps = 1 << 3,
  unlock_early = 1 << 4,
  no_full_check = 1 << 5,
  full_off_by_one = 1 << 6,
  empty_off_by_one = 1 << 7,
  end_first = 1 << 8,
};

// blocking counts beg and end up for ever; a slot is the index modulo the
// capacity, which is a power of two here so that the indices may wrap.
struct blocking {
  static constexpr kind model = fifo;

  u32 *word, *beg, *end;
  u64* data;
  u32 slots;
  u64 defects;
  bool printed;
  const setup& s;
  process& me;

  // setting: capacity, variant (1: printed), gap
  static STEALPROOF_INLINE u64 bytes(const setup& s) { return 3 * s.setting[2] + 8 * s.setting[0]; }

  STEALPROOF_INLINE blocking(void* memory, const setup& given, process& p) : s(given), me(p) {
    char* at = static_cast<char*>(memory);
    u64 gap = s.setting[2];
    word = reinterpret_cast<u32*>(at);
    beg = reinterpret_cast<u32*>(at + gap);
    end = reinterpret_cast<u32*>(at + 2 * gap);
    data = reinterpret_cast<u64*>(at + 3 * gap);
    slots = static_cast<u32>(s.setting[0]);
    printed = s.setting[1] == 1;
    defects = s.defects;
  }

  STEALPROOF_INLINE void prepare() {
    *word = *beg = *end = 0;
    for (u32 i = 0; i < slots; i++) data[i] = 0;
  }

  STEALPROOF_INLINE bool has(defect d) const { return (defects & d) != 0; }
  STEALPROOF_INLINE spin_lock locked(defect unlocked) const {
    return {word, has(lock_in_two_steps), has(no_lock) || has(unlocked)};
  }

  STEALPROOF_INLINE result enq(u64 v) {
    if (printed) return enq_as_printed(v);
    spin_lock l = locked(enq_unlocked);
    if (!l.acquire(s, me)) return never;
    if (has(unlock_early)) l.release();
    result r = act_enq(v);
    if (!has(unlock_early)) l.release();
    return r;
  }

  STEALPROOF_INLINE result deq(u64& v) {
    if (printed) return deq_as_printed(v);
    spin_lock l = locked(deq_unlocked);
    if (!l.acquire(s, me)) return never;
    if (has(unlock_early)) l.release();
    result r = act_deq(v);
    if (!has(unlock_early)) l.release();
    return r;
  }

  // As printed it acts while the lock is taken by somebody, and returns when
  // it is free: with the lock taken and, at the first attempt, nothing done.
  STEALPROOF_INLINE result enq_as_printed(u64 v) {
    result r = ok; // what an enqueue that does nothing reports
    for (u32 i = 0; i < s.patience; i++) {
      if (lock(word, 0, 1) == 0) return r;
      r = act_enq(v);
      unlock(word, 0);
    }
    return never;
  }

  STEALPROOF_INLINE result deq_as_printed(u64& v) {
    if (lock(word, 0, 1) == 0) return empty;
    result r = act_deq(v);
    unlock(word, 0);
    return r;
  }

  STEALPROOF_INLINE result act_enq(u64 v) {
    u32 e = read_end(end);
    u32 room = slots + (has(full_off_by_one) ? 1 : 0);
    if (e - read_beg(beg) >= room && !has(no_full_check)) return full;
    if (has(end_first)) {
      write_end(end, e + 1);
      me.nap();
      write_data(data + e % slots, v);
      return ok;
    }
    write_data(data + e % slots, v);
    me.nap();
    write_end(end, e + 1);
    return ok;
  }

  STEALPROOF_INLINE result act_deq(u64& v) {
    u32 b = read_beg(beg);
    u32 least = has(empty_off_by_one) ? 2 : 1; // values that a dequeue wants to see
    if (read_end(end) - b < least) return empty;
    v = read_data(data + b % slots);
    me.nap();
    write_beg(beg, b + 1);
    return ok;
  }
};

STEALPROOF_KERNELS(blocking)
