// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Where the elements of a table are: each PE owns a run of neighbours. Their number is a power of
// 2, so that no update divides.

#pragma once

#include <stdint.h>

#include "program.h"

struct layout {
  uint64_t elements;
  uint64_t pes;
  int bits;       // elements is 2^bits
  uint64_t part;  // places of a PE: the least power of 2 that is enough for the elements of each
};

static inline struct layout layout_of(long elements) {
  struct layout layout = {.elements = (uint64_t)elements, .pes = (uint64_t)world_pes(), .part = 1};
  while (UINT64_C(1) << layout.bits < layout.elements) layout.bits++;
  while (layout.part * layout.pes < layout.elements) layout.part *= 2;
  return layout;
}

static inline int owner_of(const struct layout* layout, uint64_t index) {
  return (int)(index * layout->pes >> layout->bits);
}

// Where an element is in the part of its owner. Owned elements are neighbours, and no more than
// places, so that no two of them share one.
static inline uint64_t place_of(const struct layout* layout, uint64_t index) {
  return index & (layout->part - 1);
}

// The first element that a PE owns; of the PE after the last one, the number of elements.
static inline uint64_t first_owned(const struct layout* layout, int pe) {
  return ((uint64_t)pe * layout->elements + layout->pes - 1) / layout->pes;
}

// Lets each element of this PE be its own index.
static inline void table_fill(uint64_t* own, const struct layout* layout) {
  const uint64_t end = first_owned(layout, world_me() + 1);
  for (uint64_t i = first_owned(layout, world_me()); i < end; i++) own[place_of(layout, i)] = i;
}

// How many elements of this PE are not what is wanted.
static inline double table_wrong(const uint64_t* own, const uint64_t* wanted,
                                 const struct layout* layout) {
  const uint64_t end = first_owned(layout, world_me() + 1);
  double wrong = 0;
  for (uint64_t i = first_owned(layout, world_me()); i < end; i++)
    wrong += own[place_of(layout, i)] != wanted[place_of(layout, i)];
  return wrong;
}
