// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/joining/own_exchange.h"

#include <exception>
#include <utility>
#include <vector>

#include "shmem/joining/memory_client.h"
#include "shmem/joining/memory_server.h"
#include "shmem/joining/process_info.h"
#include "shmem/joining/texts.h"

namespace ucxx::shmem {
namespace {

/// The others learn from the info what goes wrong here.
MemoryServer openOrTell(const Layout& layout, ProcessInfo& info) noexcept try {
  return openMemoryServer(layout, info);
} catch (const std::exception& error) {
  copyText(info.error, error.what());
  return {};
}

}  // namespace

Brought bringTogether(const OwnExchange& exchange, std::size_t heap_bytes,
                      const std::string& error) {
  const Layout layout = Layout::of(static_cast<std::size_t>(exchange.size), heap_bytes, 0);
  ProcessInfo info = ownProcessInfo(heap_bytes, error);
  MemoryServer server;
  if (exchange.rank == 0 && error.empty()) server = openOrTell(layout, info);
  const std::vector<ProcessInfo> infos = exchangeProcessInfo(exchange, info);
  if (exchange.rank == 0) return {serve(std::move(server), infos), layout};
  return {fetch(infos, exchange.rank, layout), layout};
}

}  // namespace ucxx::shmem
