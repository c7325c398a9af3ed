// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ucxx::core {

/// Names by which a peer was called: addresses "ip:port", and to which of its listeners they led
/// (reached.h). Who calls such a name again asks over the link that is there. The loop's.
class CalledNames {
 public:
  using Name = std::vector<std::string>;

  /// Without memory for it the door is called the next time.
  void remember(const Name& name, std::uint64_t listener) noexcept;
  void forget(const Name& name) noexcept;
  /// None: the name was not called.
  std::optional<std::uint64_t> listenerAt(const Name& name) const noexcept;

 private:
  struct Called {
    Name name;
    std::uint64_t listener = 0;
  };
  std::vector<Called> called_;  // oldest first
};

}  // namespace ucxx::core
