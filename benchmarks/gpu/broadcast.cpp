// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "broadcast.h"

#include "gpu/report.h"

namespace gpu::bench {
namespace {

constexpr std::size_t kUp = 0, kToRoot = 1, kToLeaf = 2;
constexpr unsigned kThreads = 256;
constexpr ucxx::Tag kPrepared{0x100};

ucxx::Tag tagOf(std::size_t way) { return static_cast<ucxx::Tag>(1 + way); }

}  // namespace

Broadcast::Broadcast(const Crew& crew, std::size_t bytes)
    : crew_(crew),
      words_(bytes / sizeof(Word)),
      middle_(pinnedWords(words_)),
      root_out_(pinnedWords(words_)),
      root_in_(pinnedWords(words_)),
      leaf_in_(pinnedWords(words_)),
      leaf_out_(pinnedWords(words_)),
      root_number_(deviceWords(1)),
      leaf_number_(deviceWords(1)) {}

std::array<Broadcast::Way, 3> Broadcast::ways() const {
  return {Way{kRoot, kMiddle, root_out_, middle_, tagOf(kUp)},
          Way{kMiddle, kRoot, middle_, root_in_, tagOf(kToRoot)},
          Way{kMiddle, kLeaf, middle_, leaf_in_, tagOf(kToLeaf)}};
}

Requests Broadcast::rootTransfers(const ucxx::Condition& condition) const {
  return {send(kUp, condition), receive(kToRoot, condition)};
}
std::shared_ptr<ucxx::Request> Broadcast::leafReceive(const ucxx::Condition& condition) const {
  return receive(kToLeaf, condition);
}
std::shared_ptr<ucxx::Request> Broadcast::middleReceive(const ucxx::Condition& condition) const {
  return receive(kUp, condition);
}
Requests Broadcast::middleSends(const ucxx::Condition& condition) const {
  return {sendToRoot(condition), sendToLeaf(condition)};
}
std::shared_ptr<ucxx::Request> Broadcast::sendToRoot(const ucxx::Condition& condition) const {
  return send(kToRoot, condition);
}
std::shared_ptr<ucxx::Request> Broadcast::sendToLeaf(const ucxx::Condition& condition) const {
  return send(kToLeaf, condition);
}

void Broadcast::kernel(Stream stream, Word* in, Word behind, Word* out, Word* number) const {
  run("bench_replay", stream, Grid{1, kThreads}, in, behind, out, Word{words_}, number,
      wrong_.place());
}

std::shared_ptr<ucxx::Request> Broadcast::send(std::size_t way, const ucxx::Condition& on) const {
  const auto [from, to, out, in, tag] = ways()[way];
  return crew_.endpoint(from, to)->tagSendBuilder(out, bytes(), tag).condition(on).build();
}

std::shared_ptr<ucxx::Request> Broadcast::receive(std::size_t way,
                                                  const ucxx::Condition& on) const {
  const auto [from, to, out, in, tag] = ways()[way];
  return crew_.endpoint(to, from)->tagRecvBuilder(in, bytes(), tag).condition(on).build();
}

PreparedBroadcast::PreparedBroadcast(const Crew& its_crew, std::size_t its_bytes)
    : Broadcast(its_crew, its_bytes) {
  for (std::size_t number = 0; number < ends_.size(); ++number) {
    const auto [from, to, out, in, tag] = ways()[number];
    const auto own = static_cast<ucxx::Tag>(kPrepared + tag);
    ends_[number] = {crew().endpoint(from, to)->prepareSend(out, bytes(), own),
                     crew().endpoint(to, from)->prepareRecv(in, bytes(), own)};
  }
}

PreparedBroadcast::~PreparedBroadcast() {
  try {
    for (const Ends& ends : ends_)
      for (const auto& closes : {ends.send->close(), ends.receive->close()}) crew().finish(closes);
  } catch (const std::exception& failure) {
    error("close of plans", failure.what());
  }
}

std::shared_ptr<ucxx::Request> PreparedBroadcast::send(std::size_t way,
                                                       const ucxx::Condition& on) const {
  return ends_[way].send->start(on);
}

std::shared_ptr<ucxx::Request> PreparedBroadcast::receive(std::size_t way,
                                                          const ucxx::Condition& on) const {
  return ends_[way].receive->start(on);
}

}  // namespace gpu::bench
