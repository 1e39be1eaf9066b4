// What ticket_ring.h needs of CUDA, for clang without NVIDIA's headers.
#pragma once

__device__ inline void __threadfence() { __nvvm_membar_gl(); }

__device__ inline unsigned long long atomicCAS(unsigned long long* at, unsigned long long old, unsigned long long value) {
  return static_cast<unsigned long long>(__nvvm_atom_cas_gen_ll(reinterpret_cast<long long*>(at), static_cast<long long>(old), static_cast<long long>(value)));
}
