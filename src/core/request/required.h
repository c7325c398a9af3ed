// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

namespace ucxx::core {

/// `object`, which users may have given as null; `what` is its name in the exception.
template <class T>
T& required(const std::shared_ptr<T>& object, const char* what) {
  if (object == nullptr) throw std::invalid_argument(std::string(what) + " must not be null");
  return *object;
}

}  // namespace ucxx::core
