// A queue in which producers publish one after the other: each fills the cell that it has
// claimed, waits until everybody before it has published, and moves the tail on by one.
//
// The wait reads the tail past the cache of the multiprocessor (ld.global.cg), which many
// take for a load that is made again in every round. To PTX it is a weak load: nobody
// else's store concerns it, it may be made once, and a loop that does nothing but wait may
// be left out. ptxas 13.0 does so at -O2 with a queue that waits in this way: producers
// publish cells that others have not filled, and consumers are handed what nobody put in.
//
// RELAY_RELAXED: the wait is a relaxed load, as it should be.
#pragma once

template <class Item, unsigned N> class RelayQueue {
  using Ticket = unsigned long long;

  alignas(128) Ticket claimed;
  alignas(128) Ticket tail;
  alignas(128) Ticket head;
  alignas(128) Item cells[N];

  static __device__ Ticket look(const Ticket& t) { return *const_cast<const volatile Ticket*>(&t); }

  __device__ Ticket published() const {
    Ticket t;
#ifdef RELAY_RELAXED
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1]; // site push_wait" : "=l"(t) : "l"(&tail));
#else
    asm volatile("ld.global.cg.u64 %0, [%1]; // site push_wait" : "=l"(t) : "l"(&tail));
#endif
    return t;
  }

public:
  __device__ void init() {
    claimed = tail = head = 0;
    for (unsigned i = 0; i < N; i++) cells[i] = 0;
  }

  // What was claimed in vain stays claimed: the queue holds N items in its life.
  template <class Delay> __device__ bool tryPush(Item item, Delay delay) {
    Ticket ticket = atomicAdd(&claimed, 1);
    if (ticket >= N) return false;
    delay();
    cells[ticket] = item;
    __threadfence();
    while (published() != ticket) {
    }
    atomicAdd(&tail, 1);
    return true;
  }

  __device__ bool tryPop(Item& item) {
    for (;;) {
      Ticket ticket = look(head);
      __threadfence();
      if (look(tail) <= ticket) return false;
      if (atomicCAS(&head, ticket, ticket + 1) != ticket) continue;
      __threadfence();
      item = cells[ticket];
      return true;
    }
  }
};
