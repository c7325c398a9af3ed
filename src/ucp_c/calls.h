// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <exception>
#include <new>
#include <stdexcept>

#include <ucp/api/ucp.h>

#include <ucxx/exception.h>

namespace ucxx::ucp_c {

/// One line for who called a function of UCP.
void tellCaller(const char* function, const char* text) noexcept;

/// The status of `call`, or of what it throws, which is told: callers are C.
template <class Call>
ucs_status_t asStatus(const char* function, const Call& call) noexcept {
  try {
    return call();
  } catch (const Error& error) {
    tellCaller(function, error.what());
    return error.status() == UCS_ERR_LAST ? UCS_ERR_IO_ERROR : error.status();
  } catch (const std::bad_alloc&) {
    tellCaller(function, "there is no memory");
    return UCS_ERR_NO_MEMORY;
  } catch (const std::exception& error) {  // wrong arguments, by the established API
    tellCaller(function, error.what());
    return UCS_ERR_INVALID_PARAM;
  } catch (...) {
    tellCaller(function, "an exception that is no std::exception");
    return UCS_ERR_IO_ERROR;
  }
}

/// The same for a call that gives a request, null or a status pointer.
template <class Post>
ucs_status_ptr_t asPointer(const char* function, const Post& post) noexcept {
  ucs_status_ptr_t result = nullptr;
  const ucs_status_t status = asStatus(function, [&] {
    result = post();
    return UCS_OK;
  });
  return status == UCS_OK ? result : UCS_STATUS_PTR(status);
}

/// For one that gives nothing.
template <class Call>
void asNothing(const char* function, const Call& call) noexcept {
  asStatus(function, [&] {
    call();
    return UCS_OK;
  });
}

}  // namespace ucxx::ucp_c
