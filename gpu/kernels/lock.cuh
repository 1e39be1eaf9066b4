// The lock of the blocking structures, parallel to ref/blocking.go. Whoever has
// waited longer than the run allows gives up: its operation never came back.
#pragma once

// The accesses have names of their own in each use, for patches.
template <stealproof::u32 (*lock)(stealproof::u32*, stealproof::u32, stealproof::u32), void (*unlock)(stealproof::u32*, stealproof::u32)>
struct spin_lock {
  stealproof::u32* word;

  STEALPROOF_INLINE bool acquire(const stealproof::setup& s, stealproof::process& me) {
    for (stealproof::u32 i = 0; i < s.patience; i++) {
      if (lock(word, 0, 1) == 0) return true;
      if (i % 1024 == 1023 && me.stopped()) return false;
    }
    return false;
  }

  STEALPROOF_INLINE void release() { unlock(word, 0); }
};
