// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp/context.h"

#include <charconv>
#include <cstdlib>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include <ucxx/context.h>
#include <ucxx/exception.h>
#include <ucxx/worker.h>

#include "base/env.h"
#include "base/file_descriptor.h"
#include "base/log.h"
#include "core/request/context_state.h"
#include "core/request/handles.h"
#include "door/door.h"
#include "door/secret.h"
#include "ucp/library.h"

namespace ucxx {

namespace {

std::optional<std::string> take(ConfigMap& options, const char* name) {
  const auto option = options.extract(name);
  return option ? std::optional(option.mapped()) : std::nullopt;
}

std::string take(ConfigMap& options, const char* name, const char* from_environment) {
  return take(options, name).value_or(from_environment != nullptr ? from_environment : "auto");
}

int readDescriptor(const std::string& text) {
  int descriptor = -1;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, descriptor);
  if (error == std::errc{} && at == end && descriptor >= 0) return descriptor;
  throw InvalidParamError(
      fmt::format("invalid UCXX_SECRET_FD \"{}\": use the number of an open descriptor", text));
}

std::chrono::milliseconds readPatience(const std::string& text) {
  constexpr double kLeast = 1, kMost = 600;
  double seconds = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, seconds);
  if (error == std::errc{} && at == end && seconds >= kLeast && seconds <= kMost)
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  throw InvalidParamError(fmt::format(
      "invalid UCXX_PATIENCE \"{}\": use auto, or a number of seconds from 1 to 600", text));
}

/// A setting of ours whose name is wrong would be without effect in silence.
void warnOfUnknownVariables() {
  static std::once_flag once;
  std::call_once(once, [] {
    for (const auto& [name, nearest] : base::unknownVariables())
      base::log(
          LogLevel::Warn, "context",
          "{} is in the environment, but nothing reads it; the nearest name that is read is {}",
          name, nearest);
  });
}

}  // namespace

core::LocalUse core::ContextState::takeLocalUse(ConfigMap& options) {
  const std::string value = take(options, "UCXX_LOCAL", base::environment().local);
  if (value == "auto") return LocalUse::Auto;
  if (value == "off") return LocalUse::Off;
  if (value == "only") return LocalUse::Only;
  throw InvalidParamError(fmt::format("invalid UCXX_LOCAL \"{}\": use auto, off or only", value));
}

core::LocalBulk core::ContextState::takeLocalBulk(ConfigMap& options) {
  const std::string value = take(options, "UCXX_LOCAL_BULK", base::environment().local_bulk);
  if (value == "auto") return LocalBulk::Auto;
  if (value == "ring") return LocalBulk::Ring;
  if (value == "copy") return LocalBulk::Copy;
  throw InvalidParamError(
      fmt::format("invalid UCXX_LOCAL_BULK \"{}\": use auto, ring or copy", value));
}

door::SharedSecret core::ContextState::takeSecret(ConfigMap& options) {
  const auto descriptor = take(options, "UCXX_SECRET_FD");
  auto file = take(options, "UCXX_SECRET_FILE");
  if (descriptor && file)
    throw InvalidParamError("UCXX_SECRET_FD and UCXX_SECRET_FILE are both set: set one of them");
  if (descriptor) return door::readSecret(readDescriptor(*descriptor));
  if (!file && base::environment().secret_file != nullptr) file = base::environment().secret_file;
  return file ? door::readSecretFile(*file) : nullptr;
}

door::Patience core::ContextState::takePatience(ConfigMap& options) {
  const std::string value = take(options, "UCXX_PATIENCE", base::environment().patience);
  if (value == "auto") return {};
  const std::chrono::milliseconds patience = readPatience(value);
  // UCX gives up an idle connection after 16 to 28 s (10 s, then probes). What it has sent may go
  // unacknowledged for as long as Linux has it by default, a quarter of an hour.
  if (std::getenv("UCX_TCP_KEEPIDLE") == nullptr)  // NOLINT(concurrency-mt-unsafe)
    options.try_emplace("TCP_KEEPIDLE", fmt::format("{}ms", patience.count()));
  return {.calm = patience, .tense = patience};
}

core::ContextState::ContextState(ConfigMap options, std::uint64_t features)
    : local_use(takeLocalUse(options)),
      local_bulk(takeLocalBulk(options)),
      secret(takeSecret(options)),
      patience(takePatience(options)),
      config(std::move(options)),
      feature_flags(features) {
  if (local_use == LocalUse::Off) ensureUcp();  // it will be needed: what is wrong is told now
}

ucp::Context& core::ContextState::ensureUcp() {
  const std::lock_guard lock(ucp_mutex_);
  if (ucp_ != nullptr) return *ucp_;
  base::requireNotForked();
  ucp_ = std::make_unique<ucp::Context>(config, ucpFeatures(feature_flags));
  return *ucp_;
}

bool core::ContextState::hasCudaSupport() noexcept {
  if (has_no_cuda_.load(std::memory_order_relaxed)) return false;
  try {
    return ucp::mayHaveCuda() && ensureUcp().hasCudaSupport();
  } catch (const std::exception& error) {
    if (!has_no_cuda_.exchange(true))
      base::log(LogLevel::Warn, "context", "no CUDA: {}", error.what());
    return false;
  }
}

Context::Context(ConfigMap config, std::uint64_t feature_flags)
    : state_(std::make_unique<core::ContextState>(std::move(config), feature_flags)) {}

Context::~Context() {
  if (base::isForkedChild()) (void)state_.release();
}

ConfigMap Context::getConfig() const { return state_->config.get(); }

ucp_context_h Context::getHandle() const {
  const ucp_context_h handle = state_->ensureUcp().handle();
  core::enlistUcpContext(handle, std::const_pointer_cast<Context>(shared_from_this()));
  return handle;
}

std::string Context::getInfo() const { return state_->ensureUcp().info(); }

std::uint64_t Context::getFeatureFlags() const noexcept { return state_->feature_flags; }

bool Context::hasCudaSupport() const noexcept { return state_->hasCudaSupport(); }

std::shared_ptr<Worker> Context::createWorker(bool delayed_submission, bool future) {
  return ucxx::createWorker(shared_from_this(), delayed_submission, future);
}

std::shared_ptr<Worker> Context::createWorker(const WorkerOptions& options) {
  return ucxx::createWorker(shared_from_this(), options);
}

std::shared_ptr<Context> createContext(ConfigMap config, std::uint64_t feature_flags) {
  warnOfUnknownVariables();
  return std::shared_ptr<Context>(new Context(std::move(config), feature_flags));
}

}  // namespace ucxx
