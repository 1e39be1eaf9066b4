// stealproof.cuh: record what a concurrent queue does on a GPU, so that
// `stealproof` can decide whether it is linearizable.
//
// One header, C++17, no other include, compute capability 7.0 and newer, for
// nvcc and clang. docs/gpu.md describes the interface to the runner, which the
// structs marked ABI below lay down.
//
// A structure is a class that is built for every operation, from the address
// of its memory, and lives in registers:
//
//   struct my_deque {
//     static constexpr stealproof::kind model = stealproof::wsdeque;
//     static __device__ stealproof::u64 bytes(const stealproof::setup& s);
//     __device__ my_deque(void* memory, const stealproof::setup& s, stealproof::process& me);
//     __device__ void prepare();                             // once per object, alone
//     __device__ stealproof::result push(stealproof::u64 value);
//     __device__ stealproof::result pop(stealproof::u64& value);
//     __device__ stealproof::result steal(stealproof::u64& value);
//   };
//   STEALPROOF_KERNELS(my_deque)
//
// fifo: enq(value), deq(value&). range: push(from, to), pop(size, from&, to&),
// steal(size, from&, to&). bag: put(value), take(value&), next_phase().
#ifndef STEALPROOF_CUH
#define STEALPROOF_CUH

#ifndef __CUDACC__ // clang without NVIDIA's headers
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#endif
#define STEALPROOF_INLINE __device__ inline __attribute__((always_inline))

namespace stealproof {

using u16 = unsigned short;
using u32 = unsigned int;
using u64 = unsigned long long;

static_assert(sizeof(u16) == 2 && sizeof(u32) == 4 && sizeof(u64) == 8, "sizes of the interface to the runner");

// ABI. Version 3 has a kernel for each operation; a module of version 2 runs on a
// GPU all the same.
constexpr u32 abi_version = 3;

enum kind : u32 { wsdeque = 1, fifo = 2, range = 3, bag = 4 };
enum op : u32 { op_push = 1, op_pop, op_steal, op_enq, op_deq, op_put, op_take, op_pause = 15 };

// never: the operation did not come back. It waited longer than the runner
// allows, so it is recorded as pending and the launch counts as hung.
enum result : u32 { never = 0, ok, full, empty, aborted };

// ABI: flags of a run.
constexpr u32 flag_record = 1;     // write the log
constexpr u32 flag_performed = 2;  // fence.sc.gpu before an operation's second stamp
constexpr u32 flag_announce = 4;   // log the call before the operation starts
constexpr u32 flag_owner_naps = 8; // owners nap as well
constexpr u32 flag_apart = 16;     // wait for run::apart between two operations

// ABI: what the structure under test is told. The meaning of the numbers is
// the structure's own.
struct setup {
  u32 processes; // of one object
  u32 patience;  // attempts until a loop gives up
  u64 reserved[2]; // 0
  u64 setting[8];
};

// ABI: one operation, in one store. It was called when the one before it had
// returned, the first one at the begin of its log. 16 bytes. what: op, result
// above 4 bits, above 8 bits how much was asked for (range), above 16 bits the
// bits 32 to 47 of the stamp. 0: nothing was recorded here.
struct alignas(16) record {
  u64 value; // what was put in or came out; a range: from in the low half, to in the high one
  u32 stamp; // %globaltimer when it returned, its lowest bits
  u32 what;
};
static_assert(sizeof(record) == 16, "the runner reads records of 16 bytes");

// ABI: stands before the records of a process. 64 bytes.
struct log_head {
  u64 guard;   // guard_word; the bytes behind the last record stay 0
  u32 object, process;
  u32 count;   // records, once the process has ended
  u32 state;   // state_…
  u64 dropped; // operations for which there was no room
  u64 begin, end; // %globaltimer: the first call, and the end of the process's work
  u32 place;   // multiprocessor
  u32 sum;     // a kernel without records: of what came out
  u32 reserved[2];
};
static_assert(sizeof(log_head) == 64, "the runner reads heads of 64 bytes");

constexpr u64 guard_word = 0x5eed'6a5d'57ea'19f0ull;
constexpr u32 state_idle = 0, state_started = 1, state_done = 2, state_stuck = 3, state_stopped = 4, state_late = 5;

// ABI: words that all processes of a launch share, each in a line of its own.
struct control {
  u32 arrived, pad0[31];
  u32 done, pad1[31];
  u32 stop, pad2[31]; // not 0: end as soon as you can
  u32 phase, pad3[31];
  u32 waiting, pad4[31];
};

// ABI: the parameters of a launch; the kernels get its address. 240 bytes.
struct run {
  u32 abi, flags;
  u32 objects, processes; // processes of each object
  u32 operations;         // of each process
  u32 slots;              // warps of the launch
  u32 burst;              // operations of the same sort in a row, at most
  u32 puts;               // of 100 bursts
  u32 nap;                // longest nap in ns
  u32 nap_one_in;         // of so many occasions one is used
  u32 phases;             // bag: into so many phases the operations are cut
  u32 sizes;              // range: largest size asked for
  u64 seed;
  u64 memory, memory_stride; // of the objects
  u64 log, log_stride;       // of the processes
  u64 placement;             // a u32 per slot: process, or stress_slot, or idle_slot
  u64 control;               // struct control
  u64 stress, stress_words;  // u32s that stress warps hammer
  u64 start_limit;           // ns until all slots must have started
  u64 capacity;              // records per process
  u64 apart;                 // ns from an operation's return to the next call
  u64 lowest;                // range: below every index that is put in
  setup structure;
};
static_assert(sizeof(run) == 240, "the runner writes runs of 240 bytes");

constexpr u32 stress_slot = 0xffffffff, idle_slot = 0xfffffffe;

// ABI: what the kernel stealproof_describe answers.
struct description {
  u32 abi, model, record_bytes, head_bytes, run_bytes, reserved;
  u64 object_bytes;
};

// ABI: one operation, for the kernels that carry out a single one: what is asked
// for, and what comes of it. 136 bytes.
struct call {
  u32 process; // its number within the object
  u32 size;    // range: how much is asked for
  u32 result;  // out
  u32 reserved;
  u64 value;   // what is put in, or out: what came out; a range: from
  u64 to;      // a range: to
  u64 memory;  // of the object
  u64 control; // struct control
  setup structure;
};
static_assert(sizeof(call) == 136, "the runner writes calls of 136 bytes");

// --- accesses -------------------------------------------------------------
// Each macro defines a function for one access of an algorithm: its type, its
// order (weak, volatile, relaxed, acquire, release, acq_rel, sc) and its scope
// (cta, gpu, sys). The name of the access is left in the PTX, on its line.

#define STEALPROOF_LOAD(name, type, order, scope) STEALPROOF_LOAD_(name, type, order, scope)
#define STEALPROOF_LOAD_(name, type, order, scope) \
  STEALPROOF_INLINE stealproof::type name(const stealproof::type* at) { \
    stealproof::type value; \
    asm volatile(STEALPROOF_LOAD_##order(scope) ".global." STEALPROOF_BITS_##type " %0, [%1]; // site " #name \
                 : "=" STEALPROOF_REGISTER_##type(value) : "l"(at) : "memory"); \
    return value; \
  }

#define STEALPROOF_STORE(name, type, order, scope) STEALPROOF_STORE_(name, type, order, scope)
#define STEALPROOF_STORE_(name, type, order, scope) \
  STEALPROOF_INLINE void name(stealproof::type* at, stealproof::type value) { \
    asm volatile(STEALPROOF_STORE_##order(scope) ".global." STEALPROOF_BITS_##type " [%0], %1; // site " #name \
                 :: "l"(at), STEALPROOF_REGISTER_##type(value) : "memory"); \
  }

// Returns what the word held: equal to expected if it was swapped.
#define STEALPROOF_CAS(name, type, order, scope) STEALPROOF_CAS_(name, type, order, scope)
#define STEALPROOF_CAS_(name, type, order, scope) \
  STEALPROOF_INLINE stealproof::type name(stealproof::type* at, stealproof::type expected, stealproof::type desired) { \
    stealproof::type seen; \
    asm volatile(STEALPROOF_ATOM_##order(scope) ".global.cas." STEALPROOF_BITS_##type " %0, [%1], %2, %3; // site " #name \
                 : "=" STEALPROOF_REGISTER_##type(seen) \
                 : "l"(at), STEALPROOF_REGISTER_##type(expected), STEALPROOF_REGISTER_##type(desired) : "memory"); \
    return seen; \
  }

#define STEALPROOF_ADD(name, type, order, scope) STEALPROOF_ADD_(name, type, order, scope)
#define STEALPROOF_ADD_(name, type, order, scope) \
  STEALPROOF_INLINE stealproof::type name(stealproof::type* at, stealproof::type delta) { \
    stealproof::type seen; \
    asm volatile(STEALPROOF_ATOM_##order(scope) ".global.add." STEALPROOF_UNSIGNED_##type " %0, [%1], %2; // site " #name \
                 : "=" STEALPROOF_REGISTER_##type(seen) : "l"(at), STEALPROOF_REGISTER_##type(delta) : "memory"); \
    return seen; \
  }

#define STEALPROOF_FENCE(name, order, scope) STEALPROOF_FENCE_(name, order, scope)
#define STEALPROOF_FENCE_(name, order, scope) \
  STEALPROOF_INLINE void name() { STEALPROOF_FENCE_##order(name, scope) }

// A value that is no access, with a name: it gives back what it gets, and a patch of
// the PTX can change it, as in "room.plus-one" (docs/modules.md).
#define STEALPROOF_VALUE(name, type) STEALPROOF_VALUE_(name, type)
#define STEALPROOF_VALUE_(name, type) \
  STEALPROOF_INLINE stealproof::type name(stealproof::type value) { \
    stealproof::type same; \
    asm volatile("mov." STEALPROOF_BITS_##type " %0, %1; // site " #name : "=" STEALPROOF_REGISTER_##type(same) : STEALPROOF_REGISTER_##type(value)); \
    return same; \
  }

#define STEALPROOF_BITS_u32 "b32"
#define STEALPROOF_BITS_u64 "b64"
#define STEALPROOF_UNSIGNED_u32 "u32"
#define STEALPROOF_UNSIGNED_u64 "u64"
#define STEALPROOF_REGISTER_u32 "r"
#define STEALPROOF_REGISTER_u64 "l"

// PTX has no load or store of order sc: a fence.sc before an acquire or a
// release is what CUDA's own atomics make of it.
#define STEALPROOF_LOAD_weak(scope) "ld.weak"
#define STEALPROOF_LOAD_volatile(scope) "ld.volatile"
#define STEALPROOF_LOAD_relaxed(scope) "ld.relaxed." #scope
#define STEALPROOF_LOAD_acquire(scope) "ld.acquire." #scope
#define STEALPROOF_LOAD_sc(scope) "fence.sc." #scope "; ld.acquire." #scope
#define STEALPROOF_STORE_weak(scope) "st.weak"
#define STEALPROOF_STORE_volatile(scope) "st.volatile"
#define STEALPROOF_STORE_relaxed(scope) "st.relaxed." #scope
#define STEALPROOF_STORE_release(scope) "st.release." #scope
#define STEALPROOF_STORE_sc(scope) "fence.sc." #scope "; st.release." #scope
#define STEALPROOF_ATOM_relaxed(scope) "atom.relaxed." #scope
#define STEALPROOF_ATOM_acquire(scope) "atom.acquire." #scope
#define STEALPROOF_ATOM_release(scope) "atom.release." #scope
#define STEALPROOF_ATOM_acq_rel(scope) "atom.acq_rel." #scope
#define STEALPROOF_ATOM_sc(scope) "fence.sc." #scope "; atom.acq_rel." #scope
#define STEALPROOF_FENCE_none(name, scope)
#define STEALPROOF_FENCE_acq_rel(name, scope) asm volatile("fence.acq_rel." #scope "; // site " #name ::: "memory");
#define STEALPROOF_FENCE_sc(name, scope) asm volatile("fence.sc." #scope "; // site " #name ::: "memory");

STEALPROOF_LOAD(harness_look, u32, relaxed, gpu)
STEALPROOF_STORE(harness_tell, u32, relaxed, gpu)
STEALPROOF_ADD(harness_count, u32, relaxed, gpu)
STEALPROOF_FENCE(harness_barrier, sc, gpu)
STEALPROOF_FENCE(recorder_performed, sc, gpu)
STEALPROOF_ADD(stress_add, u32, relaxed, gpu)
STEALPROOF_LOAD(stress_load, u32, relaxed, gpu)
STEALPROOF_STORE(stress_store, u32, relaxed, gpu)

// --- registers, clock, naps -------------------------------------------------

#define STEALPROOF_SPECIAL(name, register) \
  STEALPROOF_INLINE u32 name() { \
    u32 value; \
    asm volatile("mov.u32 %0, %" register ";" : "=r"(value)); \
    return value; \
  }

STEALPROOF_SPECIAL(thread_index, "%tid.x")
STEALPROOF_SPECIAL(block_index, "%ctaid.x")
STEALPROOF_SPECIAL(block_threads, "%ntid.x")
STEALPROOF_SPECIAL(multiprocessor, "%smid")

STEALPROOF_INLINE u64 now() {
  u64 t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
  return t;
}

// The time, not before the value has arrived: a multiprocessor issues a warp's
// instructions in order, and the one in front, which counts an event for a
// profiler, needs the value to know that it has nothing to do.
STEALPROOF_INLINE u64 now_after(u32 value) {
  u64 t;
  asm volatile("{ .reg .pred absurd; setp.eq.u32 absurd, %1, 0x5eed5eed;\n\t"
               "@absurd pmevent 1;\n\t"
               "mov.u64 %0, %%globaltimer; }" : "=l"(t) : "r"(value) : "memory");
  return t;
}

// The same address, not before the time has been read: whatever is accessed
// through it waits for the first stamp.
STEALPROOF_INLINE void* after(u64 time, void* address) {
  u64 result;
  asm volatile("{ .reg .u64 zero; shr.u64 zero, %1, 63; add.u64 %0, %2, zero; }" : "=l"(result) : "l"(time), "l"(address) : "memory");
  return reinterpret_cast<void*>(result);
}

STEALPROOF_INLINE void sleep(u32 ns) { asm volatile("nanosleep.u32 %0;" :: "r"(ns) : "memory"); }

STEALPROOF_INLINE u64 mixed(u64 x) { // splitmix64
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// --- a process and its recorder ---------------------------------------------

struct process {
  u32 object, number;
  u32 nap_longest, nap_one_in;
  u64 state; // of the random numbers
  control* shared;

  STEALPROOF_INLINE process(const run* r, u32 slot) {
    object = slot / r->processes;
    number = slot % r->processes;
    nap_longest = number == 0 && !(r->flags & flag_owner_naps) ? 0 : r->nap;
    nap_one_in = r->nap_one_in;
    state = mixed(mixed(r->seed) ^ slot);
    shared = reinterpret_cast<control*>(r->control);
  }

  // It does not nap: whoever carries out single operations delays them as it likes.
  STEALPROOF_INLINE explicit process(const call* c) {
    object = 0;
    number = c->process;
    nap_longest = 0;
    nap_one_in = 1;
    state = mixed(number);
    shared = reinterpret_cast<control*>(c->control);
  }

  STEALPROOF_INLINE u32 random() { // the high half of a 64-bit congruential generator
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<u32>(state >> 32);
  }

  STEALPROOF_INLINE u32 below(u32 n) { return static_cast<u32>((static_cast<u64>(random()) * n) >> 32); }

  // An occasion to nap. Structures offer one wherever a delay is interesting.
  STEALPROOF_INLINE void nap() {
    if (nap_longest == 0 || below(nap_one_in) != 0) return;
    u64 until = now() + below(nap_longest + 1);
    for (u32 i = 0; i < 1000000; i++) {
      u64 t = now();
      if (t >= until) return;
      u64 left = until - t;
      sleep(left > 2000 ? static_cast<u32>(left > 1000000 ? 500000 : left / 2) : 20);
    }
  }

  STEALPROOF_INLINE bool stopped() const { return harness_look(&shared->stop) != 0; }
};

// What a kernel does for the record. bare: nothing, to measure what recording
// costs. raw: a stamp and a store for each operation. flagged: what the run's
// flags ask for.
enum capture { bare, raw, flagged };

template <capture how> struct recorder : process {
  u32 flags, count, capacity;
  u64 apart;
  log_head* head;
  record* records;
  u64 stamp; // when the operation before returned
  u64 sum;   // bare: of what came out, so that nothing is left out as unused

  STEALPROOF_INLINE recorder(const run* r, u32 slot) : process(r, slot) {
    flags = how == flagged ? r->flags : how == raw ? flag_record : 0;
    capacity = static_cast<u32>(r->capacity);
    apart = r->apart;
    head = reinterpret_cast<log_head*>(r->log + r->log_stride * slot);
    records = reinterpret_cast<record*>(head + 1);
    count = 0;
    stamp = sum = 0;
  }

  // The first stamp: the second one of the operation before. What is put in is
  // announced, where that was asked for, so that a kernel which never ends leaves
  // it behind.
  STEALPROOF_INLINE u64 call(op what, u64 value, u32 size = 0) {
    if (flags & flag_apart) wait_apart();
    if (flags & flag_announce) write(what, never, value, size);
    return stamp;
  }

  // The second stamp, and the record.
  STEALPROOF_INLINE void returned(op what, result r, u64 value, u32 size = 0) {
    if (how == bare) sum ^= value ^ r;
    if (!(flags & flag_record)) return;
    if (flags & flag_performed) recorder_performed();
    stamp = now_after(static_cast<u32>(value) ^ r);
    write(what, r, value, size);
    count++;
  }

  // What follows is called now, not when the operation before returned.
  STEALPROOF_INLINE void resumed() {
    if (!(flags & flag_record)) return;
    stamp = now();
    if (count == 0) {
      head->begin = stamp;
      return;
    }
    write(op_pause, ok, 0, 0);
    count++;
  }

  // One store of 16 bytes: a fence of the next operation waits for it.
  STEALPROOF_INLINE void write(op what, result r, u64 value, u32 size) {
    if (count >= capacity) return;
    u32 word = what | r << 4 | size << 8 | static_cast<u32>(stamp >> 32) << 16;
    asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};"
                 :: "l"(records + count), "r"(static_cast<u32>(value)), "r"(static_cast<u32>(value >> 32)), "r"(static_cast<u32>(stamp)), "r"(word) : "memory");
  }

  STEALPROOF_INLINE void wait_apart() const {
    for (u32 i = 0; i < 1000000 && now() < stamp + apart; i++) sleep(20);
  }

  STEALPROOF_INLINE void begin() {
    head->guard = guard_word;
    head->object = object;
    head->process = number;
    head->place = multiprocessor();
    head->begin = now();
    head->state = state_started;
  }

  STEALPROOF_INLINE void end(u32 how_ended) {
    head->end = now();
    head->count = count < capacity ? count : capacity;
    head->dropped = count < capacity ? 0 : count - capacity;
    head->sum = static_cast<u32>(sum ^ sum >> 32);
    head->state = how_ended;
    harness_count(&shared->done, 1);
  }
};

// --- harness: from a structure to the kernels that the runner launches --------

STEALPROOF_INLINE u32 processes_of(const run* r) { return r->objects * r->processes; }

// All slots start together, or the launch is given up: they were not resident
// at once.
STEALPROOF_INLINE bool all_started(const run* r, control* c) {
  harness_count(&c->arrived, 1);
  u64 limit = now() + r->start_limit;
  while (harness_look(&c->arrived) < r->slots) {
    if (now() > limit) {
      harness_tell(&c->stop, 1);
      return false;
    }
  }
  harness_barrier();
  return harness_look(&c->stop) == 0;
}

// Traffic on other lines, until all processes have ended.
STEALPROOF_INLINE void hammer(const run* r, control* c, u32 slot) {
  u32* words = reinterpret_cast<u32*>(r->stress);
  u32 n = static_cast<u32>(r->stress_words);
  u64 x = mixed(r->seed ^ (static_cast<u64>(slot) << 32));
  while (n > 0 && harness_look(&c->done) < processes_of(r) && harness_look(&c->stop) == 0) {
    for (u32 i = 0; i < 64; i++) {
      x = mixed(x);
      u32* word = words + (x >> 32) % n;
      switch (x & 3) {
        case 0: stress_add(word, 1); break;
        case 1: stress_store(word, static_cast<u32>(x)); break;
        default: stress_load(word); break;
      }
    }
  }
}

// A burst is a few operations of the same sort in a row.
struct bursts {
  u32 left = 0;
  bool put = false;

  STEALPROOF_INLINE bool next(process& me, const run& r) {
    if (left == 0) {
      left = 1 + me.below(r.burst);
      put = me.below(100) < r.puts;
    }
    left--;
    return put;
  }
};

// What a process does next, for each kind of object. Values are distinct
// within an object: processes take turns in numbering them.
template <class T, kind K> struct driver;

template <class T> struct driver<T, wsdeque> {
  bursts b;
  u64 pushed = 0;

  template <class R> STEALPROOF_INLINE result step(R& me, const run& r, void* memory) {
    u64 value = 0;
    if (me.number != 0) {
      u64 called = me.call(op_steal, 0);
      result got = T(after(called, memory), r.structure, me).steal(value);
      me.returned(op_steal, got, value);
      return got;
    }
    if (b.next(me, r)) {
      value = pushed + 1;
      u64 called = me.call(op_push, value);
      result got = T(after(called, memory), r.structure, me).push(value);
      me.returned(op_push, got, value);
      if (got == ok) pushed++;
      return got;
    }
    u64 called = me.call(op_pop, 0);
    result got = T(after(called, memory), r.structure, me).pop(value);
    me.returned(op_pop, got, value);
    return got;
  }
};

// fifo and bag: anybody puts in and takes out.
template <class T> struct exchange {
  static constexpr op in = T::model == fifo ? op_enq : op_put, out = T::model == fifo ? op_deq : op_take;
  bursts b;
  u64 put = 0;

  static STEALPROOF_INLINE result put_in(T&& q, u64 value) {
    if constexpr (T::model == fifo) return q.enq(value); else return q.put(value);
  }

  static STEALPROOF_INLINE result take_out(T&& q, u64& value) {
    if constexpr (T::model == fifo) return q.deq(value); else return q.take(value);
  }

  template <class R> STEALPROOF_INLINE result step(R& me, const run& r, void* memory) {
    u64 value = 0;
    if (b.next(me, r)) {
      value = put * r.processes + me.number + 1;
      u64 called = me.call(in, value);
      result got = put_in(T(after(called, memory), r.structure, me), value);
      me.returned(in, got, value);
      if (got != full) put++;
      return got;
    }
    u64 called = me.call(out, 0);
    result got = take_out(T(after(called, memory), r.structure, me), value);
    me.returned(out, got, value);
    return got;
  }
};

template <class T> struct driver<T, fifo> : exchange<T> {};
template <class T> struct driver<T, bag> : exchange<T> {};

// Indices are never put in twice. A fresh stretch is filled from its upper
// half downward; once something was popped from its low end it is left to be
// taken, and the next fill begins above it.
constexpr u64 stretch = 64;

template <class T> struct driver<T, range> {
  bursts b;
  u64 round = 0;   // of this process
  u64 lowest = 0;  // end of the next downward push; 0: the next push fills
  bool filled = false; // something of this round was put in

  template <class R> STEALPROOF_INLINE result step(R& me, const run& r, void* memory) {
    u32 size = 1 + me.below(r.sizes);
    if (me.number != 0 && !T::shared) return take(me, r, memory, op_steal, size);
    if (!b.next(me, r)) {
      lowest = 0;
      return take(me, r, memory, op_pop, size);
    }
    return push(me, r, memory, size);
  }

  template <class R> STEALPROOF_INLINE result push(R& me, const run& r, void* memory, u32 size) {
    u64 floor = r.lowest + stretch * (round * r.processes + me.number) + 1;
    u64 to = lowest == 0 ? floor + stretch - 2 : lowest;
    if (to < floor + size) { // the stretch is used up: a new one must wait until all was taken
      round++;
      lowest = 0;
      filled = false;
      floor = r.lowest + stretch * (round * r.processes + me.number) + 1;
      to = floor + stretch - 2;
    }
    u64 from = to - size;
    u64 value = (from & 0xffffffffull) | to << 32;
    u64 called = me.call(op_push, value, size);
    result got = T(after(called, memory), r.structure, me).push(from, to);
    me.returned(op_push, got, value, size);
    if (got == ok) {
      lowest = from;
      filled = true;
    } else if (lowest != 0) { // somebody else took from the low end
      round++;
      lowest = 0;
      filled = false;
    }
    return got;
  }

  template <class R> STEALPROOF_INLINE result take(R& me, const run& r, void* memory, op what, u32 size) {
    u64 from = 0, to = 0;
    if (filled && what == op_pop) { // what was put in may be gone: do not put it in again
      round++;
      filled = false;
    }
    u64 called = me.call(what, 0, size);
    T q(after(called, memory), r.structure, me);
    result got = never;
    if constexpr (T::shared) {
      got = q.pop(size, from, to);
    } else {
      got = what == op_pop ? q.pop(size, from, to) : q.steal(size, from, to);
    }
    me.returned(what, got, (from & 0xffffffffull) | to << 32, size);
    return got;
  }
};

// All processes meet, and one of each object acts alone between two phases.
template <class T, class R>
STEALPROOF_INLINE bool next_phase(R& me, const run& r, void* memory, u32 phase) {
  if constexpr (T::model == bag) {
    for (u32 half = 1; half <= 2; half++) {
      harness_barrier();
      u32 target = (2 * phase + half) * processes_of(&r);
      harness_count(&me.shared->waiting, 1);
      u64 limit = now() + r.start_limit;
      while (harness_look(&me.shared->waiting) < target) {
        if (me.stopped()) return false;
        if (now() > limit) {
          harness_tell(&me.shared->stop, 1);
          return false;
        }
      }
      harness_barrier();
      if (half == 1 && me.number == 0) T(memory, r.structure, me).next_phase();
    }
    me.resumed();
  }
  return true;
}

template <class T, class R>
STEALPROOF_INLINE u32 work(R& me, const run& r) {
  void* memory = reinterpret_cast<void*>(r.memory + r.memory_stride * me.object);
  driver<T, T::model> d;
  me.resumed();
  u32 phases = T::model == bag && r.phases > 0 ? r.phases : 1;
  u32 share = r.operations / phases;
  for (u32 phase = 0; phase < phases; phase++) {
    u32 operations = phase + 1 < phases ? share : r.operations - share * (phases - 1);
    for (u32 i = 0; i < operations; i++) {
      if (d.step(me, r, memory) == never) {
        harness_tell(&me.shared->stop, 1);
        return state_stuck;
      }
      if (i % 64 == 63 && me.stopped()) return state_stopped;
    }
    if (phase + 1 < phases && !next_phase<T>(me, r, memory, phase)) return state_stopped;
  }
  return state_done;
}

template <class T, capture how> STEALPROOF_INLINE void launch(const run* parameters) {
  if (thread_index() % 32 != 0) return;
  u32 slot = block_index() * (block_threads() / 32) + thread_index() / 32;
  if (slot >= parameters->slots) return;
  run r = *parameters; // into registers
  control* c = reinterpret_cast<control*>(r.control);
  u32 role = reinterpret_cast<const u32*>(r.placement)[slot];
  if (role < processes_of(&r)) {
    recorder<how> me(&r, role);
    me.begin();
    if (all_started(&r, c)) {
      me.end(work<T>(me, r));
    } else {
      me.end(state_late);
    }
    return;
  }
  if (all_started(&r, c) && role == stress_slot) hammer(&r, c, slot);
}

// --- a process that is a warp, or a block -----------------------------------------
// All threads of it go the same way through the harness: the first one keeps the log, and
// what it knows is told to the others.

struct of_warp {
  static constexpr u32 all = 0xffffffff;

  static STEALPROOF_INLINE u32 slot() { return block_index() * (block_threads() / 32) + thread_index() / 32; }
  static STEALPROOF_INLINE bool is_first() { return thread_index() % 32 == 0; }
  static STEALPROOF_INLINE void meet() { asm volatile("bar.warp.sync %0;" :: "r"(all) : "memory"); }

  static STEALPROOF_INLINE u32 first_says(u32 value) {
    u32 told;
    asm volatile("shfl.sync.idx.b32 %0, %1, 0, 31, %2;" : "=r"(told) : "r"(value), "r"(all) : "memory");
    return told;
  }

  static STEALPROOF_INLINE u64 first_says(u64 value) {
    return first_says(static_cast<u32>(value)) | static_cast<u64>(first_says(static_cast<u32>(value >> 32))) << 32;
  }
};

struct of_block {
  static STEALPROOF_INLINE u32 slot() { return block_index(); }
  static STEALPROOF_INLINE bool is_first() { return thread_index() == 0; }
  static STEALPROOF_INLINE void meet() { asm volatile("bar.sync 0;" ::: "memory"); }

  static STEALPROOF_INLINE u64 first_says(u64 value) {
    static __shared__ u64 told;
    if (is_first()) told = value;
    meet();
    value = told;
    meet();
    return value;
  }
};

template <capture how, class team> struct team_recorder : recorder<how> {
  using log = recorder<how>;
  bool first;

  STEALPROOF_INLINE team_recorder(const run* r, u32 slot) : log(r, slot), first(team::is_first()) {}

  STEALPROOF_INLINE u64 call(op what, u64 value, u32 size = 0) {
    u64 stamp = first ? log::call(what, value, size) : 0;
    team::meet();
    return stamp;
  }

  STEALPROOF_INLINE void returned(op what, result r, u64 value, u32 size = 0) {
    if (first) log::returned(what, r, value, size);
  }

  STEALPROOF_INLINE void resumed() { if (first) log::resumed(); }
  STEALPROOF_INLINE bool stopped() const { return team::first_says(static_cast<u64>(first && process::stopped())) != 0; }
  STEALPROOF_INLINE void begin() { if (first) log::begin(); }
  STEALPROOF_INLINE void end(u32 how_ended) { if (first) log::end(how_ended); }
};

// A structure whose operations return when all threads have, with what the first one says.
template <class T, class team> struct together : T {
  using T::T;

  static STEALPROOF_INLINE result agreed(result r) {
    team::meet();
    return static_cast<result>(team::first_says(static_cast<u64>(r)));
  }

  static STEALPROOF_INLINE result agreed(result r, u64& value) {
    value = team::first_says(value);
    return agreed(r);
  }

  STEALPROOF_INLINE result push(u64 value) { return agreed(T::push(value)); }
  STEALPROOF_INLINE result pop(u64& value) { result r = T::pop(value); return agreed(r, value); }
  STEALPROOF_INLINE result steal(u64& value) { result r = T::steal(value); return agreed(r, value); }
  STEALPROOF_INLINE result enq(u64 value) { return agreed(T::enq(value)); }
  STEALPROOF_INLINE result deq(u64& value) { result r = T::deq(value); return agreed(r, value); }
};

template <class T, capture how, class team> STEALPROOF_INLINE void launch_team(const run* parameters) {
  static_assert(T::model == wsdeque || T::model == fifo, "a warp or a block can be a process of a wsdeque or a fifo");
  u32 slot = team::slot();
  if (slot >= parameters->slots) return;
  run r = *parameters; // into registers
  control* c = reinterpret_cast<control*>(r.control);
  u32 role = reinterpret_cast<const u32*>(r.placement)[slot];
  bool first = team::is_first();
  bool started = team::first_says(static_cast<u64>(first && all_started(&r, c))) != 0;
  if (role < processes_of(&r)) {
    team_recorder<how, team> me(&r, role);
    me.begin();
    me.end(started ? work<together<T, team>>(me, r) : state_late);
  } else if (started && first && role == stress_slot) {
    hammer(&r, c, slot);
  }
}

template <class T, capture how> STEALPROOF_INLINE void launch_warp(const run* r) { launch_team<T, how, of_warp>(r); }
template <class T, capture how> STEALPROOF_INLINE void launch_block(const run* r) { launch_team<T, how, of_block>(r); }

template <class T> STEALPROOF_INLINE void prepare(const run* r) {
  u32 object = block_index() * block_threads() + thread_index();
  if (object >= r->objects) return;
  process me(r, object * r->processes);
  T(reinterpret_cast<void*>(r->memory + r->memory_stride * object), r->structure, me).prepare();
}

template <class T> STEALPROOF_INLINE void describe(const run* r, description* d) {
  if (block_index() != 0 || thread_index() != 0) return;
  d->abi = abi_version;
  d->model = T::model;
  d->record_bytes = sizeof(record);
  d->head_bytes = sizeof(log_head);
  d->run_bytes = sizeof(run);
  d->reserved = 0;
  d->object_bytes = T::bytes(r->structure);
}

// Which operations a structure has.
template <class T, bool is_range = T::model == range> constexpr bool has_owner = true;
template <class T> constexpr bool has_owner<T, true> = !T::shared;

template <class T, op what> constexpr bool has =
    T::model == wsdeque ? what == op_push || what == op_pop || what == op_steal
  : T::model == fifo    ? what == op_enq || what == op_deq
  : T::model == bag     ? what == op_put || what == op_take
                        : what == op_push || what == op_pop || (what == op_steal && has_owner<T>);

// One operation, by one thread, without a record.
template <class T, op what> STEALPROOF_INLINE void carry_out(call* c) {
  if constexpr (has<T, what>) {
    setup s = c->structure;
    process me(c);
    T q(reinterpret_cast<void*>(c->memory), s, me);
    u64 value = c->value, to = c->to;
    u32 size = c->size;
    result got = never;
    if constexpr (T::model == range) {
      if constexpr (what == op_push) got = q.push(value, to);
      if constexpr (what == op_pop) got = q.pop(size, value, to);
      if constexpr (what == op_steal) got = q.steal(size, value, to);
    } else {
      if constexpr (what == op_push) got = q.push(value);
      if constexpr (what == op_pop) got = q.pop(value);
      if constexpr (what == op_steal) got = q.steal(value);
      if constexpr (what == op_enq) got = q.enq(value);
      if constexpr (what == op_deq) got = q.deq(value);
      if constexpr (what == op_put) got = q.put(value);
      if constexpr (what == op_take) got = q.take(value);
    }
    c->value = value;
    c->to = to;
    c->result = got;
  }
}

template <class T> STEALPROOF_INLINE void end_phase(call* c) {
  if constexpr (T::model == bag) {
    setup s = c->structure;
    process me(c);
    T(reinterpret_cast<void*>(c->memory), s, me).next_phase();
  }
}

} // namespace stealproof

// ABI: the names that the runner looks for in a module.
#define STEALPROOF_KERNELS(Type) STEALPROOF_INTERFACE(Type, launch)

// The same where all lanes of a warp carry out each operation together.
#define STEALPROOF_WARP_KERNELS(Type) \
  extern "C" { __device__ unsigned int stealproof_lanes = 32; } \
  STEALPROOF_INTERFACE(Type, launch_warp)

// The same where all threads of a block do, 32 to 512 of them. What is __shared__ belongs to
// one process, and all threads are to come back with the same answer.
#define STEALPROOF_BLOCK_KERNELS(Type, threads) \
  static_assert((threads) % 32 == 0 && (threads) >= 32 && (threads) <= 512, "a process is a block of 32 to 512 threads, whole warps"); \
  extern "C" { __device__ unsigned int stealproof_block = (threads); } \
  STEALPROOF_INTERFACE(Type, launch_block)

#define STEALPROOF_INTERFACE(Type, launched) \
  extern "C" { \
  __device__ unsigned int stealproof_abi = stealproof::abi_version; \
  __global__ void stealproof_describe(const stealproof::run* r, stealproof::description* d) { stealproof::describe<Type>(r, d); } \
  __global__ void stealproof_prepare(const stealproof::run* r) { stealproof::prepare<Type>(r); } \
  __global__ void stealproof_run(const stealproof::run* r) { stealproof::launched<Type, stealproof::flagged>(r); } \
  __global__ void stealproof_run_raw(const stealproof::run* r) { stealproof::launched<Type, stealproof::raw>(r); } \
  __global__ void stealproof_run_bare(const stealproof::run* r) { stealproof::launched<Type, stealproof::bare>(r); } \
  __global__ void stealproof_push(stealproof::call* c) { stealproof::carry_out<Type, stealproof::op_push>(c); } \
  __global__ void stealproof_pop(stealproof::call* c) { stealproof::carry_out<Type, stealproof::op_pop>(c); } \
  __global__ void stealproof_steal(stealproof::call* c) { stealproof::carry_out<Type, stealproof::op_steal>(c); } \
  __global__ void stealproof_enq(stealproof::call* c) { stealproof::carry_out<Type, stealproof::op_enq>(c); } \
  __global__ void stealproof_deq(stealproof::call* c) { stealproof::carry_out<Type, stealproof::op_deq>(c); } \
  __global__ void stealproof_put(stealproof::call* c) { stealproof::carry_out<Type, stealproof::op_put>(c); } \
  __global__ void stealproof_take(stealproof::call* c) { stealproof::carry_out<Type, stealproof::op_take>(c); } \
  __global__ void stealproof_next_phase(stealproof::call* c) { stealproof::end_phase<Type>(c); } \
  }

#endif
