// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <stdexcept>
#include <string>

#include <ucs/type/status.h>

#include <ucxx/export.h>

namespace ucxx {

/// A failed operation, with the UCX status that says how. One class below per status; a status
/// without a class of its own throws `Error` itself. Wrong arguments that no status describes throw
/// the standard library's types (`std::invalid_argument`, `std::runtime_error`, ...).
class UCXX_PUBLIC Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, ucs_status_t status = UCS_ERR_LAST)
      : std::runtime_error(message), status_(status) {}

  /// The UCX status of the failure; `UCS_ERR_LAST` when there is none.
  ucs_status_t status() const noexcept { return status_; }

 private:
  ucs_status_t status_;
};

/// Declares the class of one status. (`name##Error` is thrown where `status` is the cause.)
#define UCXX_DECLARE_ERROR(name, value)                                         \
  class UCXX_PUBLIC name##Error : public Error {                                \
   public:                                                                      \
    explicit name##Error(const std::string& message) : Error(message, value) {} \
  };
UCXX_DECLARE_ERROR(NoMessage, UCS_ERR_NO_MESSAGE)
UCXX_DECLARE_ERROR(NoResource, UCS_ERR_NO_RESOURCE)
UCXX_DECLARE_ERROR(IO, UCS_ERR_IO_ERROR)
UCXX_DECLARE_ERROR(NoMemory, UCS_ERR_NO_MEMORY)
UCXX_DECLARE_ERROR(InvalidParam, UCS_ERR_INVALID_PARAM)
UCXX_DECLARE_ERROR(Unreachable, UCS_ERR_UNREACHABLE)
UCXX_DECLARE_ERROR(InvalidAddr, UCS_ERR_INVALID_ADDR)
UCXX_DECLARE_ERROR(NotImplemented, UCS_ERR_NOT_IMPLEMENTED)
UCXX_DECLARE_ERROR(MessageTruncated, UCS_ERR_MESSAGE_TRUNCATED)
UCXX_DECLARE_ERROR(NoProgress, UCS_ERR_NO_PROGRESS)
UCXX_DECLARE_ERROR(BufferTooSmall, UCS_ERR_BUFFER_TOO_SMALL)
UCXX_DECLARE_ERROR(NoElem, UCS_ERR_NO_ELEM)
UCXX_DECLARE_ERROR(SomeConnectsFailed, UCS_ERR_SOME_CONNECTS_FAILED)
UCXX_DECLARE_ERROR(NoDevice, UCS_ERR_NO_DEVICE)
UCXX_DECLARE_ERROR(Busy, UCS_ERR_BUSY)
UCXX_DECLARE_ERROR(Canceled, UCS_ERR_CANCELED)
UCXX_DECLARE_ERROR(ShmemSegment, UCS_ERR_SHMEM_SEGMENT)
UCXX_DECLARE_ERROR(AlreadyExists, UCS_ERR_ALREADY_EXISTS)
UCXX_DECLARE_ERROR(OutOfRange, UCS_ERR_OUT_OF_RANGE)
UCXX_DECLARE_ERROR(TimedOut, UCS_ERR_TIMED_OUT)
UCXX_DECLARE_ERROR(ExceedsLimit, UCS_ERR_EXCEEDS_LIMIT)
UCXX_DECLARE_ERROR(Unsupported, UCS_ERR_UNSUPPORTED)
UCXX_DECLARE_ERROR(Rejected, UCS_ERR_REJECTED)
UCXX_DECLARE_ERROR(NotConnected, UCS_ERR_NOT_CONNECTED)
UCXX_DECLARE_ERROR(ConnectionReset, UCS_ERR_CONNECTION_RESET)
UCXX_DECLARE_ERROR(FirstLinkFailure, UCS_ERR_FIRST_LINK_FAILURE)
UCXX_DECLARE_ERROR(LastLinkFailure, UCS_ERR_LAST_LINK_FAILURE)
UCXX_DECLARE_ERROR(FirstEndpointFailure, UCS_ERR_FIRST_ENDPOINT_FAILURE)
UCXX_DECLARE_ERROR(EndpointTimeout, UCS_ERR_ENDPOINT_TIMEOUT)
UCXX_DECLARE_ERROR(LastEndpointFailure, UCS_ERR_LAST_ENDPOINT_FAILURE)
#undef UCXX_DECLARE_ERROR

}  // namespace ucxx
