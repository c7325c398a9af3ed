// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/checks/failure.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <tuple>

#include <unistd.h>

#include "shmem/memory/node.h"

namespace ucxx::shmem {
namespace {

std::atomic<ErrorHandler> error_handler{nullptr};

struct Warned {
  WarningHandler handler = nullptr;
  void* context = nullptr;
};
constinit thread_local Warned warned;

using Text = std::array<char, 1024>;  // a longer one is cut

/// Appends to what is there; `at` is its length.
[[gnu::format(printf, 3, 0)]] void append(Text& text, std::size_t& at, const char* format,
                                          va_list arguments) noexcept {
  const int more = std::vsnprintf(text.data() + at, text.size() - at, format, arguments);
  if (more > 0) at = std::min(at + static_cast<std::size_t>(more), text.size() - 1);
}

[[gnu::format(printf, 3, 4)]] void append(Text& text, std::size_t& at, const char* format,
                                          ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  append(text, at, format, arguments);
  va_end(arguments);
}

Text compose(const char* call, const char* format, va_list arguments) noexcept {
  Text text{};
  std::size_t at = 0;
  if (node.pes > 0) append(text, at, "PE %d of %d: ", node.me, node.pes);
  if (call != nullptr) append(text, at, "%s: ", call);
  append(text, at, format, arguments);
  return text;
}

/// In one write, so that the lines of several PEs stay whole.
void print(const Text& text) noexcept {
  std::array<char, std::tuple_size_v<Text> + 8> line{};
  const int length = std::snprintf(line.data(), line.size(), "ucxx: %s\n", text.data());
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, line.data(), static_cast<std::size_t>(length));
}

}  // namespace

ErrorHandler setErrorHandler(ErrorHandler handler) noexcept {
  return error_handler.exchange(handler);
}

void setWarningHandler(WarningHandler handler, void* context) noexcept {
  warned = {handler, context};
}

void fail(const char* call, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const Text text = compose(call, format, arguments);
  va_end(arguments);
  if (const ErrorHandler handler = error_handler.load()) {
    handler(text.data());
  } else {
    print(text);
  }
  std::abort();
}

void warn(const char* call, const char* format, ...) noexcept {
  va_list arguments;
  va_start(arguments, format);
  const Text text = compose(call, format, arguments);
  va_end(arguments);
  if (warned.handler != nullptr) return warned.handler(text.data(), warned.context);
  print(text);
}

void failNotRunning(const char* call) noexcept {
  if (node.is_forked) {
    fail(call,
         "called in a child that a PE has forked: only the PE itself may call OpenSHMEM; "
         "start a new program instead");
  }
  fail(call, "called before shmem_init or after the last shmem_finalize");
}

}  // namespace ucxx::shmem
