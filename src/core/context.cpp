// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include <fmt/format.h>

#include <ucxx/context.h>
#include <ucxx/exception.h>
#include <ucxx/worker.h>

#include "base/env.h"
#include "base/file_descriptor.h"
#include "core/context_state.h"

namespace ucxx {

core::LocalUse core::ContextState::takeLocalUse(ConfigMap& options) {
  const char* const from_environment = base::environment().local;
  std::string value = from_environment != nullptr ? from_environment : "auto";
  if (const auto option = options.find("UCXX_LOCAL"); option != options.end()) {
    value = option->second;
    options.erase(option);
  }
  if (value == "auto") return LocalUse::Auto;
  if (value == "off") return LocalUse::Off;
  throw InvalidParamError(fmt::format("UCXX_LOCAL is auto or off, not \"{}\"", value));
}

Context::Context(ConfigMap config, std::uint64_t feature_flags)
    : state_(std::make_unique<core::ContextState>(std::move(config), feature_flags)) {}

Context::~Context() {
  if (base::isForkedChild()) (void)state_.release();
}

ConfigMap Context::getConfig() const { return state_->config.get(); }

ucp_context_h Context::getHandle() const { return state_->ucp.handle(); }

std::string Context::getInfo() const { return state_->ucp.info(); }

std::uint64_t Context::getFeatureFlags() const noexcept { return state_->feature_flags; }

bool Context::hasCudaSupport() const noexcept { return state_->ucp.hasCudaSupport(); }

std::shared_ptr<Worker> Context::createWorker(bool delayed_submission, bool future) {
  return ucxx::createWorker(shared_from_this(), delayed_submission, future);
}

std::shared_ptr<Worker> Context::createWorker(const WorkerOptions& options) {
  return ucxx::createWorker(shared_from_this(), options);
}

std::shared_ptr<Context> createContext(ConfigMap config, std::uint64_t feature_flags) {
  return std::shared_ptr<Context>(new Context(std::move(config), feature_flags));
}

}  // namespace ucxx
