// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <atomic>

#include "cuda/driver/types.h"

namespace stand_in {

struct Connections;  // of queue.cpp

/// What a context has, from its beginning or a reset to its end or the next reset. It stays in
/// memory: threads that run what it was given wait in it for ever.
struct Life {
  Life(gpu::Context of, unsigned long long number, Connections& its)
      : context(of), id(number), connections(its) {}

  const gpu::Context context;
  const unsigned long long id;
  Connections& connections;
  std::atomic<bool> is_over{false};
};

Life& beginLife(gpu::Context context);
/// All that is of it is gone, at once, whatever its streams do.
void endLife(Life& life);

/// The calling thread runs entries of its streams from now on.
void belongTo(Life& life) noexcept;
Life* lifeOfThread() noexcept;  // null: it runs none
/// ... and that life is over.
bool isOfBefore() noexcept;

}  // namespace stand_in
