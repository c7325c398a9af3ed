// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/system_error.h"

#include <cerrno>
#include <system_error>

#include "base/status.h"

namespace ucxx::base {

ucs_status_t statusOfErrno(int error) noexcept {
  switch (error) {
    case 0:
      return UCS_OK;
    case EMFILE:
    case ENFILE:
    case ENOSPC:
      return UCS_ERR_NO_RESOURCE;
    case ENOMEM:
    case ENOBUFS:
      return UCS_ERR_NO_MEMORY;
    case EADDRINUSE:
      return UCS_ERR_BUSY;
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT:
    case EINVAL:
      return UCS_ERR_INVALID_ADDR;
    case ECONNREFUSED:
    case ENETUNREACH:
    case ENETDOWN:
    case EHOSTUNREACH:
    case EHOSTDOWN:
    case EACCES:  // connect: a firewall's word
    case EPERM:
      return UCS_ERR_UNREACHABLE;
    case ETIMEDOUT:
      return UCS_ERR_TIMED_OUT;
    case ECONNRESET:
    case EPIPE:
      return UCS_ERR_CONNECTION_RESET;
    default:
      return UCS_ERR_IO_ERROR;
  }
}

void throwErrno(int error, const std::string& what) {
  throwStatus(statusOfErrno(error), what + ": " + std::generic_category().message(error));
}

}  // namespace ucxx::base
