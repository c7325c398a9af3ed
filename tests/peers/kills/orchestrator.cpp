// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/orchestrator.h"

#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/uio.h>

#include "peers/kills/driver.h"
#include "peers/kills/plan_json.h"

namespace ucxx::kills {

namespace {

using namespace std::chrono_literals;

/// Whatever takes longer hangs.
constexpr std::chrono::milliseconds kStart = 30s, kMeet = 20s, kVerdict = 60s;
/// So long may bytes move, or no core be there, without a line.
constexpr std::chrono::nanoseconds kLongestMove = 300s;
/// What a victim that moves has to get to its phase.
constexpr std::chrono::microseconds kToPhase = 200ms;

/// What UCX and ours are told; what the user's environment says stays, but for the channel.
Environment environmentOf(const Options& options) {
  const Channel channel = options.channel;
  Environment words;
  const auto offer = [&](const char* name, const char* value) {
    if (std::getenv(name) == nullptr) words.emplace_back(name, value);  // NOLINT
  };
  offer("UCX_MEM_MMAP_HOOK_MODE", "reloc");  // as in all tests: quick to start
  offer("UCX_MEM_MALLOC_RELOC", "n");
  offer("UCX_NET_DEVICES", "lo");
  offer("UCX_MODULES", "^cuda");  // they would take the driver of these programs for a whole one
  if (channel != Channel::UcxShm) offer("UCX_TLS", "tcp");
  words.emplace_back("UCXX_LOCAL", isLocal(channel) ? "auto" : "off");
  words.emplace_back("UCXX_LOCAL_BULK", channel == Channel::Local ? "ring" : "copy");
  if (options.delays) words.emplace_back("UCXX_TEST_DELAYS", std::to_string(options.seed));
  if (channel == Channel::LocalRefused) words.emplace_back("UCXX_TEST_REFUSE_COPIES", "1");
  if (channel != Channel::UcxShm) return words;
  words.emplace_back("UCX_TLS", "posix,self,tcp");      // TCP: to meet
  words.emplace_back("UCX_POSIX_ERROR_HANDLING", "y");  // else endpoints like ours go by TCP
  return words;
}

/// It wants a core, and got next to none since then.
bool isStarved(const Party& party, const peers::Running& then) {
  const peers::Running now = party.running();
  return now.wants_core && now.ran - then.ran < kMeet / 20;
}

void sleepFor(int microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

}  // namespace

Orchestrator::Orchestrator(const Options& options) : environment_(environmentOf(options)) {
  for (unsigned i = 0; i < options.busy; ++i)
    busy_.push_back(std::make_unique<Party>("busy", environment_));
}

void Orchestrator::startSurvivors() {
  witness_.reset();
  survivor_ = std::make_unique<Party>("survivor", environment_);
  const auto ready = hear(*survivor_, kStart);
  witness_ = std::make_unique<Party>("witness", environment_);
  witness_->tell(ready);
  hear(*survivor_, kStart);  // the witness has come
}

/// The next line of one of them, while the others live: whose end it waits for is told from one
/// that is silent.
nlohmann::json Orchestrator::hear(Party& party, std::chrono::milliseconds limit) {
  return party.hear(limit, [&] {
    for (Party* other : {witness_.get(), survivor_.get(), next_victim_.get()})
      if (other != nullptr && other != &party) other->look();
  });
}

/// The next line of the victim, which is silent when no bytes move meanwhile: on busy cores a large
/// payload between two that poll takes its time, all of it inside one call perhaps. Who gets no
/// core is not silent either.
nlohmann::json Orchestrator::hearVictim() {
  for (const std::int64_t begin = now();;) {
    const std::uint64_t steps = victimsSteps();
    const auto victim = victim_->running(), survivor = survivor_->running();
    try {
      return hear(*victim_, kMeet);
    } catch (const RunFailed& failed) {
      const bool moves =
          victimsSteps() != steps || isStarved(*victim_, victim) || isStarved(*survivor_, survivor);
      if (failed.outcome != "hang" || !moves || now() - begin > kLongestMove.count()) throw;
    }
  }
}

/// 0 where the system keeps us from looking.
std::uint64_t Orchestrator::victimsSteps() const {
  std::uint64_t steps = 0;
  const iovec here{&steps, sizeof steps};
  const iovec there{reinterpret_cast<void*>(steps_at_), sizeof steps};
  ::process_vm_readv(victim_->pid(), &here, 1, &there, 1, 0);
  return steps;
}

/// Of those that should live, and that others may only have missed: not of whom is `known`.
std::string Orchestrator::obituaries(std::string_view known) {
  std::string text;
  for (Party* party : {witness_.get(), survivor_.get()}) {
    const std::string words = party != nullptr ? party->obituary() : "";
    if (!words.empty() && !known.starts_with(words.substr(0, words.find(' '))))
      text += '\n' + words;
  }
  return text;
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
  if (!result.isOk()) result.detail += obituaries(result.detail);
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
  steps_at_ = hear(*victim_, kStart).at("steps_at");
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
  std::string text;
  for (const Party* party : {victim_.get(), survivor_.get(), witness_.get()})
    if (party != nullptr) text += party->stacks();
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
  auto go = hear(*survivor_, kVerdict);
  go["plan"] = plan;
  result.met_at = now();
  victim_->tell(go);
  if (plan.meeting == Meeting::VictimCalls) return;
  auto where = hearVictim();
  if (where.contains("at")) {  // it could not say where it is: nobody meets
    result.is_at_phase = true;
    return;
  }
  where["do"] = "meet";
  survivor_->tell(where);
}

void Orchestrator::awaitFault(Result& result) {
  const Plan& plan = result.plan;
  if (plan.phase != base::Phase::None) {
    awaitPhase(result);
    if (result.is_at_phase && plan.stopsAtPhase()) closeOver(plan);
    return;
  }
  if (!plan.early) {
    hearVictim();
    result.moved_at = now();
  }
  sleepFor(plan.delay);
  if (plan.fault != Fault::Kill) stopFor(plan);
}

void Orchestrator::awaitPhase(Result& result) {
  if (result.is_at_phase) return;
  auto line = hearVictim();
  while (!line.contains("at")) {
    if (line.contains("moves")) result.moved_at = now();
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

/// The victim has stopped itself while it reaches into the survivor's memory. Nothing there is
/// given back before it has gone on, or ended.
void Orchestrator::closeOver(const Plan& plan) {
  const auto ask = [&](const char* what) {
    survivor_->tell({{"do", what}});
    return hear(*survivor_, kVerdict).at(what).get<bool>();
  };
  victim_->awaitStop();
  ask("close");
  sleepFor(plan.stop);
  if (!ask("hold")) throw RunFailed("released", "memory that a stopped victim may write to");
  if (plan.fault == Fault::StopAndKill) return;
  victim_->signal(SIGCONT);
  if (!ask("await"))
    throw RunFailed("hang", "the victim was stopped, and the survivor's closes do not end since");
}

/// What was only stopped goes on: until a message has ended, bytes move.
void Orchestrator::requireMoves() {
  const auto count = [&] {
    victim_->tell({{"do", "count"}});
    return hearVictim().at("count").get<std::size_t>();
  };
  const std::size_t before = count();
  std::uint64_t steps = victimsSteps();
  for (std::int64_t moved_at = now(); count() == before; sleepFor(200)) {
    const std::uint64_t before_this = std::exchange(steps, victimsSteps());
    if (steps != before_this) moved_at = now();
    if (now() > moved_at + std::chrono::nanoseconds(kMeet).count())
      throw RunFailed("hang", "the victim was stopped, and does not move since");
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
  const auto verdict = hear(*survivor_, kVerdict);
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
