// What the queues beside this file need of CUDA, for clang without NVIDIA's headers.
#pragma once

#ifndef __CUDACC__
__device__ inline void __threadfence() { __nvvm_membar_gl(); }

__device__ inline unsigned long long atomicCAS(unsigned long long* at, unsigned long long old, unsigned long long value) {
  return static_cast<unsigned long long>(__nvvm_atom_cas_gen_ll(reinterpret_cast<long long*>(at), static_cast<long long>(old), static_cast<long long>(value)));
}

__device__ inline unsigned long long atomicAdd(unsigned long long* at, unsigned long long n) {
  return static_cast<unsigned long long>(__nvvm_atom_add_gen_ll(reinterpret_cast<long long*>(at), static_cast<long long>(n)));
}

__device__ inline void __syncwarp() { __nvvm_bar_warp_sync(0xffffffffu); }
__device__ inline int __ffs(unsigned v) { return __builtin_ffs(static_cast<int>(v)); }
__device__ inline unsigned __shfl_sync(unsigned mask, unsigned v, unsigned lane) { return __nvvm_shfl_sync_idx_i32(mask, v, lane, 31); }
__device__ inline bool __all_sync(unsigned mask, bool v) { return __nvvm_vote_all_sync(mask, v); }

__device__ inline unsigned __activemask() {
  unsigned mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask) :: "memory");
  return mask;
}
#endif

__device__ inline unsigned laneNumber() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

__device__ inline unsigned threadNumber() {
  unsigned thread;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(thread));
  return thread;
}

// Loads and stores with an order, as cuda::atomic_ref has them.
__device__ inline unsigned long long loadRelaxed(const unsigned long long* at) {
  unsigned long long v;
  asm volatile("ld.relaxed.gpu.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  return v;
}

__device__ inline unsigned long long loadAcquire(const unsigned long long* at) {
  unsigned long long v;
  asm volatile("ld.acquire.gpu.u64 %0, [%1];" : "=l"(v) : "l"(at) : "memory");
  return v;
}

__device__ inline void storeRelaxed(unsigned long long* at, unsigned long long v) {
  asm volatile("st.relaxed.gpu.u64 [%0], %1;" :: "l"(at), "l"(v) : "memory");
}

__device__ inline void storeRelease(unsigned long long* at, unsigned long long v) {
  asm volatile("st.release.gpu.u64 [%0], %1;" :: "l"(at), "l"(v) : "memory");
}
