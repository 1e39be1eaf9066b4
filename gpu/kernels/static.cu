// The static list of Cederman & Tsigas, parallel to ref/static.go: two arrays
// that swap roles between phases.
#include "stealproof.cuh"

using namespace stealproof;

STEALPROOF_LOAD(read_phase, u32, weak, gpu)
STEALPROOF_LOAD(take_read_block, u32, weak, gpu)
STEALPROOF_STORE(take_write_block, u32, weak, gpu)
STEALPROOF_LOAD(take_read_count, u32, weak, gpu)
STEALPROOF_LOAD(take_read_task, u64, weak, gpu)
STEALPROOF_LOAD(take_read_left, u32, weak, gpu)
STEALPROOF_ADD(put_add_tail, u32, relaxed, gpu)
STEALPROOF_LOAD(read_tail, u32, weak, gpu)
STEALPROOF_STORE(put_write_tail, u32, weak, gpu)
STEALPROOF_STORE(put_write_task, u64, weak, gpu)
STEALPROOF_LOAD(host_read, u32, weak, gpu)
STEALPROOF_STORE(host_write, u32, weak, gpu)

// Defects in the order of ref/defects.go.
enum defect : u64 {
  take_in_put_phase = 1 << 0,
  no_fetch_and_add = 1 << 1,
  tail_not_reset = 1 << 2,
  not_swapped = 1 << 3,
  count_off_by_one = 1 << 4,
  block_repeated = 1 << 5,
  no_capacity_check = 1 << 6,
  empty_claimed = 1 << 7,
};

struct static_list {
  static constexpr kind model = bag;

  u32 *phase, *count, *tail, *left, *block;
  u64* tasks; // of both arrays
  u32 capacity, processes;
  u64 defects;
  process& me;

  // setting: capacity, gap
  static STEALPROOF_INLINE u64 bytes(const setup& s) {
    u64 blocks = (4ull * s.processes + 127) / 128 * 128;
    return 4 * s.setting[1] + blocks + 16 * (s.setting[0] + 1);
  }

  STEALPROOF_INLINE static_list(void* memory, const setup& s, process& p) : me(p) {
    char* at = static_cast<char*>(memory);
    u64 gap = s.setting[1];
    phase = reinterpret_cast<u32*>(at);
    count = reinterpret_cast<u32*>(at + gap);
    tail = reinterpret_cast<u32*>(at + 2 * gap);
    left = reinterpret_cast<u32*>(at + 3 * gap);
    block = reinterpret_cast<u32*>(at + 4 * gap);
    tasks = reinterpret_cast<u64*>(at + 4 * gap + (4ull * s.processes + 127) / 128 * 128);
    capacity = static_cast<u32>(s.setting[0]);
    processes = s.processes;
    defects = s.defects;
  }

  STEALPROOF_INLINE void prepare() {
    *phase = *count = *tail = *left = 0;
    for (u32 p = 0; p < processes; p++) block[p] = p;
    for (u64 i = 0; i < 2ull * (capacity + 1); i++) tasks[i] = 0;
  }

  STEALPROOF_INLINE bool has(defect d) const { return (defects & d) != 0; }
  STEALPROOF_INLINE u64* array(u32 which) const { return tasks + static_cast<u64>(which) * (capacity + 1); }

  STEALPROOF_INLINE result put(u64 task) {
    u32 in = read_phase(phase) % 2;
    u32 slot = next_slot();
    if (slot >= capacity && !has(no_capacity_check)) return full;
    if (slot > capacity) return full; // no_capacity_check may spoil one slot, not the memory behind
    me.nap();
    put_write_task(array(1 - in) + slot, task);
    return ok;
  }

  STEALPROOF_INLINE u32 next_slot() {
    if (!has(no_fetch_and_add)) return put_add_tail(tail, 1);
    u32 slot = read_tail(tail);
    put_write_tail(tail, slot + 1);
    return slot;
  }

  STEALPROOF_INLINE result take(u64& task) {
    u32 in = read_phase(phase) % 2;
    u64* from = array(has(take_in_put_phase) ? 1 - in : in);
    u32 b = take_read_block(block + me.number);
    u32 n = tasks_to_take();
    if (b >= n) {
      if (has(empty_claimed) || (n == 0 && nothing_put())) return empty;
      return aborted;
    }
    task = take_read_task(from + b);
    if (!has(block_repeated)) b += processes;
    take_write_block(block + me.number, b);
    return ok;
  }

  // nothing_put says whether nothing is waiting for the next phase either.
  STEALPROOF_INLINE bool nothing_put() { return take_read_left(left) == 0 && read_tail(tail) == 0; }

  STEALPROOF_INLINE u32 tasks_to_take() {
    if (!has(take_in_put_phase)) return take_read_count(count);
    u32 t = read_tail(tail);
    return t < capacity ? t : capacity;
  }

  // next_phase is what the host does when all blocks have ended.
  STEALPROOF_INLINE void next_phase() {
    for (u32 p = 0; p < processes; p++) {
      if (host_read(block + p) < host_read(count)) host_write(left, 1);
    }
    u32 t = host_read(tail);
    u32 n = (t < capacity ? t : capacity) + (has(count_off_by_one) ? 1 : 0);
    host_write(count, n < capacity ? n : capacity);
    if (!has(tail_not_reset)) host_write(tail, 0);
    if (!has(not_swapped)) host_write(phase, host_read(phase) + 1);
    for (u32 p = 0; p < processes; p++) host_write(block + p, p);
  }
};

STEALPROOF_KERNELS(static_list)
