// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/both_copy.h"
#include "core/fixtures.h"
#include "core/hostile_neighbour.h"
#include "core/loop/loop.h"
#include "core/meet/links.h"
#include "core/meet/worker_address.h"
#include "core/request/handles.h"
#include "door/machine_id.h"

namespace ucxx::core::test {

/// A buffer between bytes that nobody may write.
class Room {
 public:
  explicit Room(std::size_t size) : bytes_(size + 2 * kGuard, kUntouched), size_(size) {}
  std::byte* data() { return bytes_.data() + kGuard; }
  std::size_t size() const { return size_; }
  std::span<const std::byte> content() const { return std::span(bytes_).subspan(kGuard, size_); }
  bool isUntouched() const { return isUntouched(content()); }
  bool isWhole() const {
    const std::span<const std::byte> all(bytes_);
    return isUntouched(all.first(kGuard)) && isUntouched(all.last(kGuard));
  }
  std::size_t sum() const {
    return std::hash<std::string_view>()(
        {reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
  }

 private:
  static constexpr std::size_t kGuard = 256 << 10;  // several chunks
  static constexpr std::byte kUntouched{0xcc};
  static bool isUntouched(std::span<const std::byte> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == kUntouched; });
  }
  std::vector<std::byte> bytes_;
  std::size_t size_;
};

inline bool operator==(const Room& room, const std::vector<std::byte>& bytes) {
  return std::ranges::equal(room.content(), bytes);
}

/// A worker with a peer on its machine that keeps to no rule, and one that does. Whatever the first
/// did, the worker writes to no buffer outside of a pending request, and goes on with the second.
class HostileLocalTest : public testing::Test {
 protected:
  static constexpr std::size_t kSize = (256 << 10) + 100;  ///< announced
  static constexpr unsigned kChunks = 4;                   ///< ... and copied in so many
  static constexpr Tag kTag{3};

  HostileLocalTest() {
    options_.multi_bytes = 1 << 20;
    options_.multi_frames = 64;
  }

  void SetUp() override {
    if (!canBothCopy()) GTEST_SKIP() << "processes cannot both copy here";
    worker_ = makeWorker();
    honest_ = makeWorker();
    meetPeer();
    to_honest_ = worker_->createEndpointFromWorkerAddress(honest_->getAddress());
    from_honest_ = honest_->createEndpointFromWorkerAddress(worker_->getAddress());
    expectHonestTalk();
  }

  void TearDown() override {
    copyHooks() = {};
    if (IsSkipped() || HasFatalFailure()) return;
    expectHonestTalk();
    pending_ = nullptr;
    for (auto& end : ends_) end = nullptr;
    const auto expect_untouched = [this] {
      for (const Posted& posted : posted_) {
        EXPECT_TRUE(posted.room.isWhole()) << "written beside a buffer";
        EXPECT_EQ(posted.room.sum(), posted.sum_at_end.value_or(posted.room.sum()))
            << "written late";
      }
    };
    expect_untouched();
    for (Posted& posted : posted_) posted.request->setParent(nullptr);
    to_honest_ = nullptr;
    worker_ = nullptr;
    for (const Posted& posted : posted_) EXPECT_TRUE(posted.request->isCompleted());
    expect_untouched();
  }

  std::shared_ptr<Worker> makeWorker() const {
    return createContext({{"UCXX_LOCAL", local_}, {"UCXX_LOCAL_BULK", "copy"}})
        ->createWorker(options_);
  }
  /// A new one, if the last one's link has ended.
  void meetPeer(const HostileNeighbour::MakeProcess& process = {}) {
    const auto door = readWorkerAddress(worker_->getAddress()->getString()).value().local_name;
    peer_ = std::make_unique<HostileNeighbour>(door, process);
    ASSERT_TRUE(until([&] { return peer_->hasMet(); }));
    peer_->say(MessageKind::Credit);  // a caller that says nothing has no link yet
    ASSERT_TRUE(until([&] { return isLinked(); }));
    const WorkerAddress to{HostileNeighbour::kName, door::machineId(), door, {}};
    const auto address = createAddressFromString(writeWorkerAddress(to));
    for (auto& end : ends_) end = worker_->createEndpointFromWorkerAddress(address);
    pending_ = ends_[1]->amRecv();
    progress();
    peer_->heard.clear();
  }
  void progress() {
    peer_->progress();
    worker_->loop().lookOften();
    worker_->progressOnce();
    honest_->progress();
    for (Posted& posted : posted_) {
      if (!posted.sum_at_end && posted.request->isCompleted())
        posted.sum_at_end = posted.room.sum();
    }
  }
  template <class Done>
  [[nodiscard]] bool until(Done done) {
    const compat::Deadline deadline;
    while (!done() && deadline) progress();
    return done();
  }
  /// All that this peer has said is handled, and all that follows from it.
  void settle() {
    for (int i = 0; i < 50; ++i) progress();
  }
  bool isLinked() const { return linksOf(worker_->loop()).to(HostileNeighbour::kName) != nullptr; }

  /// The link ends with `status`, and with it whatever depends on it.
  void expectEnds(ucs_status_t status) {
    EXPECT_TRUE(until([&] { return pending_->isCompleted(); }));
    EXPECT_EQ(ucs_status_string(pending_->getStatus()), std::string(ucs_status_string(status)));
    EXPECT_FALSE(isLinked());
    EXPECT_FALSE(ends_[0]->isAlive());
  }
  /// As an honest peer does.
  void peerSends(Tag tag, int value) {
    WireHeader header = peer_->next(MessageKind::Tag);
    header.argument = tag;
    header.length = sizeof value;
    peer_->send(header, std::as_bytes(std::span(&value, 1)));
  }
  /// The link goes on: a message comes.
  void expectStays() {
    int in = 0;
    const auto receive = worker_->tagRecv(&in, sizeof in, Tag{77}, TagMaskFull);
    peerSends(Tag{77}, 42);
    EXPECT_TRUE(until([&] { return receive->isCompleted(); }));
    EXPECT_EQ(in, 42);
    EXPECT_TRUE(isLinked());
    EXPECT_EQ(pending_->getStatus(), UCS_INPROGRESS);
  }
  /// Messages of two sizes, both ways.
  void expectHonestTalk() {
    for (const std::size_t size : {std::size_t{8}, kSize}) {
      const auto sent = bytes(size, 9);
      std::vector<std::byte> here(size), there(size);
      const Requests requests{to_honest_->tagSend(sent.data(), size, Tag{1000}),
                              from_honest_->tagSend(sent.data(), size, Tag{1000}),
                              from_honest_->tagRecv(there.data(), size, Tag{1000}),
                              to_honest_->tagRecv(here.data(), size, Tag{1000})};
      EXPECT_TRUE(until([&] { return haveEnded(requests); })) << "of " << size << " bytes";
      EXPECT_TRUE(here == sent && there == sent);
    }
  }
  static bool haveEnded(const Requests& requests) {
    return std::all_of(requests.begin(), requests.end(),
                       [](const auto& one) { return one->isCompleted(); });
  }

  /// A buffer for a request of the worker's; `post` makes that.
  template <class Post>
  Room& post(std::size_t size, Post post) {
    Posted& posted = posted_.emplace_back(Room(size));
    posted.request = post(posted.room);
    return posted.room;
  }
  const Request& request() const { return *posted_.back().request; }
  std::string statusOf(const Request& one) const { return ucs_status_string(one.getStatus()); }
  bool hasEnded() const { return request().isCompleted(); }
  Room& receive(std::size_t size = kSize) {
    return post(size,
                [&](Room& room) { return worker_->tagRecv(room.data(), size, kTag, TagMaskFull); });
  }
  /// What the peer has to fetch. Returns its number.
  std::uint64_t send(std::size_t size = kSize) {
    const auto content = bytes(size, 5);
    post(size, [&](Room& room) {
      std::copy(content.begin(), content.end(), room.data());
      return ends_[0]->tagSend(room.data(), size, kTag);
    });
    settle();
    return ++announced_;
  }
  /// The peer announces a tag message at `address`.
  void announce(std::uint64_t address, std::uint64_t length = kSize) {
    WireHeader header = peer_->next(MessageKind::Tag);
    header.argument = kTag;
    peer_->announce(header, length, address);
  }
  /// How often the worker has said this to the peer.
  std::size_t heard(MessageKind kind) const {
    return std::count_if(peer_->heard.begin(), peer_->heard.end(),
                         [&](const auto& said) { return said.header.kind == kind; });
  }
  const HostileNeighbour::Said& last(MessageKind kind) const {
    return *std::find_if(peer_->heard.rbegin(), peer_->heard.rend(),
                         [&](const auto& said) { return said.header.kind == kind; });
  }
  /// For the first of the worker's endpoints.
  WireHeader next(MessageKind kind) {
    WireHeader header = peer_->next(kind);
    header.endpoint = idOf(ends_[0]->getHandle());
    return header;
  }

  struct Posted {
    explicit Posted(Room its_room) : room(std::move(its_room)) {}
    Room room;
    std::shared_ptr<Request> request;
    std::optional<std::size_t> sum_at_end;
  };

  WorkerOptions options_;
  std::string local_ = "only";  ///< UCXX_LOCAL of the workers
  std::deque<Posted> posted_;
  std::unique_ptr<HostileNeighbour> peer_;
  std::shared_ptr<Worker> worker_, honest_;
  std::shared_ptr<Endpoint> to_honest_, from_honest_;
  std::shared_ptr<Endpoint> ends_[2];  ///< the worker's, to the hostile peer
  std::shared_ptr<Request> pending_;   ///< tells the end of that link
  std::uint64_t announced_ = 0;
};

}  // namespace ucxx::core::test
