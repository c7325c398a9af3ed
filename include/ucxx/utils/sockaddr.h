// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include <netdb.h>
#include <sys/socket.h>

#include <ucxx/export.h>

// NOLINTBEGIN(readability-identifier-naming): established names
namespace ucxx::utils {

/// The first address of a name or numeric address. Throws `InvalidAddrError` when it has none.
UCXX_PUBLIC std::unique_ptr<addrinfo, void (*)(addrinfo*)> get_addrinfo(const char* ip_or_hostname,
                                                                        std::uint16_t port);

/// Numeric address and port as text, each cut to `max_str_size` bytes with its end
/// (`INET6_ADDRSTRLEN` is enough); "Invalid address family" for what is neither IPv4 nor IPv6.
UCXX_PUBLIC void sockaddr_get_ip_port_str(const sockaddr_storage* sockaddr, char* ip_str,
                                          char* port_str, std::size_t max_str_size);

}  // namespace ucxx::utils
// NOLINTEND(readability-identifier-naming)
