// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <ucp/api/ucp.h>

#include <ucxx/config.h>

namespace ucxx::ucp {

/// Owns a `ucp_context_h`. All its workers may be used by several threads.
class Context {
 public:
  Context(const Config& config, std::uint64_t features);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  ucp_context_h handle() const noexcept { return handle_; }
  std::string info() const;
  /// True when a transport can move CUDA memory.
  bool hasCudaSupport() const;

 private:
  ucp_context_h handle_ = nullptr;
};

/// What `print` writes to a stream, as a string.
template <class Print>
std::string captured(Print print) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* stream = open_memstream(&text, &size);
  if (stream == nullptr) return {};
  print(stream);
  std::fclose(stream);
  std::string result(text, size);
  std::free(text);
  return result;
}

}  // namespace ucxx::ucp
