// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// What is done with operations of each kind: their rooms do it.

#include <algorithm>
#include <initializer_list>

#include "core/link/endpoint_end.h"
#include "core/link/flush_close.h"
#include "core/match/transfers.h"
#include "core/plan/plan.h"
#include "core/plan/plan_group.h"
#include "core/request/operation.h"
#include "core/request/operation_actions.h"

namespace ucxx::core {
namespace {

using Table = std::array<OperationActions, kOperationKinds>;

/// The message of a prepared receive has begun it.
void isBegun(Operation&) noexcept {}
bool neverWaits(Operation&) noexcept { return false; }
bool hasNoMessage(Operation&) noexcept { return false; }
bool endsByItself(Operation&, ucs_status_t) noexcept { return false; }

constexpr Table makeTable() noexcept {
  using enum OperationKind;
  Table table{};
  const auto set = [&table](std::initializer_list<OperationKind> kinds, OperationActions actions) {
    for (const OperationKind kind : kinds) table[static_cast<std::size_t>(kind)] = actions;
  };
  set({TagSend, AmSend, StreamSend, MultiSend, PreparedSend},
      {startSend, withdrawSend, endsByItself, complete, hasNoMessage});
  set({MemPut, MemGet, Atomic}, {startSend, withdrawSend, revokeAccess, complete, hasNoMessage});
  set({TagRecv}, {startTagRecv, withdrawTagRecv, endsByItself, tagReceived, giveBackInVain});
  set({ScatterRecv},
      {startTagRecv, withdrawTagRecv, endsByItself, scatterReceived, giveBackInVain});
  set({AmRecv}, {startAmRecv, withdrawAmRecv, endsByItself, amReceived, giveBackInVain});
  set({StreamRecv}, {startStreamRecv, withdrawStreamRecv, endsByItself, complete, giveBackInVain});
  set({MultiRecv},
      {startMultiRecv, withdrawMultiRecv, endsByItself, multiReceived, giveBackInVain});
  set({PreparedRecv}, {isBegun, neverWaits, endsByItself, planDataReceived, hasNoMessage});
  set({PreparedEnd}, {startPreparedEnd, Plan::withdraw, endsByItself, complete, hasNoMessage});
  set({PreparedStart, PreparedReady},
      {startPlanStep, Plan::withdraw, endsByItself, complete, hasNoMessage});
  set({PreparedGroup}, {startPlanGroup, withdrawPlanGroup, endsByItself, complete, hasNoMessage});
  set({Flush}, {startFlush, withdrawFlush, revokeFlush, complete, hasNoMessage});
  set({Close}, {startClose, neverWaits, endsByItself, closeFlushed, hasNoMessage});
  return table;
}

}  // namespace

constinit const Table kOperationActions = makeTable();

static_assert(std::ranges::all_of(makeTable(),
                                  [](const OperationActions& actions) {
                                    return actions.begin != nullptr &&
                                           actions.withdraw != nullptr &&
                                           actions.revoke != nullptr && actions.ended != nullptr &&
                                           actions.giveBack != nullptr;
                                  }),
              "each kind of operation has its actions");

}  // namespace ucxx::core
