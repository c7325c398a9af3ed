// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cstring>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include <ucxx/api.h>

#include "peers.h"

namespace {

using compat::Pair;
using compat::pattern;

constexpr std::size_t kSize = 10000;

/// Memory of the server, and the client's key of it.
struct Shared {
  explicit Shared(Pair& pair, void* buffer = nullptr)
      : handle(pair.context->createMemoryHandle(kSize, buffer)),
        key(ucxx::createRemoteKeyFromSerialized(
            pair.client, ucxx::createRemoteKeyFromMemoryHandle(handle)->serialize())) {}
  void* data() const { return reinterpret_cast<void*>(handle->getBaseAddress()); }

  std::shared_ptr<ucxx::MemoryHandle> handle;
  std::shared_ptr<ucxx::RemoteKey> key;
};

TEST(CompatMemoryTest, PositionalForms) {
  Pair pair;
  const Shared shared(pair);
  const auto sent = pattern(kSize);
  std::vector<std::uint8_t> received(kSize);
  int calls = 0;
  const auto count = [&](ucs_status_t status, std::shared_ptr<void>) { calls += status == UCS_OK; };

  ASSERT_TRUE(
      pair.wait({pair.client->memPut(sent.data(), kSize - 8, shared.key, 8, false, count)}));
  ASSERT_TRUE(pair.wait({pair.client->memPut(sent.data(), 8, shared.key->getBaseAddress(),
                                             shared.key->getHandle())}));
  ASSERT_TRUE(pair.wait({pair.client->flush()}));
  EXPECT_EQ(std::memcmp(static_cast<char*>(shared.data()) + 8, sent.data(), kSize - 8), 0);
  EXPECT_EQ(std::memcmp(shared.data(), sent.data(), 8), 0);

  ASSERT_TRUE(pair.wait({pair.client->memGet(received.data(), kSize, shared.key)}));
  EXPECT_EQ(std::memcmp(received.data(), shared.data(), kSize), 0);
  ASSERT_TRUE(pair.wait({pair.client->memGet(received.data(), 100, shared.key->getBaseAddress() + 8,
                                             shared.key->getHandle(), false, count)}));
  EXPECT_EQ(std::memcmp(received.data(), sent.data(), 100), 0);
  EXPECT_EQ(calls, 2);
}

TEST(CompatMemoryTest, Builders) {
  Pair pair;
  std::vector<std::uint8_t> memory(kSize), received(kSize);
  const std::shared_ptr<ucxx::MemoryHandle> handle = pair.context->memoryHandleBuilder(kSize)
                                                         .buffer(memory.data())
                                                         .memoryType(UCS_MEMORY_TYPE_HOST);
  EXPECT_EQ(handle->getBaseAddress(), reinterpret_cast<std::uintptr_t>(memory.data()));
  const std::shared_ptr<ucxx::RemoteKey> own = handle->remoteKeyBuilder();
  const auto key = pair.client->remoteKeyBuilder(own->serialize()).build();
  EXPECT_EQ(key->getSize(), kSize);
  EXPECT_EQ(ucxx::RemoteKeyBuilder(handle).build()->serialize(), own->serialize());
  EXPECT_EQ(ucxx::RemoteKeyBuilder(pair.client, own->serialize()).build()->getBaseAddress(),
            handle->getBaseAddress());
  EXPECT_EQ(ucxx::MemoryHandleBuilder(pair.context, 8).build()->getSize(), 8u);

  const auto sent = pattern(100);
  const std::shared_ptr<ucxx::RequestMem> put =
      pair.client->memPutBuilder(sent.data(), 100, key).remoteAddressOffset(50);
  const std::shared_ptr<ucxx::Request> raw =
      pair.client->memPutBuilder(sent.data(), 50, key->getBaseAddress(), key->getHandle());
  ASSERT_TRUE(pair.wait({put, raw, pair.client->flushBuilder().build()}));
  EXPECT_EQ(std::memcmp(&memory[50], sent.data(), 100), 0);
  EXPECT_EQ(std::memcmp(&memory[0], sent.data(), 50), 0);

  const auto get = ucxx::requestMemBuilder(
                       pair.client, ucxx::data::MemGet(received.data(), std::size_t{100}, key, 50))
                       .build();
  ASSERT_TRUE(pair.wait({get}));
  EXPECT_EQ(std::memcmp(received.data(), sent.data(), 100), 0);
}

TEST(CompatMemoryTest, OwnSideHasNoHandleOfItsKey) {
  Pair pair;
  const auto handle = ucxx::createMemoryHandle(pair.context, kSize);
  const auto own = handle->createRemoteKey();
  EXPECT_EQ(own->getHandle(), nullptr);
  EXPECT_EQ(own->getParent(), handle);
  EXPECT_EQ(handle->getParent(), pair.context);
  EXPECT_NE(handle->getHandle(), nullptr);
  EXPECT_EQ(own->getSize(), kSize);
  EXPECT_EQ(own->getBaseAddress(), handle->getBaseAddress());
  const auto empty = ucxx::createMemoryHandle(pair.context, 0);
  EXPECT_EQ(empty->getBaseAddress(), 0u);
  EXPECT_NE(empty->getHandle(), nullptr);
}

// The peer's test: a bad checksum, and a good one over bytes that end too early.
TEST(CompatMemoryTest, BrokenKeysThrow) {
  Pair pair;
  const Shared shared(pair);
  const ucxx::SerializedRemoteKey good = shared.handle->createRemoteKey()->serialize();
  std::string corrupt = good;
  corrupt.front() = static_cast<char>(corrupt.front() ^ 1);
  EXPECT_THROW(ucxx::createRemoteKeyFromSerialized(pair.client, corrupt), std::runtime_error);

  const std::size_t key_size = 1000;
  std::string rest(sizeof key_size, '\0');
  std::memcpy(rest.data(), &key_size, sizeof key_size);
  const ucxx::SerializedRemoteKeyHash hash = std::hash<std::string>{}(rest);
  std::string truncated(sizeof hash, '\0');
  std::memcpy(truncated.data(), &hash, sizeof hash);
  EXPECT_THROW(ucxx::createRemoteKeyFromSerialized(pair.client, truncated + rest),
               std::overflow_error);
}

// Morpheus MRC: registered blocks, raw addresses and keys in descriptors, progressOnce.
TEST(CompatUserTest, MorpheusPullsAndPushesRegisteredBlocks) {
  auto context = ucxx::createContext({}, ucxx::Context::defaultFeatureFlags);
  auto owner = ucxx::createWorker(context, false, false);
  auto puller = ucxx::createWorker(context, false, false);
  auto address = ucxx::createAddressFromString(owner->getAddress()->getString());
  auto endpoint = puller->createEndpointFromWorkerAddress(address);
  auto back = owner->createEndpointFromWorkerAddress(puller->getAddress());
  const auto progress_until = [&](const std::shared_ptr<ucxx::Request>& request) {
    return compat::until({}, [&] {
      owner->progressOnce();
      puller->progressOnce();
      return request->isCompleted();
    });
  };

  auto block = pattern(100000);
  auto registered = context->createMemoryHandle(block.size(), block.data(), UCS_MEMORY_TYPE_HOST);
  const std::string serialized = registered->createRemoteKey()->serialize();

  auto key = ucxx::createRemoteKeyFromSerialized(endpoint, serialized);
  std::vector<std::uint8_t> pulled(block.size());
  auto get = endpoint->memGet(pulled.data(), pulled.size(), key);
  ASSERT_TRUE(progress_until(get));
  get->checkError();
  EXPECT_EQ(pulled, block);

  const auto pushed = pattern(500);
  const std::uint64_t where = reinterpret_cast<std::uintptr_t>(block.data()) + 1000;
  auto put = endpoint->memPut(pushed.data(), pushed.size(), where, key->getHandle());
  ASSERT_TRUE(progress_until(put));
  ASSERT_TRUE(progress_until(endpoint->flush()));
  put->checkError();
  EXPECT_EQ(std::memcmp(&block[1000], pushed.data(), pushed.size()), 0);

  auto descriptor = back->amRecv();
  ASSERT_TRUE(progress_until(endpoint->amSend(pushed.data(), pushed.size(), UCS_MEMORY_TYPE_HOST)));
  ASSERT_TRUE(progress_until(descriptor));
  EXPECT_EQ(std::memcmp(descriptor->getRecvBuffer()->data(), pushed.data(), pushed.size()), 0);
}

}  // namespace
