// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <chrono>
#include <cstddef>
#include <span>

#include "base/file_descriptor.h"
#include "door/door.h"
#include "door/handshake.h"

namespace ucxx::door {

// Thin names over the system calls; all sockets are TCP or Unix streams, non-blocking and closed on
// exec. Failures are errno values, because only the caller knows what they mean.

/// Empty, with errno, on failure.
base::FileDescriptor openSocket(int family) noexcept;
base::FileDescriptor acceptSocket(int listening, SocketAddress& from) noexcept;

/// Binds and listens; 0 or the errno.
int startListening(int socket, const SocketAddress& address, int backlog) noexcept;
/// 0 (it may still be in progress) or the errno; EAGAIN: the queue of a Unix socket is full.
int startConnecting(int socket, const SocketAddress& to) noexcept;
/// The error that the kernel keeps for its owner; asking clears it.
int pendingError(int socket) noexcept;
SocketAddress localAddressOf(int socket) noexcept;
/// Who was at the other end of a Unix socket when it connected or began to listen; of any other
/// socket, nobody: process 0.
ucred peerOf(int socket) noexcept;
/// Whether that end of a Unix socket runs as the effective user of this process.
bool isOurUser(int socket) noexcept;
/// Lets the kernel judge the silence of an established peer at the other end of a TCP socket:
/// within this kernel by slow probes, else as `setPatience` says.
void watchSameKernel(int socket) noexcept;
void watch(int socket, std::chrono::milliseconds patience) noexcept;
/// How long the kernel lets bytes and probes go unacknowledged before it gives the peer up.
void setPatience(int socket, std::chrono::milliseconds patience) noexcept;

/// Says goodbye even if some other process holds a copy of the socket, and closes it.
void hangUp(base::FileDescriptor& socket) noexcept;

/// One recv / send without waiting; the count (recv: 0 is the peer's goodbye) or -errno. EBADMSG:
/// descriptors came with the bytes; the kernel has closed them.
ssize_t receiveSome(int socket, std::span<std::byte> into) noexcept;
ssize_t sendSome(int socket, std::span<const std::byte> bytes) noexcept;

/// Moves what can be moved now between socket and handshake. 0, or the errno that ended it
/// (ECONNRESET for the peer's goodbye).
int transmit(int socket, Handshake& handshake) noexcept;
int receive(int socket, Handshake& handshake);

}  // namespace ucxx::door
