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

// Values that a patch can change; see gpu/defects.go.
STEALPROOF_VALUE(push_room, u32)
STEALPROOF_VALUE(pop_index, u32)

struct abp {
  static constexpr kind model = wsdeque;
  static constexpr bool pop_reads_task_first = ABP_VARIANT == 3; // the order of the release of 2011
  static constexpr u32 index_bits = ABP_WIDE ? 32 : 16;

  HEAD* head;
  u32* tail;
  u64* tasks;
  u32 capacity;
  HEAD ctr_mask;
  process& me;

  // setting: capacity, width, gap (bytes from one shared word to the next)
  static STEALPROOF_INLINE u64 bytes(const setup& s) { return 2 * s.setting[2] + 8 * s.setting[0]; }

  STEALPROOF_INLINE abp(void* memory, const setup& s, process& p) : me(p) {
    char* at = static_cast<char*>(memory);
    head = reinterpret_cast<HEAD*>(at);
    tail = reinterpret_cast<u32*>(at + s.setting[2]);
    tasks = reinterpret_cast<u64*>(at + 2 * s.setting[2]);
    capacity = static_cast<u32>(s.setting[0]);
    u32 width = static_cast<u32>(s.setting[1]);
    ctr_mask = static_cast<HEAD>((1ull << width) - 1);
  }

  STEALPROOF_INLINE void prepare() {
    *head = 0;
    *tail = 0;
    for (u32 i = 0; i < capacity; i++) tasks[i] = 0;
  }

  STEALPROOF_INLINE HEAD pack(HEAD index, HEAD ctr) const { return (ctr & ctr_mask) << index_bits | index; }
  STEALPROOF_INLINE u32 index(HEAD h) const { return static_cast<u32>(h & ((HEAD(1) << index_bits) - 1)); }
  STEALPROOF_INLINE HEAD ctr(HEAD h) const { return h >> index_bits; }

  // push is listing 35.2.
  STEALPROOF_INLINE result push(u64 task) {
    u32 t = push_read_tail(tail);
    if (t == push_room(capacity)) return full;
    push_write_task(tasks + t, task);
    push_fence_task_tail();
    push_write_tail(tail, t + 1);
    return ok;
  }

  // steal is listing 35.3.
  STEALPROOF_INLINE result steal(u64& task) {
    HEAD h = steal_read_head(head);
    steal_fence_head_tail();
    u32 i = index(h);
    if (steal_read_tail(tail) <= i) return empty;
    steal_fence_tail_task();
    u64 found = steal_read_task(tasks + i);
    steal_fence_task_head();
    me.nap();
    if (steal_swap_head(head, h, pack(i + 1, ctr(h))) != h) return aborted;
    task = found;
    return ok;
  }

  // pop is listing 35.4, its first half in the order of the book or of the release
  // of 2011.
  STEALPROOF_INLINE result pop(u64& task) {
    u32 t = pop_read_tail(tail);
    if (t == 0) return empty;
    t--;
    u64 found = 0;
    if (pop_reads_task_first) {
      found = pop_read_task(tasks + t);
      pop_fence_task_tail();
    }
    pop_write_tail(tail, t);
    pop_fence_tail_head();
    if (!pop_reads_task_first) found = pop_read_task(tasks + t);
    HEAD h = pop_read_head(head);
    if (pop_index(t) > index(h)) {
      task = found;
      return ok;
    }
    pop_reset_tail(tail, 0);
    pop_fence_reset();
    HEAD to = pack(0, ctr(h) + 1);
    if (t == index(h) && pop_swap_head(head, h, to) == h) {
      task = found;
      return ok;
    }
    pop_reset_head(head, to);
    return empty;
  }
};

STEALPROOF_KERNELS(abp)
