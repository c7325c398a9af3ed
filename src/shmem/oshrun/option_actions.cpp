// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/option_actions.h"

#include <algorithm>
#include <chrono>

#include <sys/stat.h>

#include "shmem/oshrun/hosts.h"
#include "shmem/oshrun/option_values.h"

namespace ucxx::shmem::oshrun {

void setFlag(const GivenOption& given, Options& options) { options.*given.rule->flag = true; }

void setHelp(const GivenOption&, Options& options) { options.wish = Options::Wish::Help; }

void setVersion(const GivenOption&, Options& options) { options.wish = Options::Wish::Version; }

void setTimeout(const GivenOption& given, Options& options) {
  constexpr double kMostSeconds = 1e9;
  const auto seconds = parse<double>(valueOf(given));
  if (!seconds || !(*seconds > 0) || *seconds > kMostSeconds)
    refuseUse(fmt::format("{}: use seconds, more than 0, for example 60 or 0.5", given.text()));
  const auto timeout = std::chrono::ceil<base::Duration>(std::chrono::duration<double>(*seconds));
  setOnce(options.timeout, options.timeout_text, timeout, given, "times");
}

void setFolder(const GivenOption& given, Options& options) {
  struct stat state {};
  if (::stat(valueOf(given).c_str(), &state) != 0 || !S_ISDIR(state.st_mode))
    refuseUse(fmt::format("{}: use a folder that exists", given.text()));
  options.folder = valueOf(given);
}

void setOutput(const GivenOption& given, Options& options) {
  for (const std::string& what : listIn(given)) {
    if (what != "tag" && what != "rank") refuse(given, options);
    options.tag_output = true;
  }
}

void setDisplay(const GivenOption& given, Options& options) {
  const std::vector<std::string> list = listIn(given);
  const bool shows_bindings = std::any_of(list.begin(), list.end(), [](const std::string& what) {
    return what == "bind" || what == "bindings";
  });
  if (!shows_bindings) return accept(given, options);
  options.report_bindings = true;
}

void setInput(const GivenOption& given, Options& options) {
  if (valueOf(given) != "0") refuse(given, options);
  accept(given, options);
}

void checkHosts(const GivenOption& given, Options&) {
  for (const std::string& host : listIn(given)) requireThisMachine(host, given.text());
}

void checkHostFile(const GivenOption& given, Options&) {
  for (const std::string& host : hostsOfFile(valueOf(given), given.text()))
    requireThisMachine(host, given.text());
}

void checkEnd(const GivenOption& given, Options& options) {
  const std::string value = given.values.empty() ? "1" : valueOf(given);
  if (value == "0") refuse(given, options);
  if (value != "1") refuseUse(fmt::format("{}: use 1, or leave it out", given.text()));
  accept(given, options);
}

void accept(const GivenOption& given, Options& options) {
  options.idle.push_back(fmt::format("{} ({})", given.text(), given.rule->text));
}

void refuse(const GivenOption& given, Options&) {
  refuseUse(fmt::format("{}: {}", given.text(), given.rule->text));
}

}  // namespace ucxx::shmem::oshrun
