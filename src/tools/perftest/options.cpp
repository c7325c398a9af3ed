// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "tools/perftest/options.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>

#include <ucxx/version.h>

#include "tools/host_port.h"
#include "tools/perftest/secret.h"
#include "tools/perftest/sizes.h"

namespace ucxx::tools {
namespace {

constexpr const char* kDescription =
    "Measures UCXX between two processes.\n\n"
    "  ucxx-perftest                              on this machine, by the local channel\n"
    "  ucxx-perftest --compare ucx_perftest       the same beside UCX's own program\n"
    "  ucxx-perftest --server                     on two machines: here ...\n"
    "  ucxx-perftest --connect HOST[:PORT]        ... and there\n";
constexpr const char* kFooter =
    "\nLatency is half a round trip. GB/s = 1e9 bytes a second. On one machine UCX is told "
    "TLS=tcp\n"
    "(tcp,cuda for CUDA memory) and NET_DEVICES=lo unless -o or the environment (UCX_TLS,\n"
    "UCX_NET_DEVICES) says otherwise.";

/// What CLI11 fills in; read by the functions below.
struct Texts {
  std::string tests = "tag_lat";
  std::string sizes = "1:4M";
  std::string progress = "polling";
  std::optional<std::string> connect;
  std::string compare;
  std::string cpus;
  std::string memory = "host";
  std::optional<std::string> secret_file;
  std::optional<long long> secret_fd;
  std::vector<std::string> ucx;
  bool server = false, no_error_handling = false;
  long long iterations = 0, warmup = -1, window = 32, frames = 2, repeat = 0, port = -1,
            timeout = 30, threads = 1;
  double seconds = 0.2;
};

long long checked(std::string_view option, long long value, long long least, long long most) {
  if (value < least || value > most)
    throw std::invalid_argument(
        fmt::format("{} {}: use a number from {} to {}", option, value, least, most));
  return value;
}

template <class Value, std::size_t count>
std::string known(const Names<Value, count>& names) {
  std::vector<std::string_view> words;
  for (const auto& [name, value] : names) words.push_back(name);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::vector<Test> readTests(const std::string& text) {
  std::vector<Test> tests;
  for (const std::string& name : CLI::detail::split(text, ',')) {
    const auto test = findTest(name);
    if (!test)
      throw std::invalid_argument(
          fmt::format("--test {}: use {}, each followed by _lat or _bw", name, known(kKinds)));
    tests.push_back(*test);
  }
  return tests;
}

void requireSizes(const Test& test, const std::vector<std::size_t>& sizes) {
  const bool needs_bytes = test.kind == Kind::Stream || test.kind == Kind::Put;
  if (needs_bytes && std::count(sizes.begin(), sizes.end(), 0) > 0)
    throw std::invalid_argument(fmt::format("--sizes 0 with {}: use 1 byte or more", nameOf(test)));
}

void readPeer(const std::string& text, Options& options) {
  if (text.empty())
    throw std::invalid_argument("--connect '': the name is empty; use HOST or HOST:PORT");
  auto peer = readHostPort(text);
  if (!peer)
    throw std::invalid_argument(
        fmt::format("--connect {}: use HOST or HOST:PORT, with a port from 1 to 65535", text));
  options.role = Role::Client;
  options.host = std::move(peer->host);
  options.port = peer->port.value_or(options.port);
}

ConfigMap readUcx(const std::vector<std::string>& settings) {
  ConfigMap map;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == setting.npos || equals == 0)
      throw std::invalid_argument(
          fmt::format("-o {}: use KEY=VALUE, a UCX setting with or without UCX_ in front, for "
                      "example TLS=tcp",
                      setting));
    std::string key = setting.substr(0, equals);
    if (key.starts_with("UCX_")) key.erase(0, 4);
    map[key] = setting.substr(equals + 1);
  }
  return map;
}

/// How the library reads it; the other process here does as we do.
void setSecret(const Texts& texts, Options& options) {
  if (texts.secret_file && texts.secret_fd)
    throw std::invalid_argument("--secret-file and --secret-fd: give one of them");
  if (texts.secret_file) options.ucx["UCXX_SECRET_FILE"] = *texts.secret_file;
  if (!texts.secret_fd) return;
  const long long number = checked("--secret-fd", *texts.secret_fd, 0, 1 << 20);
  options.ucx["UCXX_SECRET_FD"] = std::to_string(keepSecret(static_cast<int>(number)));
}

std::vector<int> allowedCpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  return cpus;
}

/// Two spinning loops are pinned to two cores; a process with two threads is better left alone.
std::vector<int> readCpus(const std::string& text, const Options& options) {
  const std::vector<int> allowed = allowedCpus();
  if (text == "none") return {};
  if (text.empty()) {
    const bool spins_alone = !options.usesThread() && options.threads == 1;
    if (options.role != Role::Loopback || !spins_alone || allowed.size() < 2) return {};
    return {allowed[0], allowed[1]};
  }
  std::vector<int> cpus;
  for (const std::string& part : CLI::detail::split(text, ',')) {
    int cpu = -1;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), cpu);
    if (error != std::errc{} || end != part.data() + part.size() ||
        std::find(allowed.begin(), allowed.end(), cpu) == allowed.end())
      throw std::invalid_argument(fmt::format(
          "--cpus {}: use 'none', or one or two of the cores {}, for example {}", text,
          fmt::join(allowed, ","), fmt::join(allowed.begin(), allowed.begin() + 1, ",")));
    cpus.push_back(cpu);
  }
  return cpus;
}

void readMemory(const std::string& text, Options& options) {
  const auto memory = findMemory(text);
  if (!memory)
    throw std::invalid_argument(fmt::format(
        "--memory {}: use host, cuda, or two of these with a comma (sent from, received "
        "into)",
        text));
  options.memory = *memory;
  for (const Test& test : options.tests) requireMemory(test, options.memory);
  if (options.library_memory && options.memory.hasCuda())
    throw std::invalid_argument(
        fmt::format("--library-memory with --memory {}: give one of them", text));
}

void setLoopbackDefaults(const MemoryKinds& memory, ConfigMap& ucx) {
  const auto set = [&](const char* variable, const char* key, const char* value) {
    if (std::getenv(variable) == nullptr) ucx.emplace(key, value);  // NOLINT(concurrency-mt-unsafe)
  };
  set("UCX_TLS", "TLS", memory.hasCuda() ? "tcp,cuda" : "tcp");
  set("UCX_NET_DEVICES", "NET_DEVICES", "lo");
}

Options read(const Texts& texts, Options options) {
  if (texts.server && texts.connect)
    throw std::invalid_argument("--server and --connect: give one of them on each machine");
  if (texts.server) options.role = Role::Server;
  if (options.control_fd >= 0) options.role = Role::Peer;
  if (texts.port != -1)
    options.port =
        static_cast<std::uint16_t>(checked("--port", texts.port, texts.server ? 0 : 1, 65535));
  if (texts.connect) readPeer(*texts.connect, options);
  if (!texts.compare.empty() && texts.compare != "ucx_perftest")
    throw std::invalid_argument(fmt::format("--compare {}: use ucx_perftest", texts.compare));
  options.compare = !texts.compare.empty();
  if (texts.no_error_handling && !options.compare)
    throw std::invalid_argument(
        "--no-error-handling: use it with --compare; it means ucx_perftest");
  options.handles_errors = !texts.no_error_handling;

  const auto progress = findName(kProgressModes, texts.progress);
  if (!progress)
    throw std::invalid_argument(
        fmt::format("--progress {}: use one of {}", texts.progress, known(kProgressModes)));
  options.progress = *progress;
  if (options.single_thread && options.usesThread())
    throw std::invalid_argument(
        fmt::format("--single-thread with --progress {}: use polling or blocking", texts.progress));

  options.tests = readTests(texts.tests);
  options.sizes = parseSizes(texts.sizes);
  for (const Test& test : options.tests) requireSizes(test, options.sizes);
  readMemory(texts.memory, options);
  options.frames = static_cast<std::size_t>(checked("--frames", texts.frames, 1, 65536));
  options.iterations =
      static_cast<std::uint64_t>(checked("--iterations", texts.iterations, 0, 100'000'000));
  if (texts.warmup >= 0)
    options.warmup = static_cast<std::uint64_t>(checked("--warmup", texts.warmup, 0, 100'000'000));
  options.window = static_cast<std::size_t>(checked("--window", texts.window, 1, 65536));
  options.threads = static_cast<std::size_t>(checked("--threads", texts.threads, 1, kMostThreads));
  if (options.threads > 1 && options.compare)
    throw std::invalid_argument("--threads with --compare: use one thread");
  options.repeat = static_cast<int>(checked("--repeat", texts.repeat, 0, 1000));
  if (options.repeat == 0) options.repeat = options.compare ? 5 : 1;
  if (!(texts.seconds > 0 && texts.seconds <= 3600))
    throw std::invalid_argument(
        fmt::format("--seconds {}: use more than 0 and at most 3600", texts.seconds));
  options.seconds = texts.seconds;
  options.timeout = std::chrono::seconds(checked("--timeout", texts.timeout, 1, 86400));
  options.cpus = readCpus(texts.cpus, options);
  options.ucx = readUcx(texts.ucx);
  setSecret(texts, options);
  if (options.role == Role::Loopback || options.role == Role::Peer)
    setLoopbackDefaults(options.memory, options.ucx);
  return options;
}

}  // namespace

std::string nameOf(const Test& test) {
  return nameOf(kKinds, test.kind) + (test.metric == Metric::Latency ? "_lat" : "_bw");
}

std::optional<Test> findTest(std::string_view name) {
  Test test;
  const std::size_t end = name.rfind('_');
  const std::string_view metric = end == name.npos ? "" : name.substr(end);
  if (metric == "_bw") test.metric = Metric::Bandwidth;
  if (metric == "_bw" || metric == "_lat") name = name.substr(0, end);
  const auto kind = findName(kKinds, name);
  if (!kind) return std::nullopt;
  test.kind = *kind;
  return test;
}

std::string nameOf(const MemoryKinds& memory) {
  return nameOf(kMemoryKinds, memory.send) + ',' + nameOf(kMemoryKinds, memory.receive);
}

std::optional<MemoryKinds> findMemory(std::string_view name) {
  const std::size_t comma = name.find(',');
  const auto send = findName(kMemoryKinds, name.substr(0, comma));
  const auto receive = comma == name.npos ? send : findName(kMemoryKinds, name.substr(comma + 1));
  if (!send || !receive) return std::nullopt;
  return MemoryKinds{*send, *receive};
}

void requireMemory(const Test& test, const MemoryKinds& memory) {
  if (!memory.hasCuda()) return;
  const bool comes_as_sent = test.kind == Kind::Am || test.kind == Kind::Multi;
  const bool is_possible = !comes_as_sent || memory.send == MemoryKind::Cuda;
  if (!isOneSided(test.kind) && is_possible) return;
  throw std::invalid_argument(fmt::format(
      "--memory {} with {}: use {}. Active messages and frames that come from the host are "
      "received "
      "in the host's memory; put, get and atomics reach host memory only",
      nameOf(memory), nameOf(test), isOneSided(test.kind) ? "host" : "host, cuda,host or cuda"));
}

std::optional<Options> parseOptions(int argc, char** argv) {
  CLI::App app{kDescription, "ucxx-perftest"};
  app.footer(kFooter);
  app.set_version_flag("--version", fmt::format("ucxx-perftest {}.{}.{}", UCXX_VERSION_MAJOR,
                                                UCXX_VERSION_MINOR, UCXX_VERSION_PATCH));
  Options options;
  Texts texts;
  app.add_flag("--server", texts.server, "Serve clients, one after another, until interrupted");
  app.add_option("--connect", texts.connect, "The server: HOST or HOST:PORT");
  app.add_option("-p,--port", texts.port,
                 "Where the server listens (13340); 0: any free port, which it prints");
  app.add_option(
      "-t,--test", texts.tests,
      "List of tag, stream, am, multi, put, get, add, fadd, swap, cswap, with _lat (half round "
      "trip; gets and atomics: one after the other) or _bw (windowed, one way) behind (tag_lat); "
      "atomics are of 8 bytes, or of those sizes that are 4 or 8");
  app.add_option("-s,--sizes", texts.sizes, "List 8,64K,1M or sweep FIRST:LAST[:FACTOR] (1:4M)");
  app.add_option("--frames", texts.frames, "multi: frames of a message, each of the size (2)");
  app.add_option("-n,--iterations", texts.iterations,
                 "Messages of a measurement (as --seconds says)");
  app.add_option("--seconds", texts.seconds, "About how long a measurement takes (0.2)");
  app.add_option("-w,--warmup", texts.warmup, "Messages before a measurement (a tenth of it)");
  app.add_option("--window", texts.window, "_bw: messages in flight (32)");
  app.add_option("--repeat", texts.repeat,
                 "Measurements of a size: median and spread are shown "
                 "(1; with --compare 5)");
  app.add_option("--progress", texts.progress, known(kProgressModes) + " (polling)");
  app.add_option("--threads", texts.threads,
                 "Threads of each side, each with a worker of its own and a peer (1); rates are of "
                 "all, times of a message of one");
  app.add_flag("--single-thread", options.single_thread, "WorkerOptions::single_thread");
  app.add_flag("--library-memory", options.library_memory,
               "Send from HostBuffers and receive into them: other processes here map theirs");
  app.add_option("-m,--memory", texts.memory,
                 "SEND[,RECEIVE]: host or cuda, where messages lie (host): of tag, stream, am and "
                 "multi; host,cuda: of tag and stream. The GPU is the first of "
                 "CUDA_VISIBLE_DEVICES");
  app.add_option("--cpus", texts.cpus,
                 "Cores of server and client, or none (the first two, when "
                 "both run here without threads)");
  app.add_option("-o", texts.ucx, "A UCX setting, KEY=VALUE; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--secret-file", texts.secret_file,
                 "A file with the secret of both sides, which nobody else may read (mode 0600)");
  app.add_option("--secret-fd", texts.secret_fd, "The descriptor to read it from, to its end");
  app.add_option("--compare", texts.compare, "ucx_perftest: runs it in between, and shows ratios");
  app.add_flag("--no-error-handling", texts.no_error_handling,
               "With --compare: ucx_perftest without -e; UCXX handles errors in any case");
  app.add_option("--json", options.json, "Results as JSON into a file; '-': to standard output");
  app.add_option("--timeout", texts.timeout, "Seconds without any message that end the run (30)");
  app.add_option("--control-fd", options.control_fd)->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) throw std::invalid_argument(error.what());
    app.exit(error);  // prints the help or the version
    return std::nullopt;
  }
  return read(texts, options);
}

}  // namespace ucxx::tools
