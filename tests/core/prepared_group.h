// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include <ucxx/condition.h>
#include <ucxx/prepared.h>

#include "core/conditional.h"
#include "core/prepared_memory.h"

namespace ucxx::core::test {

/// Three plans that are started together, and their other ends.
class PreparedGroupTest : public testing::TestWithParam<std::tuple<Route, Mode>> {
 protected:
  static constexpr std::size_t kBytes = 4096, kParts = 4, kCount = 3;
  using Plans = std::vector<std::shared_ptr<Prepared>>;

  void prepare(std::size_t partitions = 1) {
    for (std::size_t i = 0; i < kCount; ++i) {
      sources_.push_back(std::make_unique<Memory>(ends_.context, Owner::Library, kBytes));
      targets_.push_back(std::make_unique<Memory>(ends_.context, Owner::Library, kBytes));
      const Tag tag{20 + i};
      sends_.push_back(ends_.left->prepareSend(sources_[i]->data(), kBytes, tag, {partitions}));
      receives_.push_back(ends_.right->prepareRecv(targets_[i]->data(), kBytes, tag, {partitions}));
    }
  }
  Plans sends() const { return {sends_.begin(), sends_.end()}; }
  Plans receives() const { return {receives_.begin(), receives_.end()}; }
  void fill(unsigned seed) {
    for (auto& source : sources_) source->fill(seed);
  }
  bool have(unsigned seed) const {
    for (const auto& target : targets_)
      if (!target->has(seed)) return false;
    return true;
  }
  bool haveBegun(const Plans& plans, std::uint64_t iteration) const {
    return ends_.until([&] {
      for (const auto& plan : plans)
        if (plan->iterations() != iteration) return false;
      return true;
    });
  }
  bool areDone(std::uint64_t iteration) const {
    const auto isSo = [&](const Prepared& plan) {
      return plan.iterations() == iteration && plan.isCompleted();
    };
    return ends_.until([&] {
      for (std::size_t i = 0; i < kCount; ++i)
        if (!isSo(*sends_[i]) || !isSo(*receives_[i])) return false;
      return true;
    });
  }
  bool areArmed(std::size_t count) const {
    return ends_.until([&] { return ends_.left_worker->stats().armed_requests == count; });
  }
  void readyAll() {
    for (const auto& send : sends_) send->ready();
  }

  Ends ends_{std::get<Route>(GetParam()), std::get<Mode>(GetParam())};
  std::vector<std::unique_ptr<Memory>> sources_, targets_;
  std::vector<std::shared_ptr<PreparedSend>> sends_;
  std::vector<std::shared_ptr<PreparedRecv>> receives_;
};

inline std::string nameOfGroup(const testing::TestParamInfo<std::tuple<Route, Mode>>& info) {
  return nameOf(std::get<Route>(info.param)) + nameOf(std::get<Mode>(info.param));
}
inline auto groupKinds() {
  return testing::Combine(testing::Values(Route::Self, Route::Address),
                          testing::Values(Mode::Caller, Mode::Adaptive, Mode::Delayed));
}

}  // namespace ucxx::core::test
