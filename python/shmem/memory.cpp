// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "memory.h"

#include <bit>
#include <cstring>

#include "state.h"

namespace ucxx::python::shmem {
namespace {

int giveBuffer(PyObject* self, Py_buffer* view, int flags) {
  auto& memory = *reinterpret_cast<Memory*>(self);
  return PyBuffer_FillInfo(view, self, memory.address, static_cast<Py_ssize_t>(memory.bytes), 0,
                           flags);
}
PyBufferProcs buffer_of_memory = {giveBuffer, nullptr};

PyObject* describe(PyObject* self) {
  const auto& memory = *reinterpret_cast<Memory*>(self);
  const bool is_gone = memory.is_freed || memory.epoch != state.epoch;
  return PyUnicode_FromFormat("<symmetric memory of %zu bytes%s>", memory.bytes,
                              is_gone ? ", freed" : "");
}

void endPeerMemory(PyObject* self) {
  Py_DECREF(reinterpret_cast<PeerMemory*>(self)->block);
  Py_TYPE(self)->tp_free(self);
}

/// The most that shmem_align can give.
constexpr unsigned long kMostAlignment = 64UL << 20;

/// An alignment is kept; hints are not, where an alignment is wanted as well.
void* take(std::size_t bytes, const Wish& wish) {
  if (wish.alignment != 0) return functions.align(static_cast<std::size_t>(wish.alignment), bytes);
  if (wish.hints != 0) return functions.malloc_with_hints(bytes, wish.hints);
  return wish.clear ? functions.calloc(1, bytes) : functions.malloc(bytes);
}

/// Zeros where the allocation itself has made none; then a barrier, as in shmem_calloc.
void clear(void* block, std::size_t bytes, const Wish& wish) {
  if (!wish.clear || (wish.alignment == 0 && wish.hints == 0)) return;
  std::memset(block, 0, bytes);
  functions.barrier_all();
}

void require(const Arguments& given, const Wish& wish) {
  const auto alignment = static_cast<unsigned long>(wish.alignment);
  const bool is_within = alignment >= sizeof(void*) && alignment <= kMostAlignment;
  if (alignment != 0 && (!is_within || !std::has_single_bit(alignment)))
    raise(PyExc_ValueError,
          "%s: align = %ld: must be 0, or a power of two from %zu to %lu (64 MiB)", given.call(),
          wish.alignment, sizeof(void*), kMostAlignment);
}

/// Whether a memoryview's `release` was called: what it was of may be gone.
bool isReleased(PyObject* view) noexcept {
  const int flags = reinterpret_cast<PyMemoryViewObject*>(view)->flags;
  return (flags & _Py_MEMORYVIEW_RELEASED) != 0;
}

}  // namespace

PyTypeObject memory_type = {
    .ob_base = {PyObject_HEAD_INIT(nullptr) 0},
    .tp_name = "ucxx._shmem.Memory",
    .tp_basicsize = sizeof(Memory),
    .tp_repr = describe,
    .tp_as_buffer = &buffer_of_memory,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "A block of the symmetric heap.",
};
PyTypeObject peer_memory_type = {
    .ob_base = {PyObject_HEAD_INIT(nullptr) 0},
    .tp_name = "ucxx._shmem.PeerMemory",
    .tp_basicsize = sizeof(PeerMemory),
    .tp_dealloc = endPeerMemory,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_doc = "Memory of another PE.",
};

void prepareMemoryTypes() {
  if (PyType_Ready(&memory_type) < 0 || PyType_Ready(&peer_memory_type) < 0) throw Raised{};
}

Ref allocate(const Arguments& given, std::size_t bytes, const Wish& wish) {
  requireRunning(given);
  require(given, wish);
  Ref made(need(memory_type.tp_alloc(&memory_type, 0)));
  auto& memory = *reinterpret_cast<Memory*>(made.get());
  const std::size_t taken = bytes == 0 ? 1 : bytes;
  void* const block = withoutGil([&] {
    void* const made_here = take(taken, wish);
    if (made_here != nullptr) clear(made_here, taken, wish);
    return made_here;
  });
  if (block == nullptr)
    raise(PyExc_MemoryError,
          "%s: the symmetric heap has no room for %zu bytes on all PEs: SHMEM_SYMMETRIC_SIZE in "
          "the environment sets its size, and the machine must have left that memory for all PEs",
          given.call(), taken);
  memory.address = static_cast<char*>(block);
  memory.bytes = bytes;
  memory.epoch = state.epoch;
  memory.is_freed = false;
  ++state.blocks;
  state.bytes += bytes;
  return made;
}

void release(const Arguments& given, Memory& memory) {
  requireRunning(given);
  if (memory.is_freed)
    raise(Error::NotSymmetric, "%s: the memory at %p is freed already", given.call(),
          memory.address);
  if (memory.epoch != state.epoch)
    raise(Error::NotSymmetric, "%s: the memory at %p went with the finalize since", given.call(),
          memory.address);
  memory.is_freed = true;
  --state.blocks;
  state.bytes -= memory.bytes;
  withoutGil([&] { functions.free(memory.address); });
}

Memory* memoryOf(PyObject* object) noexcept {
  while (object != nullptr) {
    if (Py_TYPE(object) == &memory_type) return reinterpret_cast<Memory*>(object);
    if (PyArray_Check(object)) {
      object = PyArray_BASE(reinterpret_cast<PyArrayObject*>(object));
    } else if (PyMemoryView_Check(object) && !isReleased(object)) {
      object = PyMemoryView_GET_BUFFER(object)->obj;
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

bool isPeers(PyObject* array) noexcept {
  while (array != nullptr && PyArray_Check(array))
    array = PyArray_BASE(reinterpret_cast<PyArrayObject*>(array));
  return array != nullptr && Py_TYPE(array) == &peer_memory_type;
}

}  // namespace ucxx::python::shmem
