// Modules that go wrong, each in one way, to test what the runner says: part
// `bad` of scripts/h200.sh. A queue that is always empty, until process 1 of
// object 0 has done some operations. BAD names the way; what waits ends by itself.
#include "stealproof.cuh"

using namespace stealproof;

enum way { writes_outside, spoils_its_log, overflows_its_log, hangs, gives_up, traps, uses_a_wild_address, uses_a_crooked_address };

struct bad {
  static constexpr kind model = fifo;
  static constexpr u32 words = 8;

  u64* word;
  process& me;

  static STEALPROOF_INLINE u64 bytes(const setup&) { return 8 * words; }
  STEALPROOF_INLINE bad(void* memory, const setup&, process& p) : word(static_cast<u64*>(memory)), me(p) {}

  STEALPROOF_INLINE void prepare() {
    for (u32 i = 0; i < words; i++) word[i] = 0;
  }

  STEALPROOF_INLINE result enq(u64) { return full; }
  STEALPROOF_INLINE result deq(u64&) { return me.object == 0 && me.number == 1 && ++word[0] == 100 ? go_wrong() : empty; }

  STEALPROOF_INLINE recorder<flagged>& log() { return static_cast<recorder<flagged>&>(me); }

  STEALPROOF_INLINE result go_wrong() {
    switch (BAD) {
      case writes_outside: word[words] = 1; break;
      case spoils_its_log: log().head->guard = 0; break;
      case overflows_its_log: log().returned(op_deq, empty, 0); break;
      case hangs: for (u64 end = now() + 10000000000ull; now() < end;) sleep(1000); break;
      case gives_up: return never;
      case traps: asm volatile("trap;"); break;
      case uses_a_wild_address: asm volatile("st.global.u64 [%0], %1;" :: "l"(word + (1ull << 40)), "l"(1ull) : "memory"); break;
      default: asm volatile("st.global.u64 [%0], %1;" :: "l"(reinterpret_cast<char*>(word) + 1), "l"(1ull) : "memory"); break;
    }
    return empty;
  }
};

STEALPROOF_KERNELS(bad)
