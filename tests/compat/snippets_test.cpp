// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Code of the pages in docs/ that no example has; tests/tools/how_to_test.py compares.

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "compat/peers.h"

namespace compat {
namespace {

// docs/how-to/one_sided.md
TEST(CompatSnippetsTest, OneSided) {
  Pair pair;
  const auto& context = pair.context;
  const auto& endpoint = pair.client;
  const std::vector<std::uint8_t> sent = pattern(32);
  std::vector<std::uint8_t> got(32);
  const void* const data = sent.data();
  void* const room = got.data();
  const std::size_t size = sent.size(), offset = 128;
  std::uint64_t before = 1;

  // The owner
  auto memory = ucxx::createMemoryHandle(context, 1 << 20);    // or with a buffer of your own
  std::string bytes = memory->createRemoteKey()->serialize();  // to the peer, by any message

  // The peer
  auto key = ucxx::createRemoteKeyFromSerialized(endpoint, bytes);
  endpoint->memPut(data, size, key, offset);  // ends when `data` may be used again
  endpoint->memGet(room, size, key, offset);  // ends when the bytes are there
  endpoint->atomicFetch<std::uint64_t>(ucxx::AtomicOperation::Add, 1, &before, key, 64);
  endpoint->flush();  // all puts are in the owner's memory

  const auto* const there = reinterpret_cast<const std::uint8_t*>(memory->getBaseAddress());
  EXPECT_TRUE(pair.until([&] {
    return std::memcmp(there + offset, data, size) == 0 && there[64] == 1 && before == 0;
  }));
  pair.client->closeBlocking();
}

// docs/how-to/security.md
void openContexts() {
  auto context = ucxx::createContext({{"UCXX_SECRET_FILE", "/path/secret"}});
  auto other = ucxx::createContext({{"UCXX_SECRET_FD", "3"}});  // a pipe, a memfd, an open file
}

TEST(CompatSnippetsTest, Secret) { EXPECT_THROW(openContexts(), ucxx::Error); }

}  // namespace
}  // namespace compat
