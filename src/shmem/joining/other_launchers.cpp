// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/other_launchers.h"

#include <cstdlib>
#include <string>

#include <ucs/type/status.h>

#include "base/status.h"

namespace ucxx::shmem {
namespace {

/// Variables that tell how many processes there are.
constexpr const char* kSizes[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
/// Those of launchers that tell it elsewhere.
constexpr const char* kLaunchers[] = {"PMIX_NAMESPACE", "PMI_FD"};

[[noreturn]] void refuse(const char* variable, const char* value) {
  base::throwStatus(UCS_ERR_UNSUPPORTED,
                    std::string("another launcher has started this program (") + variable + "=" +
                        value +
                        "), and OpenSHMEM cannot ask it for the other processes: use oshrun, or "
                        "shmemx_init_with (in Python: ucxx.shmem.init with rank, size and "
                        "allgather)");
}

}  // namespace

void requireNoOtherLauncher() {
  bool is_size_known = false;
  for (const char* const variable : kSizes) {
    const char* const value = std::getenv(variable);
    if (value == nullptr) continue;
    if (std::atoi(value) != 1) refuse(variable, value);
    is_size_known = true;
  }
  for (const char* const variable : kLaunchers) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && !is_size_known) refuse(variable, value);
  }
}

}  // namespace ucxx::shmem
