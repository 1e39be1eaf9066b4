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

STEALPROOF_CAS(enq_lock, u32, acquire, gpu)
STEALPROOF_STORE(enq_unlock, u32, release, gpu)
STEALPROOF_CAS(deq_lock, u32, acquire, gpu)
STEALPROOF_STORE(deq_unlock, u32, release, gpu)
STEALPROOF_CAS(printed_lock, u32, relaxed, gpu)
STEALPROOF_STORE(printed_unlock, u32, relaxed, gpu)

// Values that a patch can change; see gpu/defects.go.
STEALPROOF_VALUE(enq_room, u32)
STEALPROOF_VALUE(deq_least, u32) // values that a dequeue wants to see

// blocking counts beg and end up for ever; a slot is the index modulo the
// capacity, which is a power of two here so that the indices may wrap.
struct blocking {
  static constexpr kind model = fifo;

  u32 *word, *beg, *end;
  u64* data;
  u32 slots;
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
  }

  STEALPROOF_INLINE void prepare() {
    *word = *beg = *end = 0;
    for (u32 i = 0; i < slots; i++) data[i] = 0;
  }

  STEALPROOF_INLINE result enq(u64 v) {
    if (printed) return enq_as_printed(v);
    spin_lock<enq_lock, enq_unlock> l{word};
    if (!l.acquire(s, me)) return never;
    result r = act_enq(v);
    l.release();
    return r;
  }

  STEALPROOF_INLINE result deq(u64& v) {
    if (printed) return deq_as_printed(v);
    spin_lock<deq_lock, deq_unlock> l{word};
    if (!l.acquire(s, me)) return never;
    result r = act_deq(v);
    l.release();
    return r;
  }

  // As printed it acts while the lock is taken by somebody, and returns when
  // it is free: with the lock taken and, at the first attempt, nothing done.
  STEALPROOF_INLINE result enq_as_printed(u64 v) {
    result r = ok; // what an enqueue that does nothing reports
    for (u32 i = 0; i < s.patience; i++) {
      if (printed_lock(word, 0, 1) == 0) return r;
      r = act_enq(v);
      printed_unlock(word, 0);
    }
    return never;
  }

  STEALPROOF_INLINE result deq_as_printed(u64& v) {
    if (printed_lock(word, 0, 1) == 0) return empty;
    result r = act_deq(v);
    printed_unlock(word, 0);
    return r;
  }

  STEALPROOF_INLINE result act_enq(u64 v) {
    u32 e = read_end(end);
    if (e - read_beg(beg) >= enq_room(slots)) return full;
    write_data(data + e % slots, v);
    me.nap();
    write_end(end, e + 1);
    return ok;
  }

  STEALPROOF_INLINE result act_deq(u64& v) {
    u32 b = read_beg(beg);
    if (read_end(end) - b < deq_least(1)) return empty;
    v = read_data(data + b % slots);
    me.nap();
    write_beg(beg, b + 1);
    return ok;
  }
};

STEALPROOF_KERNELS(blocking)
