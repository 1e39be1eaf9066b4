// The range queue under the THE protocol, parallel to ref/the.go.
#include "stealproof.cuh"

using namespace stealproof;

#include "lock.cuh"

STEALPROOF_LOAD(push_read_beg, u32, relaxed, gpu)
STEALPROOF_LOAD(push_read_end, u32, relaxed, gpu)
STEALPROOF_STORE(push_write_beg, u32, relaxed, gpu)
STEALPROOF_STORE(push_write_end, u32, relaxed, gpu)
STEALPROOF_LOAD(pop_read_beg, u32, relaxed, gpu)
STEALPROOF_STORE(pop_advance_beg, u32, relaxed, gpu)
STEALPROOF_FENCE(pop_fence_beg_end, sc, gpu)
STEALPROOF_LOAD(pop_read_end, u32, relaxed, gpu)
STEALPROOF_STORE(pop_undo_beg, u32, relaxed, gpu)
STEALPROOF_STORE(pop_take_beg, u32, relaxed, gpu)
STEALPROOF_LOAD(steal_read_end, u32, relaxed, gpu)
STEALPROOF_STORE(steal_retreat_end, u32, relaxed, gpu)
STEALPROOF_FENCE(steal_fence_end_beg, sc, gpu)
STEALPROOF_LOAD(steal_read_beg, u32, relaxed, gpu)
STEALPROOF_STORE(steal_undo_end, u32, relaxed, gpu)

enum fence : u64 { pop_beg_end = 1 << 0, steal_end_beg = 1 << 1 };

// Defects in the order of ref/defects.go.
enum defect : u64 {
  steal_unlocked = 1 << 0,
  pop_unlocked = 1 << 1,
  lock_in_two_steps = 1 << 2,
  end_before_beg = 1 << 3,
  beg_before_end = 1 << 4,
  steal_keeps = 1 << 5,
  pop_off_by_one = 1 << 6,
  steal_off_by_one = 1 << 7,
  pop_blind = 1 << 8,
  steal_blind = 1 << 9,
  push_unchecked = 1 << 10,
};

enum fill_order : u64 { fill_locked, fill_beg_first, fill_end_first };
enum failed_steal : u64 { fails_abort, fails_empty, fails_empty_if_equal };
enum comparison : u64 { compare_signed, compare_unsigned, compare_difference };

struct the {
  static constexpr kind model = range;
  static constexpr bool shared = false;

  u32 *beg, *end, *mutex;
  u64 fill, failed, compare;
  u64 without, defects;
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
    without = s.without;
    defects = s.defects;
  }

  STEALPROOF_INLINE void prepare() {
    *beg = *end = static_cast<u32>(s.setting[4]);
    *mutex = 0;
  }

  STEALPROOF_INLINE bool has(defect d) const { return (defects & d) != 0; }
  STEALPROOF_INLINE bool fenced(fence f) const { return (without & f) == 0; }

  // at_most compares two indices.
  STEALPROOF_INLINE bool at_most(u32 a, u32 b) const {
    if (compare == compare_unsigned) return a <= b;
    if (compare == compare_difference) return b - a < 1u << 31;
    return (a ^ 1u << 31) <= (b ^ 1u << 31); // as signed: the sign bit turned round
  }

  STEALPROOF_INLINE spin_lock lock_of_pop() const { return {mutex, has(lock_in_two_steps), has(pop_unlocked)}; }
  STEALPROOF_INLINE spin_lock lock_of_steal() const { return {mutex, has(lock_in_two_steps), has(steal_unlocked)}; }

  // push extends the interval downward, for which the owner need not look at
  // end at all; or fills an empty queue.
  STEALPROOF_INLINE result push(u64 from, u64 to) {
    u32 b = push_read_beg(beg);
    if (static_cast<u32>(to) == b || has(push_unchecked)) {
      push_write_beg(beg, static_cast<u32>(from));
      return ok;
    }
    if (fill != fill_locked) return fill_empty(from, to, b);
    spin_lock l = lock_of_pop();
    if (!l.acquire(s, me)) return never;
    result r = fill_empty(from, to, b);
    l.release();
    return r;
  }

  STEALPROOF_INLINE result fill_empty(u64 from, u64 to, u32 b) {
    u32 e = push_read_end(end);
    if (!at_most(e, b)) return full;
    if (fill == fill_beg_first) {
      push_write_beg(beg, static_cast<u32>(from));
      push_write_end(end, static_cast<u32>(to));
      return ok;
    }
    push_write_end(end, static_cast<u32>(to));
    push_write_beg(beg, static_cast<u32>(from));
    return ok;
  }

  STEALPROOF_INLINE result pop(u32 size, u64& from, u64& to) {
    u32 b = pop_read_beg(beg);
    u32 t = b + size;
    u32 e;
    if (has(end_before_beg)) {
      e = pop_read_end(end);
      pop_advance_beg(beg, t);
    } else {
      pop_advance_beg(beg, t);
      if (fenced(pop_beg_end)) pop_fence_beg_end();
      e = pop_read_end(end);
    }
    if (has(pop_blind) || at_most(t, e + (has(pop_off_by_one) ? 1 : 0))) return took(b, t, from, to);
    pop_undo_beg(beg, b);
    spin_lock l = lock_of_pop();
    if (!l.acquire(s, me)) return never;
    result r = pop_under_lock(size, b, from, to);
    l.release();
    return r;
  }

  // pop_under_lock takes what is left, up to the size asked for.
  STEALPROOF_INLINE result pop_under_lock(u32 size, u32 b, u64& from, u64& to) {
    u32 e = pop_read_end(end);
    if (at_most(e, b)) return empty;
    u32 t = b + (size < e - b ? size : e - b);
    pop_take_beg(beg, t);
    return took(b, t, from, to);
  }

  STEALPROOF_INLINE result steal(u32 size, u64& from, u64& to) {
    spin_lock l = lock_of_steal();
    if (!l.acquire(s, me)) return never;
    result r = steal_under_lock(size, from, to);
    l.release();
    return r;
  }

  STEALPROOF_INLINE result steal_under_lock(u32 size, u64& from, u64& to) {
    u32 e = steal_read_end(end);
    if (failed == fails_empty_if_equal && steal_read_beg(beg) == e) return empty;
    u32 f = e - size;
    u32 b;
    if (has(beg_before_end)) {
      b = steal_read_beg(beg);
      me.nap();
      steal_retreat_end(end, f);
    } else {
      steal_retreat_end(end, f);
      if (fenced(steal_end_beg)) steal_fence_end_beg();
      b = steal_read_beg(beg);
      me.nap();
    }
    if (has(steal_blind) || at_most(b, f + (has(steal_off_by_one) ? 1 : 0))) return took(f, e, from, to);
    if (!has(steal_keeps)) steal_undo_end(end, e);
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
