// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "base/status.h"

#include <ucxx/exception.h>

namespace ucxx::base {

void throwStatus(ucs_status_t status, const std::string& message) {
  // No default: a status that a newer UCX adds shows as a compiler warning.
  switch (status) {
    case UCS_ERR_NO_MESSAGE:
      throw NoMessageError(message);
    case UCS_ERR_NO_RESOURCE:
      throw NoResourceError(message);
    case UCS_ERR_IO_ERROR:
      throw IOError(message);
    case UCS_ERR_NO_MEMORY:
      throw NoMemoryError(message);
    case UCS_ERR_INVALID_PARAM:
      throw InvalidParamError(message);
    case UCS_ERR_UNREACHABLE:
      throw UnreachableError(message);
    case UCS_ERR_INVALID_ADDR:
      throw InvalidAddrError(message);
    case UCS_ERR_NOT_IMPLEMENTED:
      throw NotImplementedError(message);
    case UCS_ERR_MESSAGE_TRUNCATED:
      throw MessageTruncatedError(message);
    case UCS_ERR_NO_PROGRESS:
      throw NoProgressError(message);
    case UCS_ERR_BUFFER_TOO_SMALL:
      throw BufferTooSmallError(message);
    case UCS_ERR_NO_ELEM:
      throw NoElemError(message);
    case UCS_ERR_SOME_CONNECTS_FAILED:
      throw SomeConnectsFailedError(message);
    case UCS_ERR_NO_DEVICE:
      throw NoDeviceError(message);
    case UCS_ERR_BUSY:
      throw BusyError(message);
    case UCS_ERR_CANCELED:
      throw CanceledError(message);
    case UCS_ERR_SHMEM_SEGMENT:
      throw ShmemSegmentError(message);
    case UCS_ERR_ALREADY_EXISTS:
      throw AlreadyExistsError(message);
    case UCS_ERR_OUT_OF_RANGE:
      throw OutOfRangeError(message);
    case UCS_ERR_TIMED_OUT:
      throw TimedOutError(message);
    case UCS_ERR_EXCEEDS_LIMIT:
      throw ExceedsLimitError(message);
    case UCS_ERR_UNSUPPORTED:
      throw UnsupportedError(message);
    case UCS_ERR_REJECTED:
      throw RejectedError(message);
    case UCS_ERR_NOT_CONNECTED:
      throw NotConnectedError(message);
    case UCS_ERR_CONNECTION_RESET:
      throw ConnectionResetError(message);
    case UCS_ERR_FIRST_LINK_FAILURE:
      throw FirstLinkFailureError(message);
    case UCS_ERR_LAST_LINK_FAILURE:
      throw LastLinkFailureError(message);
    case UCS_ERR_FIRST_ENDPOINT_FAILURE:
      throw FirstEndpointFailureError(message);
    case UCS_ERR_ENDPOINT_TIMEOUT:
      throw EndpointTimeoutError(message);
    case UCS_ERR_LAST_ENDPOINT_FAILURE:
      throw LastEndpointFailureError(message);
    case UCS_OK:
    case UCS_INPROGRESS:
    case UCS_ERR_LAST:
      break;
  }
  throw Error(message, status);
}

}  // namespace ucxx::base
