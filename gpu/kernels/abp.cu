// The deque of Arora, Blumofe & Plaxton, parallel to ref/abp.go.
//
// ABP_VARIANT: fenced (1), book (2), release2011 (3). ABP_WIDE: index and
// counter have 32 bits each.
#include "stealproof.cuh"

using namespace stealproof;

#ifndef ABP_WIDE
#define ABP_WIDE 0
#endif
#if ABP_WIDE
#define HEAD u64
#else
#define HEAD u32
#endif

// abpAccesses: where the published texts differ, the orders and the fences.
#if ABP_VARIANT == 1
#define ORDER relaxed
#define SCOPE gpu
#define PUSH_TASK_TAIL acq_rel
#define STEAL_HEAD_TAIL sc
#define STEAL_TAIL_TASK acq_rel
#define STEAL_TASK_HEAD acq_rel
#define POP_TASK_TAIL none
#define POP_TAIL_HEAD sc
#define POP_RESET acq_rel
#elif ABP_VARIANT == 2
#define ORDER weak
#define SCOPE gpu
#define PUSH_TASK_TAIL none
#define STEAL_HEAD_TAIL none
#define STEAL_TAIL_TASK none
#define STEAL_TASK_HEAD none
#define POP_TASK_TAIL none
#define POP_TAIL_HEAD none
#define POP_RESET none
#else
#define ORDER volatile
#define SCOPE sys
#define PUSH_TASK_TAIL sc
#define STEAL_HEAD_TAIL none
#define STEAL_TAIL_TASK none
#define STEAL_TASK_HEAD sc
#define POP_TASK_TAIL sc
#define POP_TAIL_HEAD none
#define POP_RESET none
#endif

STEALPROOF_LOAD(push_read_tail, u32, ORDER, SCOPE)
STEALPROOF_STORE(push_write_task, u64, ORDER, SCOPE)
STEALPROOF_FENCE(push_fence_task_tail, PUSH_TASK_TAIL, gpu)
STEALPROOF_STORE(push_write_tail, u32, ORDER, SCOPE)
STEALPROOF_LOAD(steal_read_head, HEAD, ORDER, SCOPE)
STEALPROOF_FENCE(steal_fence_head_tail, STEAL_HEAD_TAIL, gpu)
STEALPROOF_LOAD(steal_read_tail, u32, ORDER, SCOPE)
STEALPROOF_FENCE(steal_fence_tail_task, STEAL_TAIL_TASK, gpu)
STEALPROOF_LOAD(steal_read_task, u64, ORDER, SCOPE)
STEALPROOF_FENCE(steal_fence_task_head, STEAL_TASK_HEAD, gpu)
STEALPROOF_CAS(steal_swap_head, HEAD, relaxed, gpu)
STEALPROOF_STORE(steal_store_head, HEAD, ORDER, SCOPE)
STEALPROOF_LOAD(pop_read_tail, u32, ORDER, SCOPE)
STEALPROOF_FENCE(pop_fence_task_tail, POP_TASK_TAIL, gpu)
STEALPROOF_STORE(pop_write_tail, u32, ORDER, SCOPE)
STEALPROOF_FENCE(pop_fence_tail_head, POP_TAIL_HEAD, gpu)
STEALPROOF_LOAD(pop_read_task, u64, ORDER, SCOPE)
STEALPROOF_LOAD(pop_read_head, HEAD, ORDER, SCOPE)
STEALPROOF_STORE(pop_reset_tail, u32, ORDER, SCOPE)
STEALPROOF_FENCE(pop_fence_reset, POP_RESET, gpu)
STEALPROOF_CAS(pop_swap_head, HEAD, relaxed, gpu)
STEALPROOF_STORE(pop_reset_head, HEAD, ORDER, SCOPE)

// Fences that a run may leave out; the runner knows them by these numbers.
enum fence : u64 {
  push_task_tail = 1 << 0,
  steal_head_tail = 1 << 1,
  steal_tail_task = 1 << 2,
  steal_task_head = 1 << 3,
  pop_task_tail = 1 << 4,
  pop_tail_head = 1 << 5,
  pop_reset = 1 << 6,
};

// Defects in the order of ref/defects.go.
enum defect : u64 {
  tail_before_task = 1 << 0,
  tail_before_head = 1 << 1,
  task_after_cas = 1 << 2,
  steal_store = 1 << 3,
  steal_off_by_one = 1 << 4,
  steal_ignores_tail = 1 << 5,
  head_before_tail = 1 << 6,
  pop_off_by_one = 1 << 7,
  pop_store = 1 << 8,
  head_reset_first = 1 << 9,
  tail_not_reset = 1 << 10,
  counter_kept_on_swap = 1 << 11,
  counter_kept_on_store = 1 << 12,
  no_capacity_check = 1 << 13,
};

struct abp {
  static constexpr kind model = wsdeque;
  static constexpr bool pop_reads_task_first = ABP_VARIANT == 3; // the order of the release of 2011
  static constexpr u32 index_bits = ABP_WIDE ? 32 : 16;

  HEAD* head;
  u32* tail;
  u64* tasks;
  u32 capacity;
  HEAD ctr_mask;
  u64 without, defects;
  process& me;

  // setting: capacity, width, gap (bytes from one shared word to the next)
  static STEALPROOF_INLINE u64 bytes(const setup& s) { return 2 * s.setting[2] + 8 * (s.setting[0] + 1); }

  STEALPROOF_INLINE abp(void* memory, const setup& s, process& p) : me(p) {
    char* at = static_cast<char*>(memory);
    head = reinterpret_cast<HEAD*>(at);
    tail = reinterpret_cast<u32*>(at + s.setting[2]);
    tasks = reinterpret_cast<u64*>(at + 2 * s.setting[2]);
    capacity = static_cast<u32>(s.setting[0]);
    u32 width = static_cast<u32>(s.setting[1]);
    ctr_mask = static_cast<HEAD>((1ull << width) - 1);
    without = s.without;
    defects = s.defects;
  }

  STEALPROOF_INLINE void prepare() {
    *head = 0;
    *tail = 0;
    for (u32 i = 0; i <= capacity; i++) tasks[i] = 0; // one more, for no_capacity_check
  }

  STEALPROOF_INLINE bool has(defect d) const { return (defects & d) != 0; }
  STEALPROOF_INLINE bool fenced(fence f) const { return (without & f) == 0; }

  STEALPROOF_INLINE HEAD pack(HEAD index, HEAD ctr) const { return (ctr & ctr_mask) << index_bits | index; }
  STEALPROOF_INLINE u32 index(HEAD h) const { return static_cast<u32>(h & ((HEAD(1) << index_bits) - 1)); }
  STEALPROOF_INLINE HEAD ctr(HEAD h) const { return h >> index_bits; }

  STEALPROOF_INLINE result push(u64 task) {
    u32 t = push_read_tail(tail);
    if (t == capacity && !has(no_capacity_check)) return full;
    if (t > capacity) return full; // no_capacity_check may spoil one slot, not the memory behind
    if (has(tail_before_task)) {
      push_write_tail(tail, t + 1);
      push_write_task(tasks + t, task);
      return ok;
    }
    push_write_task(tasks + t, task);
    if (fenced(push_task_tail)) push_fence_task_tail();
    push_write_tail(tail, t + 1);
    return ok;
  }

  STEALPROOF_INLINE result steal(u64& task) {
    HEAD h;
    u32 t;
    if (has(tail_before_head)) {
      t = steal_read_tail(tail);
      h = steal_read_head(head);
    } else {
      h = steal_read_head(head);
      if (fenced(steal_head_tail)) steal_fence_head_tail();
      t = steal_read_tail(tail);
    }
    u32 i = index(h);
    if (t + (has(steal_off_by_one) ? 1 : 0) <= i && !has(steal_ignores_tail)) return empty;
    if (i > capacity) return aborted; // only a defect leads here
    u64 found = 0;
    bool taken;
    if (has(task_after_cas)) {
      taken = move_head(has(steal_store), h, pack(i + 1, ctr(h)));
      found = steal_read_task(tasks + i);
    } else {
      if (fenced(steal_tail_task)) steal_fence_tail_task();
      found = steal_read_task(tasks + i);
      if (fenced(steal_task_head)) steal_fence_task_head();
      me.nap();
      taken = move_head(has(steal_store), h, pack(i + 1, ctr(h)));
    }
    if (!taken) return aborted;
    task = found;
    return ok;
  }

  // move_head swaps head, or only stores it where that is the planted defect.
  STEALPROOF_INLINE bool move_head(bool store, HEAD from, HEAD to) {
    if (store) {
      steal_store_head(head, to);
      return true;
    }
    return steal_swap_head(head, from, to) == from;
  }

  STEALPROOF_INLINE result pop(u64& task) {
    u32 t = pop_read_tail(tail);
    if (t == 0) return empty;
    t--;
    u64 found = 0;
    HEAD h;
    if (has(head_before_tail)) h = pop_read_head(head);
    if (pop_reads_task_first) {
      found = pop_read_task(tasks + t);
      if (fenced(pop_task_tail)) pop_fence_task_tail();
    }
    pop_write_tail(tail, t);
    if (fenced(pop_tail_head)) pop_fence_tail_head();
    if (!pop_reads_task_first) found = pop_read_task(tasks + t);
    if (!has(head_before_tail)) h = pop_read_head(head);
    if (t + (has(pop_off_by_one) ? 1 : 0) > index(h) || reset(t, h)) {
      task = found;
      return ok;
    }
    return empty;
  }

  // reset moves head and tail back to the start of the array and says whether
  // the owner got the last task.
  STEALPROOF_INLINE bool reset(u32 t, HEAD h) {
    if (has(head_reset_first)) {
      bool won = reset_head(t, h);
      reset_tail();
      return won;
    }
    reset_tail();
    return reset_head(t, h);
  }

  STEALPROOF_INLINE void reset_tail() {
    if (!has(tail_not_reset)) pop_reset_tail(tail, 0);
    if (fenced(pop_reset)) pop_fence_reset();
  }

  STEALPROOF_INLINE bool reset_head(u32 t, HEAD h) {
    if (t == index(h)) {
      HEAD to = pack(0, next(h, has(counter_kept_on_swap)));
      if (has(pop_store)) {
        pop_reset_head(head, to);
        return true;
      }
      if (pop_swap_head(head, h, to) == h) return true;
    }
    pop_reset_head(head, pack(0, next(h, has(counter_kept_on_store))));
    return false;
  }

  // next counts a reset.
  STEALPROOF_INLINE HEAD next(HEAD h, bool kept) const { return kept ? ctr(h) : ctr(h) + 1; }
};

STEALPROOF_KERNELS(abp)
