// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstring>
#include <future>

#include "core/fixtures.h"

namespace ucxx::core::test {

/// Every way to move bytes.
/// AmDevice: said to be in the memory of a device, which is so where there is a driver.
enum class Move { Tag, TagIov, Wildcard, Stream, Am, AmCallback, AmIov, AmDevice, Multi };
inline constexpr Move kMoves[] = {Move::Tag,    Move::TagIov,   Move::Wildcard,
                                  Move::Stream, Move::Am,       Move::AmCallback,
                                  Move::AmIov,  Move::AmDevice, Move::Multi};
inline std::string nameOf(Move move) {
  const char* names[] = {"Tag",        "TagIov", "Wildcard", "Stream", "Am",
                         "AmCallback", "AmIov",  "AmDevice", "Multi"};
  return names[static_cast<int>(move)];
}

inline constexpr Tag kTag{0xabcdef0123456789};
inline const AmReceiverCallbackInfo kReceiver{"matrix", 7};

/// One send or receive of a payload, whatever the operation.
class Sending {
 public:
  Sending(Move move, Endpoint& endpoint, std::vector<std::byte> payload)
      : payload_(std::move(payload)) {
    const void* data = payload_.data();
    const std::size_t size = payload_.size();
    switch (move) {
      case Move::Tag:
      case Move::Wildcard:
        request = endpoint.tagSend(data, size, kTag);
        return;
      case Move::TagIov:
        request = endpoint.tagSend(segments(), kTag);
        return;
      case Move::Stream:
        request = endpoint.streamSend(data, size, false);
        return;
      case Move::Am:
        request = endpoint.amSend(data, size, UCS_MEMORY_TYPE_HOST);
        return;
      case Move::AmCallback:
        request = endpoint.amSend(data, size, withHeader(size));
        return;
      case Move::AmIov:
        request = endpoint.amSend(segments(), iovParams());
        return;
      case Move::AmDevice:
        request = endpoint.amSend(data, size, UCS_MEMORY_TYPE_CUDA);
        return;
      case Move::Multi:
        sendFrames(endpoint);
        return;
    }
  }
  const std::vector<std::byte>& payload() const { return payload_; }
  std::shared_ptr<Request> request;

 private:
  static AmSendParams withHeader(std::size_t size) {
    AmSendParams params;
    params.receiverCallbackInfo = kReceiver;
    params.setUserHeader("of " + std::to_string(size));
    return params;
  }
  static AmSendParams iovParams() {
    AmSendParams params;
    params.datatype = UCP_DATATYPE_IOV;
    return params;
  }
  std::vector<ucp_dt_iov_t> segments() {
    const std::size_t third = payload_.size() / 3;
    return {{payload_.data(), third},
            {payload_.data() + third, third},
            {payload_.data() + 2 * third, payload_.size() - 2 * third}};
  }
  void sendFrames(Endpoint& endpoint) {
    const std::size_t first = payload_.size() / 4;
    request = endpoint.tagMultiSend({payload_.data(), nullptr, payload_.data() + first},
                                    {first, 0, payload_.size() - first}, {0, 0, 0}, kTag);
  }
  std::vector<std::byte> payload_;
};

/// What registered receivers of a worker got.
struct Received {
  std::atomic<int> count{0};
  std::shared_ptr<Request> last;
  ucp_ep_h handle = nullptr;
};

class Receiving {
 public:
  Receiving(Move move, Endpoint& endpoint, std::size_t size, Received& received)
      : move_(move), buffer_(size), received_(received), before_(received.count) {
    switch (move) {
      case Move::Tag:
        request = endpoint.tagRecv(buffer_.data(), size, kTag);
        return;
      case Move::TagIov:
        request = endpoint.tagRecv(segments(), kTag);
        return;
      case Move::Wildcard:
        request = endpoint.tagRecv(buffer_.data(), size, Tag{0}, TagMask{0});
        return;
      case Move::Stream:
        request = endpoint.streamRecv(buffer_.data(), size, false);
        return;
      case Move::Am:
      case Move::AmIov:
      case Move::AmDevice:
        request = endpoint.amRecv();
        return;
      case Move::AmCallback:
        return;
      case Move::Multi:
        request = endpoint.tagMultiRecv(kTag, TagMaskFull);
        return;
    }
  }
  bool hasEnded() const {
    return request != nullptr ? request->isCompleted() : received_.count > before_;
  }
  std::vector<std::byte> payload() {
    if (move_ == Move::AmCallback) request = received_.last;
    if (request->getStatus() != UCS_OK) return {};
    if (move_ == Move::Multi) return frames();
    if (move_ == Move::Am || move_ == Move::AmIov || move_ == Move::AmDevice ||
        move_ == Move::AmCallback)
      return contentOf(*request->getRecvBuffer());
    buffer_.resize(request->getReceivedLength());
    return buffer_;
  }
  std::shared_ptr<Request> request;

 private:
  /// Others than those of the send.
  std::vector<ucp_dt_iov_t> segments() {
    const std::size_t first = buffer_.size() / 5;
    return {
        {buffer_.data(), first}, {nullptr, 0}, {buffer_.data() + first, buffer_.size() - first}};
  }
  static std::vector<std::byte> contentOf(Buffer& buffer) {
    const auto* first = static_cast<const std::byte*>(buffer.data());
    return {first, first + buffer.getSize()};
  }
  std::vector<std::byte> frames() {
    std::vector<std::byte> all;
    for (const auto& frame : static_cast<RequestTagMulti&>(*request)._bufferRequests) {
      const auto one = contentOf(*frame->buffer);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }
  Move move_;
  std::vector<std::byte> buffer_;
  Received& received_;
  int before_;
};

/// Whether a send goes on pending for as long as it may take to be fetched, several times.
[[nodiscard]] inline bool staysPending(const Ends& ends, const std::shared_ptr<Request>& request) {
  const auto end = Clock::now() + std::chrono::milliseconds(50);
  EXPECT_TRUE(ends.until([&] { return Clock::now() > end; }));
  return !request->isCompleted();
}

inline void registerReceiver(Worker& worker, Received& received) {
  worker.registerAmReceiverCallback(kReceiver,
                                    [&](std::shared_ptr<Request> request, ucp_ep_h from) {
                                      received.last = std::move(request);
                                      received.handle = from;
                                      ++received.count;
                                    });
}

}  // namespace ucxx::core::test
