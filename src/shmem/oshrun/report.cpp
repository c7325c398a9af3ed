// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/report.h"

#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "shmem/oshrun/hosts.h"
#include "shmem/oshrun/messages.h"

namespace ucxx::shmem::oshrun {
namespace {

const char* plural(std::size_t count) { return count == 1 ? "" : "s"; }

std::string folderOf(const Options& options) {
  std::error_code error;
  const std::string folder = std::filesystem::absolute(options.folder, error).string();
  return options.folder.empty() ? std::filesystem::current_path(error).string() : folder;
}

/// A machine may show no packages or nodes, or have one.
std::string placesText(const Options& options, const std::vector<Processors>& places) {
  if (places.empty()) return "not bound to processors";
  if (places.size() == 1)
    return fmt::format("all on {} ({})", textOf(places.front()), options.binding_text);
  return fmt::format("in turns on {} sets of processors ({})", places.size(), options.binding_text);
}

}  // namespace

std::vector<std::string> descriptionOf(const Options& options, const std::string& program,
                                       const std::vector<Processors>& places) {
  std::vector<std::string> texts;
  texts.push_back(fmt::format("starts {} PE{} of {} on this machine ({}), in {}, {}", options.pes,
                              plural(static_cast<std::size_t>(options.pes)), program,
                              nameOfMachine(), folderOf(options), placesText(options, places)));
  if (!options.idle.empty())
    texts.push_back(
        fmt::format("options without a meaning here: {}", fmt::join(options.idle, ", ")));
  return texts;
}

std::string bindingOf(const Pe& pe, const std::vector<Processors>& places) {
  if (places.empty())
    return fmt::format("{} is not bound, and runs on {}", nameOf(pe), textOf(usableProcessors()));
  const auto number = static_cast<std::size_t>(pe.number);
  return fmt::format("{} runs on {}", nameOf(pe), textOf(places[number % places.size()]));
}

std::string sharingOf(const Options& options, const std::vector<Processors>& places) {
  const bool is_shared = options.binding == Binding::Core && !places.empty() &&
                         places.size() < static_cast<std::size_t>(options.pes);
  if (!is_shared) return "";
  return fmt::format("{}: {} PEs share {} processor{}", options.binding_text, options.pes,
                     places.size(), plural(places.size()));
}

}  // namespace ucxx::shmem::oshrun
