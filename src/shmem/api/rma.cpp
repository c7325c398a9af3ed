// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// put, get, p, g; their strided forms; put_signal. What is non-blocking for the standard is done on
// return here: the processor of the caller copies.
#include "shmem/access/rma.h"

#include "shmem/api/define.h"
#include "shmem/api/types.h"
#include "shmem/waiting/signal.h"

using namespace ucxx::shmem;

#define PUT_AND_GET(name_put, name_get, T, bytes)                                            \
  UCXX_SHMEM_DEFINE_BOTH(void, name_put, (T * dest, const T* source, size_t nelems, int pe), \
                         { put(dest, source, nelems*(bytes), world_pe, SELF); })             \
  UCXX_SHMEM_DEFINE_BOTH(void, name_get, (T * dest, const T* source, size_t nelems, int pe), \
                         { get(dest, source, nelems*(bytes), world_pe, SELF); })

#define TYPED(name, T)                              \
  PUT_AND_GET(name##_put, name##_get, T, sizeof(T)) \
  PUT_AND_GET(name##_put_nbi, name##_get_nbi, T, sizeof(T))
UCXX_SHMEM_RMA_TYPES(TYPED)
#undef TYPED

#define SIZED(bits, bytes)                       \
  PUT_AND_GET(put##bits, get##bits, void, bytes) \
  PUT_AND_GET(put##bits##_nbi, get##bits##_nbi, void, bytes)
UCXX_SHMEM_BITS(SIZED)
#undef SIZED

PUT_AND_GET(putmem, getmem, void, 1)
PUT_AND_GET(putmem_nbi, getmem_nbi, void, 1)

#define ONE(name, T)                                                  \
  UCXX_SHMEM_DEFINE_BOTH(void, name##_p, (T * dest, T value, int pe), \
                         { putValue(dest, value, world_pe, SELF); })  \
  UCXX_SHMEM_DEFINE_BOTH(T, name##_g, (const T* source, int pe),      \
                         { return getValue(source, world_pe, SELF); })
UCXX_SHMEM_RMA_TYPES(ONE)
#undef ONE

// A block of one element is iput's and iget's.
#define STRIDED(name, suffix, T, bytes)                                                        \
  UCXX_SHMEM_DEFINE_BOTH(                                                                      \
      void, name##iput##suffix,                                                                \
      (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe),        \
      { putBlocks(dest, source, blocksOf(bytes, 1, nelems, dst, sst), world_pe, SELF); })      \
  UCXX_SHMEM_DEFINE_BOTH(                                                                      \
      void, name##iget##suffix,                                                                \
      (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe),        \
      { getBlocks(dest, source, blocksOf(bytes, 1, nelems, dst, sst), world_pe, SELF); })      \
  UCXX_SHMEM_DEFINE_BOTH(                                                                      \
      void, name##ibput##suffix,                                                               \
      (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,  \
       int pe),                                                                                \
      { putBlocks(dest, source, blocksOf(bytes, bsize, nblocks, dst, sst), world_pe, SELF); }) \
  UCXX_SHMEM_DEFINE_BOTH(                                                                      \
      void, name##ibget##suffix,                                                               \
      (T * dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,  \
       int pe),                                                                                \
      { getBlocks(dest, source, blocksOf(bytes, bsize, nblocks, dst, sst), world_pe, SELF); })

namespace {

/// From what the program counts in elements.
Blocks blocksOf(std::size_t element, std::size_t block, std::size_t count, std::ptrdiff_t to,
                std::ptrdiff_t from) noexcept {
  const auto bytes = static_cast<std::ptrdiff_t>(element);
  return {block * element, count, to * bytes, from * bytes};
}

}  // namespace

#define TYPED(name, T) STRIDED(name##_, , T, sizeof(T))
UCXX_SHMEM_RMA_TYPES(TYPED)
#undef TYPED
#define SIZED(bits, bytes) STRIDED(, bits, void, bytes)
UCXX_SHMEM_BITS(SIZED)
#undef SIZED

#define PUT_SIGNAL(name, T, bytes)                                                      \
  UCXX_SHMEM_DEFINE_BOTH(void, name,                                                    \
                         (T * dest, const T* source, size_t nelems, uint64_t* sig_addr, \
                          uint64_t signal, int sig_op, int pe),                         \
                         {                                                              \
                           put(dest, source, nelems*(bytes), world_pe, SELF);           \
                           sendSignal(sig_addr, signal, sig_op, world_pe, SELF);        \
                         })
#define TYPED(name, T)                        \
  PUT_SIGNAL(name##_put_signal, T, sizeof(T)) \
  PUT_SIGNAL(name##_put_signal_nbi, T, sizeof(T))
UCXX_SHMEM_RMA_TYPES(TYPED)
#undef TYPED
#define SIZED(bits, bytes)                    \
  PUT_SIGNAL(put##bits##_signal, void, bytes) \
  PUT_SIGNAL(put##bits##_signal_nbi, void, bytes)
UCXX_SHMEM_BITS(SIZED)
#undef SIZED
PUT_SIGNAL(putmem_signal, void, 1)
PUT_SIGNAL(putmem_signal_nbi, void, 1)

UCXX_SHMEM_DEFINE_BOTH(void, signal_add, (uint64_t * sig_addr, uint64_t signal, int pe),
                       { sendSignal(sig_addr, signal, SHMEM_SIGNAL_ADD, world_pe, SELF); })
UCXX_SHMEM_DEFINE_BOTH(void, signal_set, (uint64_t * sig_addr, uint64_t signal, int pe),
                       { sendSignal(sig_addr, signal, SHMEM_SIGNAL_SET, world_pe, SELF); })
