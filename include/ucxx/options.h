// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include <ucxx/buffer_type.h>

namespace ucxx {

/// How a worker behaves. Every field has the value that most programs want.
struct WorkerOptions {
  /// Posts from threads other than the progress thread only queue; the progress thread submits.
  bool delayed_submission = false;
  /// Accepted and ignored in C++; the Python layer turns it into awaitables.
  bool future = false;
  /// Requests remember what `Request::queryAttributes` answers (costs a little per request).
  bool request_attributes = false;
  /// What a frame of a multi-buffer message, and an active message, that its sender says is a
  /// device's is received into, where `registerAmAllocator` has given nothing for it: a
  /// `CCCLBuffer`, which the thread that moves the worker allocates (without a context of CUDA it
  /// takes the device that the process used last), or with `Host` a `HostBuffer`. Where there is no
  /// memory of a device, active messages come to the host, as their policy says.
  BufferType cuda_buffer_type = BufferType::CCCL;
  /// Promises that one thread alone touches the worker and everything made from it: the owner word
  /// and UCX's own locks are dropped (about 10 ns a call).
  bool single_thread = false;
  /// Promises that no raw `ucp_*` call of another thread touches the worker's handle at the same
  /// time: UCX needs no locks of its own then.
  bool serialized = false;
  /// Unexpected bytes that each peer may send before it has to wait for receives (each message
  /// counts 256 more than it has); also, of its large active messages for registered receivers, how
  /// many come at a time.
  std::size_t unexpected_bytes = 64u << 20;
  /// Unmatched announcements (messages without their payload) accepted per peer.
  std::uint32_t announcements = 65536;
  /// Bytes of large messages, of all peers together, that are fetched without a receive: when none
  /// has matched for about a millisecond, so that both sides may send first. Each peer has as many
  /// as `unexpected_bytes`. Messages beyond that wait for their receive, and so do their senders.
  /// 0: none is fetched. Never fetched: `tagSendSync`, device memory, active messages for
  /// registered receivers, and messages that an allocator of the program is to hold.
  std::size_t fetch_ahead_bytes = 256u << 20;
  /// A pending request older than this is reported to the log once, and at most every ten times
  /// this so is what `Worker::dump` says; 0: never. An iteration of a prepared transfer, too, when
  /// the worker has seen it in progress for so long: at the latest after twice this.
  std::chrono::milliseconds stall_report{0};
  /// How long a connect may take, from the call to the peer's answer, where the endpoint has no
  /// limit of its own.
  std::chrono::milliseconds connect_timeout{5000};
  /// How long `Endpoint::close` waits until what was sent before has been received: a receiver that
  /// computes for some seconds is late, not gone. So long a peer over TCP may say nothing before a
  /// send that was cancelled ends without its answer.
  std::chrono::milliseconds close_timeout{10000};
  /// Limits of `tagMultiRecv`: frames, and bytes in all; more fails the request before allocation.
  /// The bytes limit also what else is allocated because a peer says so: the buffer of an active
  /// message, and a piece of a stream that is longer than what its receive still wants. At most
  /// half of the machine's memory, whatever is set.
  std::size_t multi_frames = 65536;
  std::size_t multi_bytes = std::size_t{64} << 30;
};

enum class ProgressMode {
  Adaptive,  ///< spin while messages come, then sleep; at once where others want the core
  Polling,   ///< spin, but sleep where others, perhaps the peer, want the core: the lowest
             ///< latency, one core; needs no WAKEUP feature
  Blocking,  ///< always sleep in the kernel when nothing moves
};

/// How a progress thread waits.
struct ProgressOptions {
  ProgressMode mode = ProgressMode::Adaptive;
  /// Adaptive: how long to spin after the last thing that moved.
  std::chrono::microseconds spin{50};
};

}  // namespace ucxx
