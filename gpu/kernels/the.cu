// The range queue under the THE protocol, parallel to ref/the.go.
#include "stealproof.cuh"

using namespace stealproof;

#include "lock.cuh"

STEALPROOF_LOAD(push_read_beg, u32, relaxed, gpu)
STEALPROOF_LOAD(push_read_end, u32, relaxed, gpu)
STEALPROOF_STORE(push_write_beg, u32, relaxed, gpu)
STEALPROOF_STORE(push_write_beg_to_fill, u32, relaxed, gpu)
STEALPROOF_STORE(push_write_end_to_fill, u32, relaxed, gpu)
STEALPROOF_LOAD(pop_read_beg, u32, relaxed, gpu)
STEALPROOF_STORE(pop_advance_beg, u32, relaxed, gpu)
STEALPROOF_FENCE(pop_fence_beg_end, sc, gpu)
STEALPROOF_LOAD(pop_read_end, u32, relaxed, gpu)
STEALPROOF_STORE(pop_undo_beg, u32, relaxed, gpu)
STEALPROOF_LOAD(pop_read_end_under_lock, u32, relaxed, gpu)
STEALPROOF_STORE(pop_take_beg, u32, relaxed, gpu)
STEALPROOF_LOAD(steal_read_end, u32, relaxed, gpu)
STEALPROOF_LOAD(steal_compare_beg, u32, relaxed, gpu)
STEALPROOF_STORE(steal_retreat_end, u32, relaxed, gpu)
STEALPROOF_FENCE(steal_fence_end_beg, sc, gpu)
STEALPROOF_LOAD(steal_read_beg, u32, relaxed, gpu)
STEALPROOF_STORE(steal_undo_end, u32, relaxed, gpu)

STEALPROOF_CAS(steal_lock, u32, acquire, gpu)
STEALPROOF_STORE(steal_unlock, u32, release, gpu)
STEALPROOF_CAS(owner_lock, u32, acquire, gpu)
STEALPROOF_STORE(owner_unlock, u32, release, gpu)

// A value that a patch can change; see gpu/defects.go.
STEALPROOF_VALUE(push_upper, u32)

enum fill_order : u64 { fill_locked, fill_beg_first, fill_end_first };
enum failed_steal : u64 { fails_abort, fails_empty, fails_empty_if_equal };
enum comparison : u64 { compare_signed, compare_unsigned, compare_difference };

struct the {
  static constexpr kind model = range;
  static constexpr bool shared = false;

  u32 *beg, *end, *mutex;
  u64 fill, failed, compare;
  const setup& s;
  process& me;

  // setting: fill, failed, compare, gap, base
  static STEALPROOF_INLINE u64 bytes(const setup& s) { return 3 * s.setting[3]; }

  STEALPROOF_INLINE the(void* memory, const setup& given, process& p) : s(given), me(p) {
    char* at = static_cast<char*>(memory);
    beg = reinterpret_cast<u32*>(at);
    end = reinterpret_cast<u32*>(at + s.setting[3]);
    mutex = reinterpret_cast<u32*>(at + 2 * s.setting[3]);
    fill = s.setting[0];
    failed = s.setting[1];
    compare = s.setting[2];
  }

  STEALPROOF_INLINE void prepare() {
    *beg = *end = static_cast<u32>(s.setting[4]);
    *mutex = 0;
  }

  // at_most compares two indices.
  STEALPROOF_INLINE bool at_most(u32 a, u32 b) const {
    if (compare == compare_unsigned) return a <= b;
    if (compare == compare_difference) return b - a < 1u << 31;
    return (a ^ 1u << 31) <= (b ^ 1u << 31); // as signed: the sign bit turned round
  }

  // push extends the interval downward, for which the owner need not look at
  // end at all; or fills an empty queue.
  STEALPROOF_INLINE result push(u64 from, u64 to) {
    u32 b = push_read_beg(beg);
    if (push_upper(static_cast<u32>(to)) == b) {
      push_write_beg(beg, static_cast<u32>(from));
      return ok;
    }
    if (fill != fill_locked) return fill_empty(from, to, b);
    spin_lock<owner_lock, owner_unlock> l{mutex};
    if (!l.acquire(s, me)) return never;
    result r = fill_empty(from, to, b);
    l.release();
    return r;
  }

  STEALPROOF_INLINE result fill_empty(u64 from, u64 to, u32 b) {
    u32 e = push_read_end(end);
    if (!at_most(e, b)) return full;
    if (fill == fill_beg_first) {
      push_write_beg_to_fill(beg, static_cast<u32>(from));
      push_write_end_to_fill(end, static_cast<u32>(to));
      return ok;
    }
    push_write_end_to_fill(end, static_cast<u32>(to));
    push_write_beg_to_fill(beg, static_cast<u32>(from));
    return ok;
  }

  STEALPROOF_INLINE result pop(u32 size, u64& from, u64& to) {
    u32 b = pop_read_beg(beg);
    u32 t = b + size;
    pop_advance_beg(beg, t);
    pop_fence_beg_end();
    if (at_most(t, pop_read_end(end))) return took(b, t, from, to);
    pop_undo_beg(beg, b);
    spin_lock<owner_lock, owner_unlock> l{mutex};
    if (!l.acquire(s, me)) return never;
    result r = pop_under_lock(size, b, from, to);
    l.release();
    return r;
  }

  // pop_under_lock takes what is left, up to the size asked for.
  STEALPROOF_INLINE result pop_under_lock(u32 size, u32 b, u64& from, u64& to) {
    u32 e = pop_read_end_under_lock(end);
    if (at_most(e, b)) return empty;
    u32 t = b + (size < e - b ? size : e - b);
    pop_take_beg(beg, t);
    return took(b, t, from, to);
  }

  STEALPROOF_INLINE result steal(u32 size, u64& from, u64& to) {
    spin_lock<steal_lock, steal_unlock> l{mutex};
    if (!l.acquire(s, me)) return never;
    result r = steal_under_lock(size, from, to);
    l.release();
    return r;
  }

  STEALPROOF_INLINE result steal_under_lock(u32 size, u64& from, u64& to) {
    u32 e = steal_read_end(end);
    if (failed == fails_empty_if_equal && steal_compare_beg(beg) == e) return empty;
    u32 f = e - size;
    me.nap();
    steal_retreat_end(end, f);
    steal_fence_end_beg();
    u32 b = steal_read_beg(beg);
    me.nap();
    if (at_most(b, f)) return took(f, e, from, to);
    steal_undo_end(end, e);
    return failed == fails_empty ? empty : aborted;
  }

  // took reports the interval between two indices.
  STEALPROOF_INLINE result took(u32 a, u32 b, u64& from, u64& to) {
    from = a;
    to = b;
    return ok;
  }
};

STEALPROOF_KERNELS(the)
