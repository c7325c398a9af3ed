// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/fixtures.h"
#include "core/remote.h"

namespace ucxx::core::test {

/// Every operation that can wait for a condition.
enum class Waits {
  TagSend,
  TagSendIov,
  TagSendSync,
  TagRecv,
  TagRecvIov,
  TagRecvOfWorker,
  StreamSend,
  StreamRecv,
  AmSend,
  AmSendIov,
  AmRecv,
  MultiSend,
  MultiRecv,
  Put,
  Get,
  AtomicPost,
  AtomicFetch,
  AtomicSwap,
  Flush,
  FlushOfWorker,
};
inline constexpr Waits kWaits[] = {Waits::TagSend,    Waits::TagSendIov,   Waits::TagSendSync,
                                   Waits::TagRecv,    Waits::TagRecvIov,   Waits::TagRecvOfWorker,
                                   Waits::StreamSend, Waits::StreamRecv,   Waits::AmSend,
                                   Waits::AmSendIov,  Waits::AmRecv,       Waits::MultiSend,
                                   Waits::MultiRecv,  Waits::Put,          Waits::Get,
                                   Waits::AtomicPost, Waits::AtomicFetch,  Waits::AtomicSwap,
                                   Waits::Flush,      Waits::FlushOfWorker};
inline std::string nameOf(Waits waits) {
  const char* names[] = {
      "TagSend",         "TagSendIov",  "TagSendSync", "TagRecv", "TagRecvIov",
      "TagRecvOfWorker", "StreamSend",  "StreamRecv",  "AmSend",  "AmSendIov",
      "AmRecv",          "MultiSend",   "MultiRecv",   "Put",     "Get",
      "AtomicPost",      "AtomicFetch", "AtomicSwap",  "Flush",   "FlushOfWorker"};
  return names[static_cast<int>(waits)];
}
/// Receives that bring a buffer of their own.
constexpr bool canRepeat(Waits waits) {
  return waits != Waits::AmRecv && waits != Waits::MultiRecv;
}

inline constexpr Tag kConditionalTag{0x51};
inline ConditionOptions repeating() {
  ConditionOptions options;
  options.repeat = true;
  return options;
}

/// One operation of the left end that waits for a condition, and what it needs of the right end.
class Conditional {
 public:
  Conditional(Waits waits, Ends& ends, std::size_t size = 64)
      : waits_(waits), ends_(ends), near_(size), far_(size), remote_(ends, Owner::Library, size) {}

  std::shared_ptr<Request> post(const Condition& condition) {
    Endpoint& left = *ends_.left;
    const auto half = near_.size() / 2;
    const std::vector<ucp_dt_iov_t> blocks{{near_.data(), half},
                                           {near_.data() + half, near_.size() - half}};
    const auto with = [&](auto builder) -> std::shared_ptr<Request> {
      return std::move(builder).condition(condition).build();
    };
    AmSendParams iov;
    iov.datatype = UCP_DATATYPE_IOV;
    switch (waits_) {
      case Waits::TagSend:
        return with(left.tagSendBuilder(near_.data(), near_.size(), kConditionalTag));
      case Waits::TagSendIov:
        return with(left.tagSendBuilder(blocks, kConditionalTag));
      case Waits::TagSendSync:
        return with(left.tagSendBuilder(near_.data(), near_.size(), kConditionalTag).synchronous());
      case Waits::TagRecv:
        return with(left.tagRecvBuilder(near_.data(), near_.size(), kConditionalTag));
      case Waits::TagRecvIov:
        return with(left.tagRecvBuilder(blocks, kConditionalTag));
      case Waits::TagRecvOfWorker:
        return with(ends_.left_worker->tagRecvBuilder(near_.data(), near_.size(), kConditionalTag));
      case Waits::StreamSend:
        return with(left.streamSendBuilder(near_.data(), near_.size()));
      case Waits::StreamRecv:
        return with(left.streamRecvBuilder(near_.data(), near_.size()));
      case Waits::AmSend:
        return with(left.amSendBuilder(near_.data(), near_.size(), UCS_MEMORY_TYPE_HOST));
      case Waits::AmSendIov:
        return with(left.amSendBuilder(blocks, iov));
      case Waits::AmRecv:
        return with(left.amRecvBuilder());
      case Waits::MultiSend:
        return with(left.tagMultiSendBuilder({near_.data(), near_.data() + half},
                                             {half, near_.size() - half}, {0, 0}, kConditionalTag));
      case Waits::MultiRecv:
        return with(left.tagMultiRecvBuilder(kConditionalTag));
      case Waits::Put:
        return with(left.memPutBuilder(near_.data(), near_.size(), remote_.key));
      case Waits::Get:
        return with(left.memGetBuilder(near_.data(), near_.size(), remote_.key));
      case Waits::AtomicPost:
        return with(left.atomicPostBuilder<std::uint64_t>(AtomicOperation::Add, 7, remote_.key)
                        .remoteAddressOffset(8));
      case Waits::AtomicFetch:
        return with(
            left.atomicFetchBuilder<std::uint64_t>(AtomicOperation::Add, 7, &previous_, remote_.key)
                .remoteAddressOffset(8));
      case Waits::AtomicSwap:
        return with(left.atomicCompareSwapBuilder<std::uint64_t>(word(), word() + 7, &previous_,
                                                                 remote_.key)
                        .remoteAddressOffset(8));
      case Waits::Flush:
        return with(left.flushBuilder());
      case Waits::FlushOfWorker:
        return with(ends_.left_worker->flushBuilder());
    }
    return nullptr;
  }

  /// Before a trigger: other bytes than at the last one, and a partner for the messages.
  void prepare(std::uint8_t value) {
    value_ = std::byte{value};
    word_before_ = word();
    std::fill(source().begin(), source().end(), value_);
    Endpoint& right = *ends_.right;
    switch (waits_) {
      case Waits::TagSend:
      case Waits::TagSendIov:
      case Waits::TagSendSync:
        partner_ = right.tagRecv(far_.data(), far_.size(), kConditionalTag, TagMaskFull);
        return;
      case Waits::TagRecv:
      case Waits::TagRecvIov:
      case Waits::TagRecvOfWorker:
        partner_ = right.tagSend(far_.data(), far_.size(), kConditionalTag);
        return;
      case Waits::StreamSend:
        partner_ = right.streamRecv(far_.data(), far_.size(), false);
        return;
      case Waits::StreamRecv:
        partner_ = right.streamSend(far_.data(), far_.size(), false);
        return;
      case Waits::AmSend:
      case Waits::AmSendIov:
        partner_ = right.amRecv();
        return;
      case Waits::AmRecv:
        partner_ = right.amSend(far_.data(), far_.size(), UCS_MEMORY_TYPE_HOST);
        return;
      case Waits::MultiSend:
        partner_ = right.tagMultiRecv(kConditionalTag, TagMaskFull);
        return;
      case Waits::MultiRecv:
        partner_ = right.tagMultiSend({far_.data()}, {far_.size()}, {0}, kConditionalTag);
        return;
      case Waits::Get:
        std::fill_n(remote_.data(), near_.size(), value_);
        return;
      default:
        return;
    }
  }
  /// All has happened that was to happen, once; `request` has ended, or repeats.
  void check(const std::shared_ptr<Request>& request) {
    if (partner_ != nullptr) {
      ASSERT_TRUE(ends_.ended({partner_}));
      ASSERT_EQ(partner_->getStatus(), UCS_OK);
    }
    const bool puts = waits_ == Waits::Put || waits_ == Waits::AtomicPost;
    if (puts) {
      ASSERT_TRUE(ends_.ended({ends_.left->flush()}));
    }
    for (const std::byte one : result(request)) ASSERT_EQ(one, value_);
    const bool fetches = waits_ == Waits::AtomicFetch || waits_ == Waits::AtomicSwap;
    if (fetches) {
      EXPECT_EQ(previous_, word_before_);
    }
    if (fetches || waits_ == Waits::AtomicPost) {
      EXPECT_EQ(word(), word_before_ + 7);
    }
  }
  /// Nothing has happened: what a trigger would change is as it was.
  void checkUntouched() {
    if (waits_ == Waits::Put) {
      EXPECT_NE(remote_.data()[0], value_);
    }
    if (waits_ == Waits::Get) {
      EXPECT_NE(near_[0], value_);
    }
    EXPECT_EQ(word(), word_before_);
    const bool sends = waits_ == Waits::TagSend || waits_ == Waits::TagSendIov ||
                       waits_ == Waits::TagSendSync || waits_ == Waits::StreamSend ||
                       waits_ == Waits::AmSend || waits_ == Waits::AmSendIov ||
                       waits_ == Waits::MultiSend;
    if (sends) {
      EXPECT_FALSE(partner_->isCompleted());
    }
  }

 private:
  std::uint64_t word() const {
    std::uint64_t word = 0;
    std::memcpy(&word, remote_.data() + 8, sizeof word);
    return waits_ == Waits::Put || waits_ == Waits::Get ? 0 : word;
  }
  bool receives() const {
    return waits_ == Waits::TagRecv || waits_ == Waits::TagRecvIov ||
           waits_ == Waits::TagRecvOfWorker || waits_ == Waits::StreamRecv ||
           waits_ == Waits::AmRecv || waits_ == Waits::MultiRecv;
  }
  std::vector<std::byte>& source() { return receives() || waits_ == Waits::Get ? far_ : near_; }
  static std::vector<std::byte> bytesOf(const std::shared_ptr<Buffer>& buffer) {
    const auto* first = static_cast<const std::byte*>(buffer->data());
    return {first, first + buffer->getSize()};
  }
  static std::vector<std::byte> framesOf(const std::shared_ptr<Request>& request) {
    std::vector<std::byte> all;
    for (const auto& part : static_cast<RequestTagMulti&>(*request)._bufferRequests) {
      const auto frame = bytesOf(part->buffer);
      all.insert(all.end(), frame.begin(), frame.end());
    }
    return all;
  }
  std::vector<std::byte> result(const std::shared_ptr<Request>& request) {
    switch (waits_) {
      case Waits::AmSend:
      case Waits::AmSendIov:
        return bytesOf(partner_->getRecvBuffer());
      case Waits::AmRecv:
        return bytesOf(request->getRecvBuffer());
      case Waits::MultiSend:
        return framesOf(partner_);
      case Waits::MultiRecv:
        return framesOf(request);
      case Waits::Put:
        return remote_.bytes(0, near_.size());
      case Waits::AtomicPost:
      case Waits::AtomicFetch:
      case Waits::AtomicSwap:
      case Waits::Flush:
      case Waits::FlushOfWorker:
        return {};
      default:
        return receives() || waits_ == Waits::Get ? near_ : far_;
    }
  }

  const Waits waits_;
  Ends& ends_;
  std::vector<std::byte> near_, far_;
  Remote remote_;
  std::shared_ptr<Request> partner_;
  std::uint64_t previous_ = 0;
  std::uint64_t word_before_ = 0;
  std::byte value_{};
};

}  // namespace ucxx::core::test
