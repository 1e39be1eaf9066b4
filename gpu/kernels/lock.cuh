// The lock of the blocking structures, parallel to ref/blocking.go. Whoever has
// waited longer than the run allows gives up: its operation never came back.
#pragma once

STEALPROOF_CAS(lock, u32, acquire, gpu)
STEALPROOF_LOAD(lock_broken_test, u32, acquire, gpu)
STEALPROOF_STORE(lock_broken_set, u32, relaxed, gpu)
STEALPROOF_STORE(unlock, u32, release, gpu)

struct spin_lock {
  stealproof::u32* word;
  bool broken; // planted: the lock is tested and set in two accesses
  bool absent; // planted: nobody locks

  STEALPROOF_INLINE bool acquire(const stealproof::setup& s, stealproof::process& me) {
    if (absent) return true;
    for (stealproof::u32 i = 0; i < s.patience; i++) {
      if (broken) {
        if (lock_broken_test(word) == 0) {
          lock_broken_set(word, 1);
          return true;
        }
      } else if (lock(word, 0, 1) == 0) {
        return true;
      }
      if (i % 1024 == 1023 && me.stopped()) return false;
    }
    return false;
  }

  STEALPROOF_INLINE void release() {
    if (!absent) unlock(word, 0);
  }
};
