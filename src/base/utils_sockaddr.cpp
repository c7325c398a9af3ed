// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cstdio>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>

#include <ucxx/exception.h>
#include <ucxx/utils/sockaddr.h>

namespace ucxx::utils {

std::unique_ptr<addrinfo, void (*)(addrinfo*)> get_addrinfo(const char* ip_or_hostname,
                                                            std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* result = nullptr;
  const int code = getaddrinfo(ip_or_hostname, std::to_string(port).c_str(), &hints, &result);
  if (code != 0)
    throw InvalidAddrError("cannot resolve '" + std::string(ip_or_hostname) +
                           "': " + gai_strerror(code));
  return {result, freeaddrinfo};
}

void sockaddr_get_ip_port_str(const sockaddr_storage* sockaddr, char* ip_str, char* port_str,
                              std::size_t max_str_size) {
  const void* ip = nullptr;
  in_port_t port = 0;
  if (sockaddr->ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(*sockaddr);
    ip = &v4.sin_addr;
    port = ntohs(v4.sin_port);
  } else if (sockaddr->ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(*sockaddr);
    ip = &v6.sin6_addr;
    port = ntohs(v6.sin6_port);
  }
  // inet_ntop refuses a buffer that is too small; here the text is cut.
  char text[INET6_ADDRSTRLEN];
  const bool known = ip != nullptr && inet_ntop(sockaddr->ss_family, ip, text, sizeof text);
  std::snprintf(ip_str, max_str_size, "%s", known ? text : "Invalid address family");
  if (known)
    std::snprintf(port_str, max_str_size, "%u", unsigned{port});
  else
    std::snprintf(port_str, max_str_size, "%s", "Invalid address family");
}

}  // namespace ucxx::utils
