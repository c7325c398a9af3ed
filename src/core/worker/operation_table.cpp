// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What is done with operations of each kind: their rooms do it.

#include <algorithm>
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

using Table = std::array<OperationActions, kOperationKinds>;

/// The message of a prepared receive has begun it.
void isBegun(Operation&) noexcept {}
bool neverWaits(Operation&) noexcept { return false; }
bool hasNoMessage(Operation&) noexcept { return false; }
bool endsByItself(Operation&, ucs_status_t) noexcept { return false; }
void comesAllTheWay(Operation&) noexcept {}

constexpr Table makeTable() noexcept {
  using enum OperationKind;
  Table table{};
  const auto set = [&table](std::initializer_list<OperationKind> kinds, OperationActions actions) {
    for (const OperationKind kind : kinds) table[static_cast<std::size_t>(kind)] = actions;
  };
  set({TagSend, AmSend, StreamSend, MultiSend, PreparedSend},
      {startSend, withdrawSend, endsByItself, recallSend, complete, hasNoMessage, comesAllTheWay});
  set({MemPut, MemGet, Atomic}, {startSend, withdrawSend, revokeAccess, endsByItself, complete,
                                 hasNoMessage, comesAllTheWay});
  set({TagRecv}, {startTagRecv, withdrawTagRecv, endsByItself, endsByItself, tagReceived,
                  giveBackInVain, comesAllTheWay});
  set({ScatterRecv}, {startTagRecv, withdrawTagRecv, endsByItself, endsByItself, scatterReceived,
                      giveBackInVain, turnBack});
  set({AmRecv}, {startAmRecv, withdrawAmRecv, endsByItself, endsByItself, amReceived,
                 giveBackInVain, comesAllTheWay});
  set({StreamRecv}, {startStreamRecv, withdrawStreamRecv, endsByItself, endsByItself, complete,
                     giveBackInVain, turnBack});
  set({MultiRecv}, {startMultiRecv, withdrawMultiRecv, endsByItself, endsByItself, multiReceived,
                    giveBackInVain, comesAllTheWay});
  set({PreparedRecv}, {isBegun, neverWaits, endsByItself, endsByItself, planDataReceived,
                       hasNoMessage, comesAllTheWay});
  set({PreparedEnd}, {startPreparedEnd, Plan::withdraw, endsByItself, endsByItself, complete,
                      hasNoMessage, comesAllTheWay});
  set({PreparedStart, PreparedReady}, {startPlanStep, Plan::withdraw, endsByItself, endsByItself,
                                       complete, hasNoMessage, comesAllTheWay});
  set({PreparedGroup}, {startPlanGroup, withdrawPlanGroup, endsByItself, endsByItself, complete,
                        hasNoMessage, comesAllTheWay});
  set({Flush}, {startFlush, withdrawFlush, revokeFlush, endsByItself, complete, hasNoMessage,
                comesAllTheWay});
  set({Close}, {startClose, neverWaits, endsByItself, endsByItself, closeFlushed, hasNoMessage,
                comesAllTheWay});
  return table;
}

}  // namespace

constinit const Table kOperationActions = makeTable();

static_assert(std::ranges::all_of(makeTable(),
                                  [](const OperationActions& actions) {
                                    return actions.begin != nullptr &&
                                           actions.withdraw != nullptr &&
                                           actions.revoke != nullptr && actions.recall != nullptr &&
                                           actions.ended != nullptr &&
                                           actions.giveBack != nullptr &&
                                           actions.turnBack != nullptr;
                                  }),
              "each kind of operation has its actions");

}  // namespace ucxx::core
