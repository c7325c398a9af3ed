// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <ucp/api/ucp.h>

#include <ucxx/component.h>
#include <ucxx/config.h>
#include <ucxx/context_builder.h>
#include <ucxx/export.h>
#include <ucxx/memory_handle_builder.h>
#include <ucxx/options.h>
#include <ucxx/typedefs.h>
#include <ucxx/worker_builder.h>

namespace ucxx {

namespace core {
class ContextState;
}

/// UCX's global state: settings and devices. Owner: whoever made it, and every worker made from it.
/// Threads: any, at once. UCX reads and checks its settings when a Context is made, but looks for
/// devices when something needs them: a peer that is met by UCX, a handle, `getInfo`.
class UCXX_PUBLIC Context : public Component, public std::enable_shared_from_this<Context> {
 public:
  static constexpr std::uint64_t defaultFeatureFlags =
      UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP | UCP_FEATURE_STREAM | UCP_FEATURE_AM | UCP_FEATURE_RMA;
  ~Context() override;

  ConfigMap getConfig() const;
  /// Throws the class of UCX's status when UCX finds no device for its settings; so does `getInfo`.
  ucp_context_h getHandle() const;
  /// A text about devices and transports, as `ucp_context_print_info` writes it.
  std::string getInfo() const;
  /// Exactly what was passed. Without `UCP_FEATURE_WAKEUP` workers cannot sleep.
  std::uint64_t getFeatureFlags() const noexcept;
  bool hasCudaSupport() const noexcept;

  std::shared_ptr<Worker> createWorker(bool enableDelayedSubmission = false,
                                       bool enableFuture = false);
  std::shared_ptr<Worker> createWorker(const WorkerOptions& options);
  WorkerBuilder workerBuilder();
  /// As `ucxx::createMemoryHandle`.
  std::shared_ptr<MemoryHandle> createMemoryHandle(
      std::size_t size, void* buffer, ucs_memory_type_t memoryType = UCS_MEMORY_TYPE_HOST);
  MemoryHandleBuilder memoryHandleBuilder(std::size_t size);

  core::ContextState& state() const noexcept { return *state_; }

 private:
  friend UCXX_PUBLIC std::shared_ptr<Context> createContext(ConfigMap, std::uint64_t);
  Context(ConfigMap config, std::uint64_t feature_flags);
  std::unique_ptr<core::ContextState> state_;
};

/// Makes a context. `config` has settings of UCX, without `UCX_`, and of UCXX; what it does not
/// have comes from the environment:
/// - `UCXX_LOCAL`: `auto`, the default: workers of one machine and user exchange messages through
///   UCXX's shared memory, and UCX starts when another peer is met. `off`: UCX carries all
///   messages, and starts at once. `only`: workers of this machine and user, host memory, no TCP
///   port and no UCX (see `Worker::createListener`).
/// - `UCXX_LOCAL_BULK`: how payloads above 3 KiB come to a worker inside a machine. `ring`: through
///   that memory. `copy`: by the kernel from one process to the other, where it permits that.
///   `auto`, the default: as is fastest at the time.
/// - `UCXX_PATIENCE`: for how many seconds, 1 to 600, the network to another machine may be silent
///   before its peers are lost and what is pending with them fails. UCX's keepalive over TCP
///   follows (`UCX_TCP_KEEPIDLE`, where that is not set). `auto`, the default: 1 s while something
///   is expected from the peer, else 4 s. A killed process, and one of this machine, is noticed at
///   once, whatever is set.
/// - `UCXX_SECRET_FILE`: the path of a file with a secret of 16 to 1024 bytes, a newline at its end
///   apart. Only the effective user or root may own and read it (mode 0600 or 0400). Workers with a
///   secret meet those with the same secret and nobody else; an endpoint to any other ends with
///   REJECTED, "authentication failed". docs/how-to/security.md tells what that protects.
/// - `UCXX_SECRET_FD`, in `config` only and instead of the file: the number of a descriptor, which
///   is read at once, to its end.
///
/// The first call logs a warning for each variable UCXX_... of the environment that nothing reads.
/// Throws the class of UCX's status: `NoElemError` for an unknown key of `config`,
/// `InvalidParamError` for a bad value, ...
UCXX_PUBLIC std::shared_ptr<Context> createContext(
    ConfigMap config = {}, std::uint64_t featureFlags = Context::defaultFeatureFlags);

}  // namespace ucxx
