// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/option_actions.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include "shmem/memory/layout.h"
#include "shmem/oshrun/hosts.h"
#include "shmem/oshrun/refusal.h"

namespace ucxx::shmem::oshrun {
namespace {

template <class Number>
std::optional<Number> parse(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const std::string& valueOf(const GivenOption& given) { return given.values.front(); }

int readPes(const GivenOption& given, std::string_view text) {
  const auto pes = parse<int>(text);
  if (!pes || *pes < 1 || *pes > kMostPes)
    refuseUse(fmt::format("{}: use a number of PEs from 1 to {}", given.text(), kMostPes));
  return *pes;
}

/// Notes the number and the option that gives it. It may be given again, and be the same.
template <class Number>
void setOnce(Number& number, std::string& text, Number value, const GivenOption& given,
             const char* what) {
  if (!text.empty() && number != value)
    refuseUse(
        fmt::format("{} and {}: two {} that differ; give one of them", text, given.text(), what));
  number = value;
  text = given.text();
}

void setNodePes(int pes, const GivenOption& given, Options& options) {
  setOnce(options.node_pes, options.node_pes_text, pes, given, "numbers of PEs of a node");
}

std::vector<std::string> listOf(std::string_view text) {
  std::vector<std::string> parts;
  for (bool more = true; more;) {
    const std::size_t comma = text.find(',');
    if (comma != 0 && !text.empty()) parts.emplace_back(text.substr(0, comma));
    more = comma != text.npos;
    if (more) text.remove_prefix(comma + 1);
  }
  return parts;
}

struct NamedBinding {
  std::string_view name;
  Binding binding;
};
constexpr std::array kBindings{
    NamedBinding{"none", Binding::None},     NamedBinding{"core", Binding::Core},
    NamedBinding{"socket", Binding::Socket}, NamedBinding{"package", Binding::Socket},
    NamedBinding{"numa", Binding::Numa},
};

/// What follows a colon says when to bind (":overload-allowed", ":if-supported").
void bind(std::string_view name, const GivenOption& given, Options& options) {
  const std::string_view what = name.substr(0, name.find(':'));
  const auto found = std::find_if(kBindings.begin(), kBindings.end(),
                                  [what](const NamedBinding& it) { return it.name == what; });
  if (found == kBindings.end())
    refuseUse(
        fmt::format("{}: use none, or core, which gives each PE a processor, or socket or "
                    "numa, which give it those of a processor package or a NUMA node",
                    given.text()));
  options.binding = found->binding;
  options.binding_text = given.text();
}

/// The last one of a name counts.
void putVariable(const std::string& name, const std::string& value, Options& options) {
  std::erase_if(options.variables,
                [&](const std::string& entry) { return entry.starts_with(name + '='); });
  options.variables.push_back(name + '=' + value);
}

void putOwnVariable(const std::string& name, Options& options) {
  if (const char* value = std::getenv(name.c_str())) {
    putVariable(name, value, options);
  } else {
    options.unset_variables.push_back(name);
  }
}

}  // namespace

void setFlag(const GivenOption& given, Options& options) { options.*given.rule->flag = true; }

void setHelp(const GivenOption&, Options& options) { options.wish = Options::Wish::Help; }

void setVersion(const GivenOption&, Options& options) { options.wish = Options::Wish::Version; }

void setPes(const GivenOption& given, Options& options) {
  setOnce(options.pes, options.pes_text, readPes(given, valueOf(given)), given, "numbers of PEs");
}

void setNodePes(const GivenOption& given, Options& options) {
  setNodePes(readPes(given, valueOf(given)), given, options);
}

void setOneNodePe(const GivenOption& given, Options& options) { setNodePes(1, given, options); }

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

void setNoOversubscribe(const GivenOption& given, Options& options) {
  options.no_oversubscribe_text = given.text();
}

void setBinding(const GivenOption& given, Options& options) {
  bind(valueOf(given), given, options);
}

void setNamedBinding(const GivenOption& given, Options& options) {
  bind(given.rule->text, given, options);
}

void setVariable(const GivenOption& given, Options& options) {
  const std::string& text = valueOf(given);
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (name.empty()) refuseUse(fmt::format("{}: use NAME or NAME=VALUE", given.text()));
  if (equals == text.npos) return putOwnVariable(name, options);
  putVariable(name, text.substr(equals + 1), options);
}

void setVariableAndValue(const GivenOption& given, Options& options) {
  const std::string& name = valueOf(given);
  if (name.empty() || name.find('=') != name.npos)
    refuseUse(fmt::format("{}: use {} NAME VALUE", given.text(), given.name));
  putVariable(name, given.values.back(), options);
}

void setVariableList(const GivenOption& given, Options& options) {
  for (const std::string& name : listOf(valueOf(given))) putOwnVariable(name, options);
}

void setMapping(const GivenOption& given, Options& options) {
  constexpr std::string_view kBegin = "ppr:", kEnd = ":node";
  std::string_view value = valueOf(given);
  if (!value.starts_with(kBegin) || value.find(kEnd) == value.npos) return accept(given, options);
  value = value.substr(0, value.find(kEnd)).substr(kBegin.size());
  setNodePes(readPes(given, value), given, options);
}

void setOutput(const GivenOption& given, Options& options) {
  for (const std::string& what : listOf(valueOf(given))) {
    if (what != "tag" && what != "rank") refuse(given, options);
    options.tag_output = true;
  }
}

void setDisplay(const GivenOption& given, Options& options) {
  const std::vector<std::string> list = listOf(valueOf(given));
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
  for (const std::string& host : listOf(valueOf(given))) requireThisMachine(host, given.text());
}

void checkHostFile(const GivenOption& given, Options&) {
  for (const std::string& host : hostsOfFile(valueOf(given), given.text()))
    requireThisMachine(host, given.text());
}

void accept(const GivenOption& given, Options& options) {
  options.idle.push_back(fmt::format("{} ({})", given.text(), given.rule->text));
}

void refuse(const GivenOption& given, Options&) {
  refuseUse(fmt::format("{}: {}", given.text(), given.rule->text));
}

}  // namespace ucxx::shmem::oshrun
