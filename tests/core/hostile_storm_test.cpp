// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// A peer of this machine that does at random what the tests beside this one do one at a time.

#include <set>

#include "core/hostile_local.h"
#include "sim/random.h"

namespace ucxx::core::test {
namespace {

/// Whatever comes of it, it is of this peer alone. The seed tells all of it.
class HostileStormTest : public HostileLocalTest, public testing::WithParamInterface<int> {
 protected:
  static constexpr int kLinks = 10, kSteps = 300;
  static constexpr std::size_t kRequests = 60;

  void step();
  void runLink();
  void post();
  void talk();
  void answer();
  void announceSomething();
  void help();
  void piece();
  void writeWord();
  void writeClaims();
  void write(std::atomic<std::uint64_t>& word);
  /// Of something that the worker has announced, or asked for; now and then of nothing.
  std::uint64_t someNumber(MessageKind kind);
  std::uint64_t someLength() {
    const std::uint64_t lengths[] = {0,         1, 100, kSize, kSize + 1, std::uint64_t{1} << 50,
                                     UINT64_MAX};
    return lengths[random_.below(std::size(lengths))];
  }

  sim::Random random_{static_cast<std::uint64_t>(GetParam())};
  std::vector<std::byte> payload_ = bytes(kSize, 7);
  std::set<std::uint64_t> answered_;  // announcements of the worker's
  Room target_{kSize};                // of the worker's help: it writes nowhere else
};

std::uint64_t HostileStormTest::someNumber(MessageKind kind) {
  if (random_.chance(2)) return random_.chance(50) ? random_.below(20) : random_.next();
  std::vector<std::uint64_t> numbers;
  for (const auto& said : peer_->heard) {
    if (said.header.kind == kind && kind == MessageKind::Fetch)
      numbers.push_back(said.header.argument);
    else if (said.header.kind == kind && said.header.announces != 0)
      numbers.push_back(numbers.size() + 1);
  }
  std::erase_if(numbers, [&](std::uint64_t number) { return answered_.count(number) != 0; });
  return numbers.empty() ? 0 : random_.pick(numbers);
}

void HostileStormTest::post() {
  if (posted_.size() > kRequests) return;
  HostileLocalTest::post(kSize, [&](Room& room) -> std::shared_ptr<Request> {
    switch (random_.below(4)) {
      case 0:
        return ends_[0]->tagSend(room.data(), kSize, kTag);
      case 1:
        return ends_[0]->streamRecv(room.data(), kSize, false);
      default:
        return worker_->tagRecv(room.data(), kSize, kTag, TagMaskFull);
    }
  });
}

void HostileStormTest::announceSomething() {
  const MessageKind kinds[] = {MessageKind::Tag, MessageKind::Tag, MessageKind::Tag,
                               MessageKind::Stream};
  WireHeader header = next(kinds[random_.below(std::size(kinds))]);
  header.argument = kTag;
  const auto here = reinterpret_cast<std::uintptr_t>(payload_.data());
  const std::uint64_t addresses[] = {here, here, here, 0, random_.next(), UINT64_MAX - 100};
  peer_->announce(header, random_.chance(80) ? kSize : someLength(),
                  addresses[random_.below(std::size(addresses))]);
}

void HostileStormTest::help() {
  const auto here = reinterpret_cast<std::uintptr_t>(target_.data());
  const std::uint64_t number = someNumber(MessageKind::Tag);
  if (number == 0) return;
  HelpTerms terms{random_.chance(80) ? here : UINT64_MAX - random_.below(1 << 20), 64 << 10, 3,
                  static_cast<std::uint16_t>(1 + random_.below(3))};
  if (random_.chance(1)) terms.slot = static_cast<std::uint16_t>(random_.next());
  if (random_.chance(1)) terms.round = static_cast<std::uint16_t>(random_.next());
  if (random_.chance(1)) terms.chunk_bytes = static_cast<std::uint32_t>(random_.next());
  peer_->ownEnd().chunks[3].done = 0;
  peer_->ownEnd().chunks[3].claims = claimsOf(terms.round, 0, 5);
  peer_->help(number, terms);
}

void HostileStormTest::piece() {
  const std::uint64_t number = someNumber(MessageKind::Fetch);
  if (number == 0) return;
  WireHeader header = next(MessageKind::Piece);
  header.argument = number;
  peer_->send(header, std::span(payload_).first(1 + random_.below(16 << 10)));
}

void HostileStormTest::answer() {
  const MessageKind kinds[] = {MessageKind::Fetch, MessageKind::Taken, MessageKind::Drop};
  const std::uint64_t number = someNumber(MessageKind::Tag);
  if (number == 0) return;
  if (random_.chance(98)) answered_.insert(number);
  peer_->say(kinds[random_.below(std::size(kinds))], number);
}

void HostileStormTest::talk() {
  const MessageKind kinds[] = {
      MessageKind::Credit,      MessageKind::Close,          MessageKind::Bye,
      MessageKind::Opened,      MessageKind::Accept,         MessageKind::ByeAnswer,
      MessageKind::ListenerAsk, MessageKind::ListenerAnswer, MessageKind::PlanReady,
      MessageKind::PlanClose,   MessageKind::PlanClosed};
  WireHeader header = next(kinds[random_.below(std::size(kinds))]);
  header.argument = random_.next();
  header.endpoint = random_.next();
  peer_->send(header);
}

void HostileStormTest::write(std::atomic<std::uint64_t>& word) {
  const std::uint64_t old = word;
  const std::uint64_t values[] = {0,
                                  UINT64_MAX,
                                  random_.next(),
                                  old + 1,
                                  old - 1,
                                  old ^ std::uint64_t{1} << random_.below(64),
                                  claimsOf(old >> 48, random_.below(5), random_.below(5)),
                                  doneOf(old >> 48, random_.below(5), random_.chance(30))};
  word = values[random_.below(std::size(values))];
}

/// Of a payload that is perhaps being copied.
void HostileStormTest::writeClaims() {
  local::EndMemory& end = random_.chance(70) ? peer_->workersEnd() : peer_->ownEnd();
  local::ChunkMemory& words = end.chunks[random_.below(4)];
  write(random_.chance(50) ? words.claims : words.done);
}

void HostileStormTest::writeWord() {
  auto& own = reinterpret_cast<local::RingMemory&>(peer_->ownRing().front());
  switch (random_.below(8)) {
    case 0:
      return write(peer_->workersRing().consumed);
    case 1:
      peer_->ownEnd().left = static_cast<std::uint32_t>(random_.below(2));
      return;
    case 2: {
      const local::RingShape ring(peer_->ownRing(), local::RingMemory::kDefaultLines);
      return write(ring.flag(random_.below(ring.lines())));
    }
    case 3:
      peer_->workersRing().hot = own.hot = static_cast<std::uint32_t>(random_.below(2));
      return;
    case 4:
      peer_->workersRing().waiting = own.waiting = static_cast<std::uint32_t>(random_.below(2));
      return;
    default:
      return write(peer_->workersBoard().summary[random_.below(4)]);
  }
}

void HostileStormTest::step() {
  const std::size_t choice = random_.below(100);
  if (choice < 15) return post();
  if (choice < 35) return announceSomething();
  if (choice < 50) return help();
  if (choice < 60) return piece();
  if (choice < 75) return answer();
  if (choice < 80) return talk();
  if (choice < 98) return writeClaims();
  if (choice == 98) return writeWord();
  if (random_.chance(20)) return peer_->hangUp();
  peer_->reads = !peer_->reads;
}

void HostileStormTest::runLink() {
  answered_.clear();
  for (int i = 0; i < kSteps && isLinked(); ++i) {
    step();
    if (random_.chance(70)) progress();
  }
  settle();
  peer_->hangUp();
  EXPECT_TRUE(until([&] { return !isLinked(); }));
  expectHonestTalk();
}

TEST_P(HostileStormTest, HarmsNobodyElse) {
  copyHooks().on_read = copyHooks().on_write = [&](int) {
    if (random_.chance(10)) writeClaims();
  };
  for (int i = 0; i < kLinks; ++i) {
    if (i != 0) meetPeer();
    runLink();
  }
  EXPECT_TRUE(target_.isWhole()) << "written beside the peer's buffer";
}

INSTANTIATE_TEST_SUITE_P(Seeds, HostileStormTest, testing::Range(1, 21));

}  // namespace
}  // namespace ucxx::core::test
