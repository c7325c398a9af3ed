// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/orchestrator.h"

#include <csignal>
#include <cstdlib>
#include <thread>

#include <fmt/format.h>

#include "peers/kills/driver.h"
#include "peers/kills/plan_json.h"

namespace ucxx::kills {

namespace {

using namespace std::chrono_literals;

/// Whatever takes longer hangs.
constexpr std::chrono::milliseconds kStart = 30s, kMeet = 20s, kVerdict = 20s;
/// What a victim that moves has to get to its phase.
constexpr std::chrono::microseconds kToPhase = 200ms;

/// What UCX and ours are told; what the user's environment says stays, but for the channel.
Environment environmentOf(Channel channel) {
  Environment words;
  const auto offer = [&](const char* name, const char* value) {
    if (std::getenv(name) == nullptr) words.emplace_back(name, value);  // NOLINT
  };
  offer("UCX_MEM_MMAP_HOOK_MODE", "reloc");  // as in all tests: quick to start
  offer("UCX_MEM_MALLOC_RELOC", "n");
  offer("UCX_NET_DEVICES", "lo");
  if (channel != Channel::UcxShm) offer("UCX_TLS", "tcp");
  words.emplace_back("UCXX_LOCAL", isLocal(channel) ? "auto" : "off");
  words.emplace_back("UCXX_LOCAL_BULK", channel == Channel::Local ? "ring" : "copy");
  if (channel == Channel::LocalRefused) words.emplace_back("UCXX_TEST_REFUSE_COPIES", "1");
  if (channel != Channel::UcxShm) return words;
  words.emplace_back("UCX_TLS", "posix,self,tcp");      // TCP: to meet
  words.emplace_back("UCX_POSIX_ERROR_HANDLING", "y");  // else endpoints like ours go by TCP
  return words;
}

void sleepFor(int microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

}  // namespace

Orchestrator::Orchestrator(const Options& options) : environment_(environmentOf(options.channel)) {}

void Orchestrator::startSurvivors() {
  witness_.reset();
  survivor_ = std::make_unique<Party>("survivor", environment_);
  const auto ready = survivor_->hear(kStart);
  witness_ = std::make_unique<Party>("witness", environment_);
  witness_->tell(ready);
}

Result Orchestrator::run(const Plan& plan) {
  Result result{.plan = plan, .begun_at = now()};
  try {
    if (survivor_ == nullptr) startSurvivors();
    perform(result);
  } catch (const RunFailed& failed) {
    result.outcome = failed.outcome;
    result.detail = failed.what();
  }
  victim_.reset();
  if (result.isOk()) return result;
  survivor_.reset();  // who knows what it is left with
  witness_.reset();
  return result;
}

void Orchestrator::finish() {
  if (survivor_ == nullptr) return;
  witness_->finish();
  survivor_->finish();
}

void Orchestrator::perform(Result& result) {
  if (next_victim_ == nullptr) next_victim_ = std::make_unique<Party>("victim", environment_);
  victim_ = std::move(next_victim_);
  victim_->hear(kStart);
  next_victim_ = std::make_unique<Party>("victim", environment_);  // starts meanwhile
  try {
    meet(result);
    awaitFault(result);
    kill(result);
  } catch (const RunFailed& failed) {
    if (failed.outcome != "hang") throw;
    throw RunFailed("hang", fmt::format("{}\n{}", failed.what(), describeAll()));
  }
  hearVerdict(result);
}

/// All that is known of those who hang, before they are killed.
std::string Orchestrator::describeAll() {
  std::string text = victim_->stacks() + survivor_->stacks();
  survivor_->tell({{"do", "describe"}});
  try {
    return text + survivor_->hear(kVerdict).at("describe").get<std::string>();
  } catch (const RunFailed& failed) {
    return text + failed.what();
  }
}

void Orchestrator::meet(Result& result) {
  const Plan& plan = result.plan;
  survivor_->tell({{"do", "begin"}, {"plan", plan}});
  auto go = survivor_->hear(kVerdict);
  go["plan"] = plan;
  victim_->tell(go);
  if (plan.meeting == Meeting::VictimCalls) return;
  auto where = victim_->hear(kMeet);
  if (where.contains("at")) {  // it could not say where it is: nobody meets
    result.is_at_phase = true;
    return;
  }
  where["do"] = "meet";
  survivor_->tell(where);
}

void Orchestrator::awaitFault(Result& result) {
  const Plan& plan = result.plan;
  if (plan.phase != base::Phase::None) return awaitPhase(result);
  if (!plan.early) victim_->hear(kMeet);
  sleepFor(plan.delay);
  if (plan.fault != Fault::Kill) stopFor(plan);
}

void Orchestrator::awaitPhase(Result& result) {
  if (result.is_at_phase) return;
  auto line = victim_->hear(kMeet);
  while (!line.contains("at")) {
    const auto next = victim_->hearSoon(kToPhase);
    if (!next) return;
    line = *next;
  }
  result.is_at_phase = true;
}

void Orchestrator::stopFor(const Plan& plan) {
  victim_->signal(SIGSTOP);
  sleepFor(plan.stop);
  if (plan.fault == Fault::StopAndKill) return;
  victim_->signal(SIGCONT);
  if (plan.close_after == 0) requireMoves();
}

/// What was only stopped goes on.
void Orchestrator::requireMoves() {
  const auto count = [&] {
    victim_->tell({{"do", "count"}});
    return victim_->hear(kMeet).at("count").get<std::size_t>();
  };
  const std::size_t before = count();
  const std::int64_t end = now() + std::chrono::nanoseconds(kMeet).count();
  while (count() == before) {
    if (now() > end) throw RunFailed("hang", "the victim was stopped, and does not move since");
    sleepFor(200);
  }
}

void Orchestrator::kill(Result& result) {
  if (!victim_->isRunning()) victim_->hear(0ms);  // says why
  result.killed_at = now();
  victim_->signal(SIGKILL);
}

void Orchestrator::hearVerdict(Result& result) {
  survivor_->tell({{"do", "killed"}, {"at", result.killed_at}});
  victim_->awaitEnd();
  result.dead_at = now();
  const auto verdict = survivor_->hear(kVerdict);
  if (const std::string words = victim_->lastWords(); !words.empty())
    throw RunFailed("victim", words);
  result.outcome = verdict.at("outcome");
  result.detail = verdict.value("detail", "");
  result.gap = verdict.at("gap");
  result.count = verdict.at("count");
  result.transports = verdict.at("transports");
  // Of requests that had ended before, by a close of the victim, nothing was detected.
  if (const std::int64_t ended = verdict.value("ended_at", 0L); ended >= result.killed_at)
    result.ended_at = ended;
  witness_->look();
}

}  // namespace ucxx::kills
