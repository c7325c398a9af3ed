// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// A round of the loop in which nothing happens, without conditions and with eight whose words it
// looks at, as it does where a device writes them. Sees what is inside the library: users have no
// such conditions yet.

#include "core/condition/triggered_condition.h"
#include "core/loop/loop.h"
#include "core/match/endpoint_state.h"
#include "core/request/operation.h"
#include "figures.h"

namespace {

constexpr int kRounds = 1'000'000;
constexpr int kRepetitions = 15;
constexpr int kConditions = 8;

double roundOf(ucxx::Worker& worker) {
  const auto begin = figures::Clock::now();
  for (int i = 0; i < kRounds; ++i) worker.progress();
  return figures::nanosecondsSince(begin) / kRounds;
}

nlohmann::json figure() {
  using ucxx::core::ConditionKind;
  using ucxx::core::TriggeredCondition;
  figures::pinTo(0);
  const auto context = figures::makeContext();
  const auto one = context->createWorker(), two = context->createWorker();
  const auto endpoint = one->createEndpointFromWorkerAddress(two->getAddress());
  const auto hello = endpoint->flush();
  figures::progressUntil(*one, "the other worker", [&] {
    two->progress();
    return hello->isCompleted();
  });
  std::vector<double> idle, armed, more;
  for (int i = 0; i < kRepetitions; ++i) {
    idle.push_back(roundOf(*one));
    std::vector<std::shared_ptr<TriggeredCondition>> conditions;
    std::vector<std::shared_ptr<ucxx::Request>> waiting;
    for (int j = 0; j < kConditions; ++j) {
      conditions.push_back(
          std::make_shared<TriggeredCondition>(ConditionKind::Kernel, ucxx::ConditionOptions{}));
      waiting.push_back(
          ucxx::core::makeRequest<ucxx::RequestFlush>(one, ucxx::core::OperationKind::Flush));
      waiting.back()->operation().endpoint = &endpoint->state();
      conditions.back()->post(one->loop(), waiting.back()->operation());
    }
    armed.push_back(roundOf(*one));
    more.push_back(armed.back() - idle.back());
    for (const auto& condition : conditions) condition->close();
    for (const auto& request : waiting)
      figures::progressUntil(*one, "the end of a condition",
                             [&] { return request->isCompleted(); });
  }
  return {{"idle_ns", figures::middleOf(idle)},
          {"watched_ns", figures::middleOf(armed)},
          {"more_ns", figures::middleOf(more)}};
}

}  // namespace

int main() { return figures::print(figure); }
