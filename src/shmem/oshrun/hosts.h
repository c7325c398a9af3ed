// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ucxx::shmem::oshrun {

// The machines that a command line names: there is one, this one.

/// The name of this machine, as it says it.
std::string nameOfMachine();

/// The names in a host file: the first word of each line, without comments (#). `option` is for
/// messages. Throws `Refusal` where the file cannot be read, or names nothing.
std::vector<std::string> hostsOfFile(const std::string& path, std::string_view option);

/// Throws `Refusal` where the word names another machine. A number of slots may follow (":4").
void requireThisMachine(std::string_view host, std::string_view option);

}  // namespace ucxx::shmem::oshrun
