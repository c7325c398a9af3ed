// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include <ucxx/condition.h>
#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/prepared.h>
#include <ucxx/request.h>
#include <ucxx/ucp_condition.h>

#include "core/handles.h"

namespace ucxx::cuda {

/// What programs in C hold in place of objects. No handle is used twice in a process, so that one
/// that was given back is known as such.
template <class Object>
class HandleTable {
 public:
  void add(const void* handle, std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    objects_.emplace(handle, std::move(object));
  }
  /// Null: it is none, or was given back.
  std::shared_ptr<Object> find(const void* handle) const {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  /// Gives it back. Null likewise.
  std::shared_ptr<Object> take(const void* handle) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.extract(handle);
    return found ? std::move(found.mapped()) : nullptr;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const void*, std::shared_ptr<Object>> objects_;
};

/// What `ucp_create_condition` makes.
struct UcpCondition {
  Condition condition;
  bool caller_progresses = false;
  std::mutex mutex;
  ucp_condition_param_t* unwritten = nullptr;  // the first post of a graph's writes it
};

HandleTable<UcpCondition>& ucpConditions();

/// The user's half of an endpoint; throws `InvalidParamError` if there is none.
std::shared_ptr<Endpoint> endpointOf(ucp_ep_h handle);

/// One line for who called a function of UCP.
void tellCaller(const char* function, const char* text) noexcept;

/// The status of `call`, or of what it throws, which is told: callers are C.
template <class Call>
ucs_status_t ucpStatus(const char* function, const Call& call) noexcept {
  try {
    return call();
  } catch (const Error& error) {
    tellCaller(function, error.what());
    return error.status() == UCS_ERR_LAST ? UCS_ERR_IO_ERROR : error.status();
  } catch (const std::bad_alloc&) {
    tellCaller(function, "there is no memory");
    return UCS_ERR_NO_MEMORY;
  } catch (const std::exception& error) {
    tellCaller(function, error.what());
    return UCS_ERR_IO_ERROR;
  } catch (...) {
    tellCaller(function, "an exception that is no std::exception");
    return UCS_ERR_IO_ERROR;
  }
}

}  // namespace ucxx::cuda
