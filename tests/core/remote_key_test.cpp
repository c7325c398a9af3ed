// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Keys of registered memory: what they say, what is refused, and how long they last.

#include <algorithm>
#include <span>

#include <sys/wait.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "core/onesided/memory_key.h"
#include "core/remote.h"

namespace ucxx::core::test {
namespace {

class KeyTest : public testing::Test {
 protected:
  Ends ends_{Route::Listener};
  Remote remote_{ends_, Owner::Library, 4096};
  std::uint64_t word_ = 0;
};

TEST_F(KeyTest, SaysWhatItIs) {
  EXPECT_EQ(remote_.handle->getSize(), 4096u);
  EXPECT_EQ(remote_.handle->getMemoryType(), UCS_MEMORY_TYPE_HOST);
  EXPECT_NE(remote_.handle->getHandle(), nullptr);
  EXPECT_EQ(remote_.key->getSize(), 4096u);
  EXPECT_EQ(remote_.key->getBaseAddress(), remote_.handle->getBaseAddress());
  EXPECT_NE(remote_.key->getHandle(), nullptr);
  auto own = remote_.handle->createRemoteKey();
  EXPECT_EQ(own->getHandle(), nullptr);
  EXPECT_EQ(own->getPointer(), nullptr);
  EXPECT_EQ(own->serialize(), remote_.key->serialize());
  EXPECT_EQ(own->getParent(), remote_.handle);
  EXPECT_EQ(remote_.key->getParent(), ends_.left);
}

TEST_F(KeyTest, OfNoMemoryAtAll) {
  auto handle = createMemoryHandle(ends_.context, 0);
  EXPECT_EQ(handle->getBaseAddress(), 0u);
  EXPECT_NE(handle->getHandle(), nullptr);
  auto key = createRemoteKeyFromSerialized(ends_.left, handle->createRemoteKey()->serialize());
  EXPECT_EQ(key->getSize(), 0u);
  EXPECT_THROW((void)ends_.left->memPut(&word_, 1, key), InvalidParamError);
}

TEST_F(KeyTest, BrokenBytesAreRefused) {
  const std::string good = remote_.handle->createRemoteKey()->serialize();
  EXPECT_THROW((void)createRemoteKeyFromSerialized(ends_.left, ""), std::overflow_error);
  EXPECT_THROW((void)createRemoteKeyFromSerialized(ends_.left, good + "x"), std::overflow_error);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 4);
    EXPECT_THROW((void)createRemoteKeyFromSerialized(ends_.left, bad), std::runtime_error) << at;
    EXPECT_THROW((void)createRemoteKeyFromSerialized(ends_.left, good.substr(0, at)),
                 std::overflow_error);
  }
}

TEST_F(KeyTest, WrongArgumentsAreNamed) {
  const auto key = remote_.key;
  const auto put = [&](std::size_t size, std::uint64_t offset) {
    return messageOf([&] { (void)ends_.left->memPut(&word_, size, key, offset); });
  };
  EXPECT_EQ(put(8, 4089),
            "put: 8 bytes at offset 4089 do not lie within the 4096 bytes of the "
            "remote key");
  EXPECT_NE(put(8, UINT64_MAX - 3).find("do not lie within"), std::string::npos);
  EXPECT_THROW((void)ends_.left->memPut(&word_, 8, nullptr), InvalidParamError);
  EXPECT_THROW((void)ends_.right->memPut(&word_, 8, key), InvalidParamError);
  EXPECT_THROW((void)ends_.left->memPut(&word_, 8, remote_.handle->createRemoteKey()),
               InvalidParamError);
  EXPECT_THROW((void)ends_.left->memPut(nullptr, 8, key), std::exception);
  EXPECT_THROW((void)ends_.left->memPut(&word_, 8, key->getBaseAddress() - 1, key->getHandle()),
               InvalidParamError);
  EXPECT_THROW((void)ends_.left->memGet(&word_, 8, key->getBaseAddress(), nullptr),
               InvalidParamError);
  EXPECT_THROW((void)ends_.left->atomicPost<std::uint32_t>(AtomicOperation::Add, 1, key, 2),
               InvalidParamError);
  EXPECT_THROW((void)ends_.left->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, nullptr, key),
               InvalidParamError);
  EXPECT_THROW(
      (void)ends_.left->atomicPost<std::uint32_t>(static_cast<AtomicOperation>(77), 1, key),
      InvalidParamError);
  EXPECT_THROW((void)createMemoryHandle(nullptr, 8), std::invalid_argument);
  for (const std::size_t size : {SIZE_MAX, SIZE_MAX - 4096, std::size_t{PTRDIFF_MAX}})
    EXPECT_THROW((void)createMemoryHandle(ends_.context, size), NoMemoryError);
  EXPECT_THROW((void)createMemoryHandle(ends_.context, 8, nullptr, UCS_MEMORY_TYPE_CUDA),
               UnsupportedError);
}

/// The key with a checksum that is right; it says that it has `length` bytes.
std::string sealed(std::string key, std::size_t length) {
  const auto said = static_cast<std::uint32_t>(length);
  std::uint32_t crc = 0;
  std::memcpy(key.data() + 8, &said, sizeof said);
  std::memcpy(key.data() + 12, &crc, sizeof crc);
  crc = base::crc32c(std::as_bytes(std::span(key)));
  std::memcpy(key.data() + 12, &crc, sizeof crc);
  return key;
}

/// A sound key, but of another version, or of another length than this one has.
TEST_F(KeyTest, OtherVersionsAreRefused) {
  const std::string good = remote_.handle->createRemoteKey()->serialize();
  const std::size_t size = good.size();
  ASSERT_EQ(sealed(good, size), good);
  std::string newer = good, older = good;
  ++newer[7];
  --older[7];
  const std::string longer = good + std::string(8, '\0'), shorter = good.substr(0, size - 8);
  for (const std::string& other :
       {sealed(newer, size), sealed(older, size), sealed(longer, size + 8), sealed(longer, size),
        sealed(shorter, size - 8), sealed(shorter, size), sealed(good, size - 8),
        sealed(good, size + 8), sealed(good, 0), sealed(good, UINT32_MAX)}) {
    const auto make = [&] { (void)createRemoteKeyFromSerialized(ends_.left, other); };
    EXPECT_THROW(make(), std::overflow_error);
    EXPECT_EQ(messageOf(make), "remote key: " + std::to_string(other.size()) +
                                   " bytes that no key of this version has serialized");
  }
}

class ChangedKeyTest : public testing::TestWithParam<std::tuple<Route, Owner>> {
 protected:
  std::shared_ptr<RemoteKey> made(const MemoryKey& key) const {
    return createRemoteKeyFromSerialized(ends_.left, writeMemoryKey(key));
  }
  void expectNothing(const MemoryKey& bad) {
    SCOPED_TRACE(testing::Message() << bad.id << ' ' << bad.base << ' ' << bad.size);
    const auto forged = made(bad);
    for (const std::uint64_t offset : {std::uint64_t{104}, bad.size - 8}) {
      auto put = ends_.left->memPut(&word_, 8, forged, offset);
      auto flushed = ends_.left->flush();
      auto get = ends_.left->memGet(&word_, 8, forged, offset);
      ASSERT_TRUE(ends_.ended({put, flushed, get}));
      EXPECT_EQ(get->getStatus(), UCS_ERR_INVALID_PARAM);
      EXPECT_TRUE(put->getStatus() == UCS_ERR_INVALID_PARAM ||
                  flushed->getStatus() == UCS_ERR_INVALID_PARAM);
    }
  }

  Ends ends_{std::get<Route>(GetParam())};
  Remote remote_{ends_, std::get<Owner>(GetParam()), 4096};
  const MemoryKey key_ = *readMemoryKey(remote_.handle->createRemoteKey()->serialize());
  std::uint64_t word_ = UINT64_MAX;
};

/// Somebody who has had a key of the owner's changes it, checksum and all.
TEST_P(ChangedKeyTest, ReachesNothing) {
  std::vector<std::uint64_t> secret(1 << 17, 0x5ec2e7);
  const auto& [id, base, size, entry] = key_;
  const auto secrets = reinterpret_cast<std::uintptr_t>(secret.data());
  for (const MemoryKey& bad :
       {MemoryKey{id, base, size * 2, entry}, MemoryKey{id, base + 64, size, entry},
        MemoryKey{id, base + 4, size - 8, entry}, MemoryKey{id, base, size - 8, entry},
        MemoryKey{id, secrets, 1 << 20, entry}, MemoryKey{id + 1, base, size, entry},
        MemoryKey{id, base, 1 << 20, MemoryKey::kNoEntry},
        MemoryKey{id, base + 4, size - 8, MemoryKey::kNoEntry}})
    expectNothing(bad);
  EXPECT_EQ(std::count(secret.begin(), secret.end(), 0x5ec2e7), 1 << 17);
  EXPECT_TRUE(remote_.bytes(0, 4096) == std::vector<std::byte>(4096));
  ASSERT_TRUE(ends_.ended({ends_.left->flush()}));
  EXPECT_TRUE(ends_.left->isAlive());
}

/// Who knows how names are made finds other keys of the same memory, which say wrong things of it.
TEST_P(ChangedKeyTest, WordsAreAlignedWhereTheyAre) {
  for (const std::uint32_t entry : {key_.entry, MemoryKey::kNoEntry}) {
    MemoryKey bad{0, key_.base + 4, key_.size - 8, entry};
    bad.id = bad.name() ^ key_.name();
    ASSERT_EQ(bad.name(), key_.name());
    const auto forged = made(bad);
    auto add = ends_.left->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &word_, forged, 4);
    ASSERT_TRUE(ends_.ended({add}));
    EXPECT_EQ(add->getStatus(), UCS_ERR_INVALID_PARAM);
  }
  EXPECT_TRUE(remote_.bytes(0, 4096) == std::vector<std::byte>(4096));
}

INSTANTIATE_TEST_SUITE_P(, ChangedKeyTest,
                         testing::Combine(testing::Values(Route::Self, Route::Listener),
                                          testing::Values(Owner::Library, Owner::User)),
                         [](const auto& instance) {
                           return nameOf(std::get<Route>(instance.param)) +
                                  nameOf(std::get<Owner>(instance.param));
                         });

/// The memory belongs to another context of the owner's process: that makes no difference.
TEST_F(KeyTest, OfAnotherContextOfThatProcess) {
  std::vector<std::uint64_t> words(8);
  for (void* buffer : {static_cast<void*>(words.data()), static_cast<void*>(nullptr)}) {
    auto handle = createMemoryHandle(createContext(), 64, buffer);
    auto key = createRemoteKeyFromSerialized(ends_.left, handle->createRemoteKey()->serialize());
    auto& first = *reinterpret_cast<std::uint64_t*>(handle->getBaseAddress());
    first = 7;
    const std::uint64_t put = 8;
    auto swap = ends_.left->atomicFetch<std::uint64_t>(AtomicOperation::Swap, 9, &word_, key);
    ASSERT_TRUE(ends_.ended({swap, ends_.left->memPut(&put, 8, key, 8), ends_.left->flush()}));
    EXPECT_EQ(swap->getStatus(), UCS_OK);
    EXPECT_EQ(word_, 7u);
    EXPECT_EQ(first, 9u);
    EXPECT_EQ((&first)[1], 8u);
  }
}

TEST(OwnMemoryTest, OverlappingBytesOfOneCall) {
  for (const Owner owner : {Owner::Library, Owner::User}) {
    Ends ends(Route::Self);
    Remote remote(ends, owner, 8192);
    const auto sent = bytes(4096);
    for (const std::size_t from : {0, 14}) {
      std::memcpy(remote.data() + from, sent.data(), sent.size());
      ASSERT_TRUE(ends.ended({ends.left->memPut(remote.data() + from, 4096, remote.key, 7)}));
      EXPECT_TRUE(remote.bytes(7, 4096) == sent);
      ASSERT_TRUE(ends.ended({ends.left->memGet(remote.data() + from, 4096, remote.key, 7)}));
      EXPECT_TRUE(remote.bytes(from, 4096) == sent);
    }
  }
}

TEST_F(KeyTest, OperationsThatWaitCanBeCancelled) {
  // Nobody moves the right worker: what needs its messages waits.
  std::vector<std::uint64_t> values(1000);
  std::vector<std::uint64_t> words(8);
  auto users = createMemoryHandle(ends_.context, 64, words.data());
  auto key = createRemoteKeyFromSerialized(ends_.left, users->createRemoteKey()->serialize());
  Requests requests;
  for (std::uint64_t& value : values)
    requests.push_back(
        ends_.left->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &value, key));
  for (auto& request : requests) request->cancel();
  for (int i = 0; i < 100; ++i) ends_.left_worker->progress();
  const auto cancelled =
      std::count_if(requests.begin(), requests.end(), [](const std::shared_ptr<Request>& request) {
        return request->getStatus() == UCS_ERR_CANCELED;
      });
  EXPECT_GT(cancelled, 500);
  ASSERT_TRUE(ends_.ended(requests));
  EXPECT_EQ(words[0], requests.size() - static_cast<std::size_t>(cancelled));
}

TEST_F(KeyTest, ADumpTellsTheOffsetAndNoTag) {
  auto users = createMemoryHandle(ends_.context, 8, &word_);
  auto key = createRemoteKeyFromSerialized(ends_.left, users->createRemoteKey()->serialize());
  std::uint64_t before = 0, halves = 0;
  auto* const half = reinterpret_cast<std::uint32_t*>(&halves);
  auto met = ends_.left->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &before, key);
  ASSERT_TRUE(ends_.ended({met, ends_.left->flush()}));
  auto waits = ends_.left->atomicFetch<std::uint32_t>(AtomicOperation::Add, 1, half, key, 4);
  const std::string text = ends_.left_worker->dump();
  EXPECT_NE(text.find("  atomic operation, 4 bytes at offset 4, moving for "), text.npos) << text;
  EXPECT_EQ(text.find(" tag 0x"), text.npos) << text;
  ASSERT_TRUE(ends_.ended({waits}));
}

TEST_F(KeyTest, AWorkerThatIsDroppedEndsItsOperations) {
  std::vector<std::uint64_t> words(8);
  auto users = createMemoryHandle(ends_.context, 64, words.data());
  auto key = createRemoteKeyFromSerialized(ends_.left, users->createRemoteKey()->serialize());
  std::vector<std::uint64_t> values(1000);
  Requests requests;
  for (std::uint64_t& value : values)
    requests.push_back(
        ends_.left->atomicFetch<std::uint64_t>(AtomicOperation::Add, 1, &value, key));
  std::weak_ptr<Worker> gone = ends_.left_worker;
  requests.clear();
  key.reset();
  remote_.key.reset();
  ends_.left.reset();
  ends_.left_worker.reset();
  EXPECT_TRUE(gone.expired());
}

TEST_F(KeyTest, AForkedChildIsRefused) {
  auto put = ends_.left->memPut(&word_, 8, remote_.key);
  ASSERT_TRUE(ends_.ended({put}));
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      (void)ends_.left->memPut(&word_, 8, remote_.key);
    } catch (const std::exception&) {
      remote_.key.reset();
      ::_exit(17);
    }
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 17) << status;
}

TEST_F(KeyTest, AHandleOfADroppedKeyIsRefused) {
  const ucp_rkey_h handle = remote_.key->getHandle();
  remote_.key.reset();
  EXPECT_THROW((void)ends_.left->memPut(&word_, 8, remote_.handle->getBaseAddress(), handle),
               InvalidParamError);
}

TEST_F(KeyTest, APointerOutlivesTheMemory) {
  void* const pointer = remote_.key->getPointer();
  if (ends_.left->getTransports().front().transport != "local") {
    EXPECT_EQ(pointer, nullptr);
    return;
  }
  ASSERT_NE(pointer, nullptr);
  *static_cast<std::uint64_t*>(pointer) = 42;
  EXPECT_EQ(*reinterpret_cast<std::uint64_t*>(remote_.data()), 42u);
  remote_.handle.reset();
  ends_.left->closeBlocking();
  ends_.right->closeBlocking();
  *static_cast<std::uint64_t*>(pointer) = 43;
}

TEST_F(KeyTest, ManyHandles) {
  std::vector<std::shared_ptr<MemoryHandle>> handles;
  for (int i = 0; i < 5000; ++i) handles.push_back(createMemoryHandle(ends_.context, 8, &word_));
  for (const std::size_t at : {std::size_t{0}, handles.size() - 1}) {
    auto key =
        createRemoteKeyFromSerialized(ends_.left, handles[at]->createRemoteKey()->serialize());
    const std::uint64_t value = 17 + at;
    auto put = ends_.left->memPut(&value, 8, key);
    ASSERT_TRUE(ends_.ended({put, ends_.left->flush()}));
    EXPECT_EQ(word_, value);
  }
}

TEST_F(KeyTest, BuildersDoTheSame) {
  std::shared_ptr<MemoryHandle> handle =
      ends_.context->memoryHandleBuilder(64).memoryType(UCS_MEMORY_TYPE_HOST).build();
  std::shared_ptr<RemoteKey> own = handle->remoteKeyBuilder();
  std::shared_ptr<RemoteKey> key = ends_.left->remoteKeyBuilder(own->serialize());
  const auto sent = bytes(16);
  std::shared_ptr<RequestMem> put =
      ends_.left->memPutBuilder(sent.data(), 16, key).remoteAddressOffset(8).build();
  ASSERT_TRUE(ends_.ended({put, ends_.left->flush()}));
  std::vector<std::byte> room(16);
  std::shared_ptr<Request> get =
      ends_.left->memGetBuilder(room.data(), 16, handle->getBaseAddress() + 8, key->getHandle());
  ASSERT_TRUE(ends_.ended({get}));
  EXPECT_TRUE(room == sent);
}

}  // namespace
}  // namespace ucxx::core::test
