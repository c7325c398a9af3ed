// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "halo_rank.h"

#include <algorithm>

#include "gpu/report.h"

namespace gpu::bench {
namespace {

constexpr unsigned kThreads = 256;
constexpr Grid kGrid{Rank::kEdges * Rank::kPartitions, kThreads};
constexpr Word kPartWords = Rank::kEdgeWords / Rank::kPartitions;

int neighbour(int rank, std::size_t edge) { return rank ^ (edge < 2 ? 1 : 2); }

}  // namespace

Rank::Rank(const Crew& crew, int number, const WrongWords& wrong)
    : crew_(crew), number_(number), wrong_(wrong.place()) {}

ucxx::Endpoint& Rank::endpoint(std::size_t edge) const {
  return *crew_.endpoint(number_, neighbour(number_, edge));
}

void Rank::kernel(Word k, const BenchEdges& sends) const {
  run("bench_halo", stream_, kGrid, edges_[(k + 1) % 2].in, k - 1, edges_[k % 2].out, k, kPartWords,
      kPartitions, wrong_, sends);
}

void Rank::kernelInTurn(std::size_t parity, const BenchEdges& sends, Blocks blocks) const {
  const Grid grid = blocks == Blocks::OfAnEdge ? Grid{kPartitions, kThreads} : kGrid;
  run("bench_halo_in_turn", stream_, grid, edges_[(parity + 1) % 2].in, edges_[parity].out,
      kPartWords, kPartitions, numbers_, wrong_, sends);
}

Requests Rank::receiveByTags(Word k) const {
  Requests requests;
  for (std::size_t edge = 0; edge < kEdges; ++edge)
    requests.push_back(
        endpoint(edge).tagRecv(in(k, edge), kEdgeBytes, tagOf(k % 2, opposite(edge))));
  return requests;
}

void Rank::sendByTags(Word k, Requests requests) const {
  for (std::size_t edge = 0; edge < kEdges; ++edge)
    requests.push_back(endpoint(edge).tagSend(out(k, edge), kEdgeBytes, tagOf(k % 2, edge)));
  for (const auto& request : requests) {
    for (; !request->isCompleted(); letOthersRun()) crew_.worker(number_)->progress();
    request->checkError();
  }
}

bool Rank::hasAll(Word k) const {
  const Word* const words = edges_[k % 2].in;
  return std::all_of(words, words + kEdges * kEdgeWords, [k](Word word) { return word == k; });
}

RankPlans::RankPlans(const Rank& rank, unsigned way) : rank_(rank) {
  const auto tag = [way](std::size_t parity, std::size_t edge) {
    return ucxx::Tag{Rank::tagOf(parity, edge) + 0x100 * way};
  };
  for (std::size_t parity = 0; parity < 2; ++parity) {
    Parity& its = parities_[parity];
    for (std::size_t edge = 0; edge < Rank::kEdges; ++edge) {
      its.sends[edge] =
          rank.endpoint(edge).prepareSend(rank.out(parity, edge), Rank::kEdgeBytes,
                                          tag(parity, edge), {.partitions = Rank::kPartitions});
      its.receives[edge] = rank.endpoint(edge).prepareRecv(rank.in(parity, edge), Rank::kEdgeBytes,
                                                           tag(parity, Rank::opposite(edge)),
                                                           {.partitions = Rank::kPartitions});
      its.handles.sends[edge] = its.sends[edge]->deviceHandle();
    }
    its.all.assign(its.receives.begin(), its.receives.end());
    its.all.insert(its.all.end(), its.sends.begin(), its.sends.end());
  }
}

RankPlans::~RankPlans() {
  try {
    for (const Parity& parity : parities_) {
      for (const auto& plan : parity.all) rank_.crew().finish(plan->close());
    }
  } catch (const std::exception& failure) {
    error("close of plans", failure.what());
  }
}

void RankPlans::start(Word k, const ucxx::Condition& condition) const {
  for (const auto& plan : parities_[k % 2].all) plan->start(condition);
}

std::shared_ptr<ucxx::Request> RankPlans::startAll(Word k, const ucxx::Condition& condition,
                                                   ucxx::StartUntil until) const {
  return ucxx::startAll(condition, parities_[k % 2].all, until);
}

void RankPlans::awaitSends(Word k) const {
  for (const auto& send : parities_[k % 2].sends) send->waitOn(rank_.stream());
}

void RankPlans::awaitReceives(Word k) const {
  for (const auto& receive : parities_[k % 2].receives) receive->waitOn(rank_.stream());
}

void RankPlans::awaitAll(Word k) const { ucxx::waitAllOn(rank_.stream(), parities_[k % 2].all); }

void RankPlans::checkEnded() const {
  for (const Parity& parity : parities_) {
    for (const auto& plan : parity.all) {
      if (!plan->isCompleted()) throw Stop("the stream has ended before " + plan->describe());
      plan->checkError();
    }
  }
}

}  // namespace gpu::bench
