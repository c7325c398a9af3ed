// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/options.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "cuda/driver/stand_in.h"

namespace stand_in {
namespace {

[[noreturn]] void misunderstand(const std::string& what) {
  std::fprintf(stderr, "CUDA stand-in: UCXX_CUDA_STAND_IN has \"%s\": see options.h\n",
               what.c_str());
  std::_Exit(2);
}

std::uint64_t numberOf(const std::string& text, std::size_t* end = nullptr) {
  std::size_t used = 0;
  const std::uint64_t number = std::stoull(text, &used);
  if (end != nullptr)
    *end = used;
  else if (used != text.size())
    throw std::invalid_argument(text);
  return number;
}

std::chrono::microseconds timeOf(const std::string& text) {
  std::size_t used = 0;
  const auto number = static_cast<std::int64_t>(numberOf(text, &used));
  const std::string unit = text.substr(used);
  if (unit == "us") return std::chrono::microseconds(number);
  if (unit == "ms") return std::chrono::milliseconds(number);
  if (unit == "s") return std::chrono::seconds(number);
  throw std::invalid_argument(text);
}

std::size_t bytesOf(const std::string& text) {
  std::size_t used = 0;
  const std::size_t number = numberOf(text, &used);
  const std::string unit = text.substr(used);
  if (unit.empty()) return number;
  if (unit == "K") return number << 10;
  if (unit == "M") return number << 20;
  if (unit == "G") return number << 30;
  throw std::invalid_argument(text);
}

/// cuMemAlloc:3=2
Options::Failure failureOf(const std::string& text) {
  const std::size_t equals = text.rfind('='), colon = text.find(':');
  Options::Failure failure{.call = text.substr(0, std::min(colon, equals))};
  if (equals == std::string::npos) throw std::invalid_argument(text);
  if (colon != std::string::npos)
    failure.number = numberOf(text.substr(colon + 1, equals - colon - 1));
  failure.result = static_cast<int>(numberOf(text.substr(equals + 1)));
  return failure;
}

using Setter = std::function<void(Options&, const std::string& value)>;

const std::map<std::string, Setter>& setters() {
  static const std::map<std::string, Setter> all{
      {"connections",
       [](Options& o, const std::string& v) { o.connections = unsigned(numberOf(v)); }},
      {"delay", [](Options& o, const std::string& v) { o.delay = timeOf(v); }},
      {"devices", [](Options& o, const std::string& v) { o.devices = int(numberOf(v)); }},
      {"fail", [](Options& o, const std::string& v) { o.failures.push_back(failureOf(v)); }},
      {"kernels", [](Options& o, const std::string& v) { o.kernels = v; }},
      {"memory", [](Options& o, const std::string& v) { o.memory_bytes = bytesOf(v); }},
      {"seed", [](Options& o, const std::string& v) { o.seed = numberOf(v); }},
      {"version", [](Options& o, const std::string& v) { o.version = int(numberOf(v)); }},
      {"watchdog", [](Options& o, const std::string& v) {
         o.watchdog = std::chrono::duration_cast<std::chrono::milliseconds>(timeOf(v));
       }}};
  return all;
}

void take(Options& all, const std::string& item) {
  static const std::set<std::string> words{"no-gpu", "no-ucx", "spoils", "unreachable"};
  constexpr std::string_view kAttribute = "attribute.";
  const std::size_t equals = item.find('=');
  if (equals == std::string::npos) {
    if (words.count(item) == 0) throw std::invalid_argument(item);
    all.words.insert(item);
    return;
  }
  const std::string name = item.substr(0, equals), value = item.substr(equals + 1);
  if (name.starts_with(kAttribute)) {
    all.attributes[int(numberOf(name.substr(kAttribute.size())))] = int(numberOf(value));
    return;
  }
  const auto setter = setters().find(name);
  if (setter == setters().end()) throw std::invalid_argument(item);
  setter->second(all, value);
}

Options readOptions() {
  Options all;
  // NOLINTBEGIN(concurrency-mt-unsafe): tests set it before they start
  if (const char* const asked = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS"); asked != nullptr)
    all.connections = unsigned(std::clamp(std::atoi(asked), 1, 32));
  const char* const asked = std::getenv("UCXX_CUDA_STAND_IN");
  // NOLINTEND(concurrency-mt-unsafe)
  std::istringstream items(asked == nullptr ? "" : asked);
  for (std::string item; std::getline(items, item, ',');) {
    try {
      if (!item.empty()) take(all, item);
    } catch (const std::logic_error&) {
      misunderstand(item);
    }
  }
  return all;
}

}  // namespace

const Options& options() {
  static const auto* const only = new Options(readOptions());
  return *only;
}

bool isAsked(const char* word) { return options().words.count(word) != 0; }

}  // namespace stand_in
