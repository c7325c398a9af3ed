// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <utility>

#include <ucxx/export.h>

namespace ucxx {

/// Something with an owner. A child keeps its parent alive: requests their endpoint or worker,
/// endpoints their worker or listener, workers their context.
class UCXX_PUBLIC Component {
 public:
  virtual ~Component();
  Component(const Component&) = delete;
  Component& operator=(const Component&) = delete;

  std::shared_ptr<Component> getParent() const { return parent_; }
  virtual void setParent(std::shared_ptr<Component> parent) { parent_ = std::move(parent); }

 protected:
  Component() = default;
  explicit Component(std::shared_ptr<Component> parent) : parent_(std::move(parent)) {}

  std::shared_ptr<Component> parent_;
};

}  // namespace ucxx
