// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include "cuda/room_waiter.h"
#include "gil.h"
#include "worker_state.h"

namespace ucxx::python {

/// A post that waits for room in its stream looks for Ctrl-C now and then; one in the thread of the
/// worker's event loop does not wait, since the transfers that have to end may need other tasks of
/// the loop. For a post without the GIL, by the thread that has made this.
class RoomWaiter final : cuda::RoomWaiter {
 public:
  explicit RoomWaiter(const WorkerState& state) : state_(state) {}

 private:
  bool mayGoOn() override;

  const WorkerState& state_;
};

/// Posts to a stream, a graph or for kernels: other threads of Python run meanwhile.
template <class Post>
auto postToDevice(const WorkerState& state, const Post& post) -> decltype(post()) {
  const RoomWaiter waiter(state);
  return withoutGil(post);
}

}  // namespace ucxx::python
