// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#include "arguments.h"

// Symmetric memory as Python objects: who owns a block, and what is known of it.

namespace ucxx::python::shmem {

/// A block of the symmetric heap. Arrays and memoryviews of the block keep this alive. When it dies
/// nothing is freed, since the collector runs at different times on different PEs: the block's
/// owner calls `free`, on all PEs.
struct Memory {
  PyObject_HEAD char* address;
  std::size_t bytes;
  unsigned epoch;  ///< state.epoch of its allocation
  bool is_freed;
};

/// What `ptr` gives: memory of another PE. Keeps the block alive that it was asked for.
struct PeerMemory {
  PyObject_HEAD PyObject* block;
};

extern PyTypeObject memory_type;
extern PyTypeObject peer_memory_type;
/// Throws Raised.
void prepareMemoryTypes();

/// The options of an allocation.
struct Wish {
  long alignment = 0;  ///< 0: none
  long hints = 0;
  bool clear = true;
};

/// A new block; collective. One of no bytes has an address of its own. Throws Raised: MemoryError
/// on all PEs where one of them has no room.
Ref allocate(const Arguments& given, std::size_t bytes, const Wish& wish);
/// Collective. Throws Raised: freed before, not of this initialisation.
void release(const Arguments& given, Memory& memory);

/// The block where the buffer of an object lies: an array, a view of one, a memoryview; null: none
/// that was allocated here.
Memory* memoryOf(PyObject* object) noexcept;
/// Whether it is an array of `ptr`, or a view of one.
bool isPeers(PyObject* array) noexcept;

}  // namespace ucxx::python::shmem
