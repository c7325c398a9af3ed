// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What is done with operations of each kind: their rooms do it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <initializer_list>

#include "core/link/flush_close.h"
#include "core/link/send_actions.h"
#include "core/match/landing.h"
#include "core/match/transfers.h"
#include "core/plan/plan.h"
#include "core/plan/plan_group.h"
#include "core/request/operation.h"
#include "core/request/operation_actions.h"
#include "core/request/operation_kind.h"

namespace ucxx::core {
namespace {

struct Table {
  std::array<OperationActions, kOperationKinds> actions{};
  std::array<bool, kOperationKinds> has{};
};

/// The message of a prepared receive has begun it.
void isBegun(Operation&) noexcept {}

constexpr Table makeTable() noexcept {
  using enum OperationKind;
  Table table{};
  const auto set = [&table](std::initializer_list<OperationKind> kinds, OperationActions actions) {
    for (const OperationKind kind : kinds) {
      table.actions[static_cast<std::size_t>(kind)] = actions;
      table.has[static_cast<std::size_t>(kind)] = true;
    }
  };
  set({TagSend, AmSend, StreamSend, MultiSend, PreparedSend},
      {.begin = startSend, .withdraw = withdrawSend, .recall = recallSend});
  set({MemPut, MemGet, Atomic},
      {.begin = startSend, .withdraw = withdrawSend, .revoke = revokeAccess});
  set({TagRecv}, {.begin = startTagRecv,
                  .withdraw = withdrawTagRecv,
                  .ended = tagReceived,
                  .giveBack = giveBackInVain});
  set({ScatterRecv}, {.begin = startTagRecv,
                      .withdraw = withdrawTagRecv,
                      .ended = scatterReceived,
                      .giveBack = giveBackInVain,
                      .turnBack = turnBack});
  set({AmRecv}, {.begin = startAmRecv,
                 .withdraw = withdrawAmRecv,
                 .ended = amReceived,
                 .giveBack = giveBackInVain});
  set({StreamRecv}, {.begin = startStreamRecv,
                     .withdraw = withdrawStreamRecv,
                     .giveBack = giveBackInVain,
                     .turnBack = turnBack});
  set({MultiRecv}, {.begin = startMultiRecv,
                    .withdraw = withdrawMultiRecv,
                    .ended = multiReceived,
                    .giveBack = giveBackInVain});
  set({PreparedRecv}, {.begin = isBegun, .ended = planDataReceived});
  set({PreparedEnd}, {.begin = startPreparedEnd, .withdraw = Plan::withdraw});
  set({PreparedStart, PreparedReady}, {.begin = startPlanStep, .withdraw = Plan::withdraw});
  set({PreparedGroup}, {.begin = startPlanGroup, .withdraw = withdrawPlanGroup});
  set({Flush}, {.begin = startFlush, .withdraw = withdrawFlush, .revoke = revokeFlush});
  set({Close}, {.begin = startClose, .ended = closeFlushed});
  return table;
}

}  // namespace

constinit const std::array<OperationActions, kOperationKinds> kOperationActions =
    makeTable().actions;

static_assert(std::ranges::all_of(makeTable().has, std::identity()),
              "each kind of operation has its actions");

}  // namespace ucxx::core
