// A bounded ring for any number of producers and consumers, written as CUDA was
// before it had orders and scopes: volatile, atomicCAS, __threadfence.
//
// Every position is a ticket. A cell is free for ticket t when its turn is t, and
// holds the item of ticket t when its turn is t + 1.
//
// delay() is called where being slow would show, between claiming a cell and
// filling or emptying it: [] {} for nothing.
//
// TICKET_TRUSTS_TURN: a consumer takes 'the turn of this cell has not come' for
// 'the ring is empty'. But the producer of the cell may be slow, and the next one
// have finished long ago.
#pragma once

template <class Item, unsigned N> class TicketRing {
  using Ticket = unsigned long long;

  struct alignas(32) Cell {
    volatile Ticket turn;
    volatile Item item;
  };

  alignas(128) Ticket tail;
  alignas(128) Ticket head;
  alignas(128) Cell cells[N];

  static __device__ Ticket look(const Ticket& t) { return *const_cast<const volatile Ticket*>(&t); }

public:
  __device__ void init() {
    tail = head = 0;
    for (unsigned i = 0; i < N; i++) cells[i].turn = i;
  }

  template <class Delay> __device__ bool tryPush(Item item, Delay delay) {
    for (;;) {
      Ticket ticket = look(tail);
      __threadfence();
      Cell& cell = cells[ticket % N];
      if (cell.turn == ticket) {
        if (atomicCAS(&tail, ticket, ticket + 1) != ticket) continue;
        delay();
        cell.item = item;
        __threadfence();
        cell.turn = ticket + 1;
        return true;
      }
      __threadfence();
      if (static_cast<long long>(ticket - look(head)) >= static_cast<long long>(N)) return false;
    }
  }

  template <class Delay> __device__ bool tryPop(Item& item, Delay delay) {
    for (;;) {
      Ticket ticket = look(head);
      __threadfence();
      Cell& cell = cells[ticket % N];
      Ticket turn = cell.turn;
      if (turn == ticket + 1) {
        if (atomicCAS(&head, ticket, ticket + 1) != ticket) continue;
        delay();
        __threadfence();
        item = cell.item;
        __threadfence();
        cell.turn = ticket + N;
        return true;
      }
#ifdef TICKET_TRUSTS_TURN
      if (turn == ticket) return false;
#endif
      __threadfence();
      if (look(tail) == ticket) return false;
    }
  }
};
