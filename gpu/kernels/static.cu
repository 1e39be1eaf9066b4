// The static list of Cederman & Tsigas, parallel to ref/static.go: two arrays
// that swap roles between phases.
#include "stealproof.cuh"

using namespace stealproof;

STEALPROOF_LOAD(put_read_phase, u32, weak, gpu)
STEALPROOF_ADD(put_add_tail, u32, relaxed, gpu)
STEALPROOF_STORE(put_write_task, u64, weak, gpu)
STEALPROOF_LOAD(take_read_phase, u32, weak, gpu)
STEALPROOF_LOAD(take_read_block, u32, weak, gpu)
STEALPROOF_STORE(take_write_block, u32, weak, gpu)
STEALPROOF_LOAD(take_read_count, u32, weak, gpu)
STEALPROOF_LOAD(take_read_task, u64, weak, gpu)
STEALPROOF_LOAD(take_read_left, u32, weak, gpu)
STEALPROOF_LOAD(take_read_tail, u32, weak, gpu)
STEALPROOF_LOAD(host_read_block, u32, weak, gpu)
STEALPROOF_LOAD(host_read_count, u32, weak, gpu)
STEALPROOF_STORE(host_write_left, u32, weak, gpu)
STEALPROOF_LOAD(host_read_tail, u32, weak, gpu)
STEALPROOF_STORE(host_write_count, u32, weak, gpu)
STEALPROOF_STORE(host_write_tail, u32, weak, gpu)
STEALPROOF_LOAD(host_read_phase, u32, weak, gpu)
STEALPROOF_STORE(host_write_phase, u32, weak, gpu)
STEALPROOF_STORE(host_write_block, u32, weak, gpu)

// Values that a patch can change; see gpu/defects.go.
STEALPROOF_VALUE(put_room, u32)
STEALPROOF_VALUE(take_nothing_left, u32) // what a take answers then

struct static_list {
  static constexpr kind model = bag;

  u32 *phase, *count, *tail, *left, *block;
  u64* tasks; // of both arrays
  u32 capacity, processes;
  process& me;

  // setting: capacity, gap
  static STEALPROOF_INLINE u64 bytes(const setup& s) {
    u64 blocks = (4ull * s.processes + 127) / 128 * 128;
    return 4 * s.setting[1] + blocks + 16 * s.setting[0];
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
  }

  STEALPROOF_INLINE void prepare() {
    *phase = *count = *tail = *left = 0;
    for (u32 p = 0; p < processes; p++) block[p] = p;
    for (u64 i = 0; i < 2ull * capacity; i++) tasks[i] = 0;
  }

  STEALPROOF_INLINE u64* array(u32 which) const { return tasks + static_cast<u64>(which) * capacity; }

  STEALPROOF_INLINE result put(u64 task) {
    u32 in = put_read_phase(phase) % 2;
    u32 slot = put_add_tail(tail, 1);
    if (slot >= put_room(capacity)) return full;
    me.nap();
    put_write_task(array(1 - in) + slot, task);
    return ok;
  }

  STEALPROOF_INLINE result take(u64& task) {
    u32 in = take_read_phase(phase) % 2;
    u32 b = take_read_block(block + me.number);
    u32 n = take_read_count(count);
    if (b >= n) {
      if (n == 0 && nothing_put()) return empty;
      return static_cast<result>(take_nothing_left(aborted));
    }
    task = take_read_task(array(in) + b);
    take_write_block(block + me.number, b + processes);
    return ok;
  }

  // nothing_put says whether nothing is waiting for the next phase either.
  STEALPROOF_INLINE bool nothing_put() { return take_read_left(left) == 0 && take_read_tail(tail) == 0; }

  // next_phase is what the host does when all blocks have ended.
  STEALPROOF_INLINE void next_phase() {
    for (u32 p = 0; p < processes; p++) {
      if (host_read_block(block + p) < host_read_count(count)) host_write_left(left, 1);
    }
    u32 t = host_read_tail(tail);
    host_write_count(count, t < capacity ? t : capacity);
    host_write_tail(tail, 0);
    host_write_phase(phase, host_read_phase(phase) + 1);
    for (u32 p = 0; p < processes; p++) host_write_block(block + p, p);
  }
};

STEALPROOF_KERNELS(static_list)
