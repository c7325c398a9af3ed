// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/hosts.h"

#include <algorithm>
#include <array>
#include <climits>
#include <fstream>
#include <sstream>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <unistd.h>

#include "shmem/oshrun/lower_case.h"
#include "shmem/oshrun/refusal.h"
#include "shmem/oshrun/shown.h"

namespace ucxx::shmem::oshrun {
namespace {

constexpr std::array<std::string_view, 6> kLocal = {
    "localhost", "localhost.localdomain", "127.0.0.1", "::1", "[::1]", "[127.0.0.1]"};

std::string_view firstLabel(std::string_view name) { return name.substr(0, name.find('.')); }

/// Names of hosts have no case. A machine says its name with its domain or without; a user may
/// write the one or the other.
bool isNameOf(std::string_view host, std::string_view machine) {
  const bool is_short = host.find('.') == host.npos || machine.find('.') == machine.npos;
  return host == machine || (is_short && firstLabel(host) == firstLabel(machine));
}

/// An address of one of the network interfaces, or of the loop back.
bool isOwnAddress(const std::string& host) {
  in_addr wanted{};
  if (::inet_pton(AF_INET, host.c_str(), &wanted) != 1) return false;
  if (ntohl(wanted.s_addr) >> 24 == IN_LOOPBACKNET) return true;
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return false;
  bool is_own = false;
  for (const ifaddrs* entry = all; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET) continue;
    const auto& address = reinterpret_cast<const sockaddr_in&>(*entry->ifa_addr);
    is_own = is_own || address.sin_addr.s_addr == wanted.s_addr;
  }
  ::freeifaddrs(all);
  return is_own;
}

bool isThisMachine(std::string_view given) {
  const std::string host = lowerCase(given);
  return isOwnAddress(host) || std::find(kLocal.begin(), kLocal.end(), host) != kLocal.end() ||
         isNameOf(host, lowerCase(nameOfMachine()));
}

bool isNumberOfSlots(std::string_view text) {
  if (text == "*") return true;
  return text.find_first_not_of("0123456789") == text.npos &&
         text.find_first_not_of('0') != text.npos;
}

/// The first word before a comment.
std::string hostOfLine(const std::string& line) {
  std::istringstream words(line.substr(0, line.find('#')));
  std::string host;
  words >> host;
  return host;
}

[[noreturn]] void refuseOther(std::string_view host, std::string_view option) {
  refuseUse(
      fmt::format("{}: {} is not this machine ({}), and oshrun starts PEs on one machine, "
                  "this one; name localhost, or leave the option out",
                  option, shown(host), nameOfMachine()));
}

/// Some editors of other systems begin a file with one.
void skipByteOrderMark(std::istream& file) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  for (const char byte : kMark) {
    if (file.peek() != static_cast<unsigned char>(byte)) return;
    file.get();
  }
}

}  // namespace

std::string nameOfMachine() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

std::vector<std::string> hostsOfFile(const std::string& path, std::string_view option) {
  std::ifstream file(path);
  std::vector<std::string> hosts;
  skipByteOrderMark(file);
  for (std::string line; std::getline(file, line);) {
    if (std::string host = hostOfLine(line); !host.empty()) hosts.push_back(std::move(host));
  }
  if (!file.is_open() || file.bad())
    refuseUse(
        fmt::format("{}: the file cannot be read; use one that exists, or leave it out", option));
  if (hosts.empty())
    refuseUse(fmt::format("{}: the file names no machine; write localhost in it, or leave it out",
                          option));
  return hosts;
}

void requireThisMachine(std::string_view host, std::string_view option) {
  if (isThisMachine(host)) return;
  const std::size_t colon = std::min(host.rfind(':'), host.size());
  if (!isThisMachine(host.substr(0, colon))) refuseOther(host, option);
  if (!isNumberOfSlots(host.substr(colon + 1)))
    refuseUse(
        fmt::format("{}: {} has no number of slots after its colon; use a number from 1, or "
                    "leave the colon out",
                    option, shown(host)));
}

}  // namespace ucxx::shmem::oshrun
