// The shared range under a lock, parallel to ref/list.go.
#include "stealproof.cuh"

using namespace stealproof;

#include "lock.cuh"

STEALPROOF_LOAD(read_beg, u32, relaxed, gpu)
STEALPROOF_LOAD(read_end, u32, relaxed, gpu)
STEALPROOF_STORE(write_beg, u32, relaxed, gpu)
STEALPROOF_STORE(write_end, u32, relaxed, gpu)

// Defects in the order of ref/defects.go.
enum defect : u64 {
  no_lock = 1 << 0,
  pop_unlocked = 1 << 1,
  push_unlocked = 1 << 2,
  lock_in_two_steps = 1 << 3,
  unlock_early = 1 << 4,
  pop_too_much = 1 << 5,
  push_unchecked = 1 << 6,
};

// list is one range that all processes share, under a lock.
struct list {
  static constexpr kind model = range;
  static constexpr bool shared = true;

  u32 *word, *beg, *end;
  u64 defects;
  const setup& s;
  process& me;

  // setting: gap
  static STEALPROOF_INLINE u64 bytes(const setup& s) { return 3 * s.setting[0]; }

  STEALPROOF_INLINE list(void* memory, const setup& given, process& p) : s(given), me(p) {
    char* at = static_cast<char*>(memory);
    word = reinterpret_cast<u32*>(at);
    beg = reinterpret_cast<u32*>(at + s.setting[0]);
    end = reinterpret_cast<u32*>(at + 2 * s.setting[0]);
    defects = s.defects;
  }

  STEALPROOF_INLINE void prepare() { *word = *beg = *end = 0; }

  STEALPROOF_INLINE bool has(defect d) const { return (defects & d) != 0; }
  STEALPROOF_INLINE spin_lock locked(defect unlocked) const {
    return {word, has(lock_in_two_steps), has(no_lock) || has(unlocked)};
  }

  STEALPROOF_INLINE result push(u64 from, u64 to) {
    spin_lock l = locked(push_unlocked);
    if (!l.acquire(s, me)) return never;
    if (has(unlock_early)) l.release();
    result r = act_push(from, to);
    if (!has(unlock_early)) l.release();
    return r;
  }

  STEALPROOF_INLINE result pop(u32 size, u64& from, u64& to) {
    spin_lock l = locked(pop_unlocked);
    if (!l.acquire(s, me)) return never;
    if (has(unlock_early)) l.release();
    result r = act_pop(size, from, to);
    if (!has(unlock_early)) l.release();
    return r;
  }

  STEALPROOF_INLINE result act_push(u64 from, u64 to) {
    u32 b = read_beg(beg);
    u32 e = read_end(end);
    if (b == e) {
      write_end(end, static_cast<u32>(to));
    } else if (static_cast<u32>(to) != b && !has(push_unchecked)) {
      return full;
    }
    me.nap();
    write_beg(beg, static_cast<u32>(from));
    return ok;
  }

  STEALPROOF_INLINE result act_pop(u32 size, u64& from, u64& to) {
    u32 b = read_beg(beg);
    u32 e = read_end(end);
    if (b == e) return empty;
    u32 t = b + size;
    if (!has(pop_too_much) && t > e) t = e;
    me.nap();
    write_beg(beg, t);
    from = b;
    to = t;
    return ok;
  }
};

STEALPROOF_KERNELS(list)
