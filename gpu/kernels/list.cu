// The shared range under a lock, parallel to ref/list.go.
#include "stealproof.cuh"

using namespace stealproof;

#include "lock.cuh"

STEALPROOF_LOAD(read_beg, u32, relaxed, gpu)
STEALPROOF_LOAD(read_end, u32, relaxed, gpu)
STEALPROOF_STORE(write_beg, u32, relaxed, gpu)
STEALPROOF_STORE(write_end, u32, relaxed, gpu)

STEALPROOF_CAS(push_lock, u32, acquire, gpu)
STEALPROOF_STORE(push_unlock, u32, release, gpu)
STEALPROOF_CAS(pop_lock, u32, acquire, gpu)
STEALPROOF_STORE(pop_unlock, u32, release, gpu)

// Values that a patch can change; see gpu/defects.go.
STEALPROOF_VALUE(push_upper, u32)
STEALPROOF_VALUE(pop_most, u32)

// list is one range that all processes share, under a lock.
struct list {
  static constexpr kind model = range;
  static constexpr bool shared = true;

  u32 *word, *beg, *end;
  const setup& s;
  process& me;

  // setting: gap
  static STEALPROOF_INLINE u64 bytes(const setup& s) { return 3 * s.setting[0]; }

  STEALPROOF_INLINE list(void* memory, const setup& given, process& p) : s(given), me(p) {
    char* at = static_cast<char*>(memory);
    word = reinterpret_cast<u32*>(at);
    beg = reinterpret_cast<u32*>(at + s.setting[0]);
    end = reinterpret_cast<u32*>(at + 2 * s.setting[0]);
  }

  STEALPROOF_INLINE void prepare() { *word = *beg = *end = 0; }

  STEALPROOF_INLINE result push(u64 from, u64 to) {
    spin_lock<push_lock, push_unlock> l{word};
    if (!l.acquire(s, me)) return never;
    result r = act_push(from, to);
    l.release();
    return r;
  }

  STEALPROOF_INLINE result pop(u32 size, u64& from, u64& to) {
    spin_lock<pop_lock, pop_unlock> l{word};
    if (!l.acquire(s, me)) return never;
    result r = act_pop(size, from, to);
    l.release();
    return r;
  }

  STEALPROOF_INLINE result act_push(u64 from, u64 to) {
    u32 b = read_beg(beg);
    u32 e = read_end(end);
    if (b == e) {
      write_end(end, static_cast<u32>(to));
    } else if (push_upper(static_cast<u32>(to)) != b) {
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
    u32 most = pop_most(e);
    if (t > most) t = most;
    me.nap();
    write_beg(beg, t);
    from = b;
    to = t;
    return ok;
  }
};

STEALPROOF_KERNELS(list)
