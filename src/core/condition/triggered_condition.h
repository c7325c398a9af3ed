// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/list.h"
#include "core/condition/armed.h"
#include "core/condition/condition_state.h"
#include "core/condition/condition_words.h"
#include "core/loop/post.h"
#include "core/request/operation.h"
#include "core/request/operation_kind.h"

namespace ucxx::core {

class Loop;

/// Who triggers a condition.
enum class ConditionKind : std::uint8_t {
  Host,    ///< `Condition::trigger`, which tells the loop
  Kernel,  ///< whoever writes its word; the loop looks at that in each round
  Stream,  ///< the same, once; starts are in the order of the writes, see `stream`
  Graph,   ///< the same, again and again, by words that toggle
};

/// One that starts all that was posted with it together, when its word says that it was triggered.
///
/// Posting threads and triggers say what they want by few words (`posted_`, the trigger word,
/// `is_closed_`), and the loop does all the rest, in `look`. It hears of it by a post that is a
/// part of the state: nothing has to be allocated, and at most one is under way.
///
/// The loop goes from epoch to epoch. An epoch begins when the condition was triggered once more
/// and all that was posted has come to the loop; it starts what is armed, in the order of the
/// posts, and ends after the last of these has ended. One that does not repeat has one epoch.
class TriggeredCondition : public ConditionState {
 public:
  /// `its_stream`: who writes the word, where one stream writes those of several conditions in the
  /// order in which they come to the loop. 0: nobody does.
  TriggeredCondition(ConditionKind its_kind, const ConditionOptions& options,
                     std::uint64_t its_stream = 0);

  const ConditionKind kind;
  const std::uint64_t stream;

  /// @name Any thread
  /// @{
  void post(Loop& loop, Operation& op) override;
  void trigger() override;
  void close() noexcept override;
  void drop() noexcept override { close(); }
  std::uint64_t epoch() const noexcept override;
  ucs_status_t lastStatus() const noexcept override;
  bool isOver() const noexcept override;
  std::string describe() const override;
  const ConditionWords& words() const noexcept { return words_; }
  /// @}

  /// @name The loop of its worker
  /// @{
  /// One of its operations has come to the loop: it is armed, or ends at once.
  void arm(Armed& armed) noexcept;
  /// Sees how often it was triggered, and whether it was closed. Not before its turn, since a
  /// trigger comes after what the same thread posted before.
  void notice() noexcept;
  /// Does what has become due, of starts at most `kMostStarts`.
  void look() noexcept;
  /// No epoch begins any more, and what is armed ends.
  void workerEnds() noexcept;
  /// After it, where nobody moves what has started: nobody is to wait for that either.
  void abandon() noexcept;
  /// `armed` is not armed any more.
  void forget(Armed& armed) noexcept;
  /// The operation of `armed` has ended, or, if the condition repeats, a repetition of it.
  virtual void ended(const Armed& armed, ucs_status_t status) noexcept;
  void repetitionEnded(ucs_status_t status) noexcept;
  /// @}

  base::ListNode node;      // in the loop's list of its conditions
  base::ListNode due_node;  // in its list of those that are due

 protected:
  /// @name The halves of `post`, under the lock: what may fail, and what does not
  /// @{
  std::unique_ptr<Armed> prepare(const Loop& loop, Operation& op);
  void take(const Loop& loop, std::unique_ptr<Armed> armed) noexcept;
  /// @}
  /// Somebody will make its trigger word `value`, sooner or later.
  void expect(std::uint64_t value) noexcept { words_.expect(value); }
  /// Any thread: how often it was triggered so far. A kernel of a condition that has gone may write
  /// a number of that one: it is less than all of this one.
  virtual std::uint64_t triggered() const noexcept {
    const auto count =
        static_cast<std::int64_t>(words_.trigger().load(std::memory_order_acquire) - words_.base());
    return count > 0 ? static_cast<std::uint64_t>(count) : 0;
  }
  /// `close` without telling the loop, for a thread in which no worker may end: true if the loop
  /// has to be told by a word. False: no loop knows of it.
  bool closeUntold() noexcept;
  /// @name The loop
  /// @{
  /// The same, as the first to see it.
  virtual std::uint64_t takeTriggers() noexcept { return triggered(); }
  void noticeClose() noexcept { is_closing_ = is_closed_.load(std::memory_order_acquire); }
  /// The condition has its turn; `lookAgain` gives it another one in the next round.
  virtual void onLook() noexcept {}
  void lookAgain() noexcept;
  /// The worker ends, between two epochs: whoever has triggered one more is to be answered.
  virtual void onCut() noexcept {}
  /// An epoch has ended: whoever waits sees the status, and then `done`.
  virtual void answer(ucs_status_t status) noexcept;
  /// The condition is over, with its last status.
  virtual void onOver(ucs_status_t) noexcept {}
  bool isInEpoch() const noexcept { return is_in_epoch_; }
  /// The worker has ended.
  bool isCut() const noexcept { return is_cut_; }
  /// @}

 private:
  /// So that other work of the loop has its turn.
  static constexpr int kMostStarts = 64;

  /// Tells the loop that there is something to see to.
  struct Call final : Post {
    std::shared_ptr<TriggeredCondition> self;  // while it is under way
    std::atomic<bool> is_under_way{false};
  };

  std::shared_ptr<TriggeredCondition> self() noexcept {
    return std::static_pointer_cast<TriggeredCondition>(shared_from_this());
  }
  void requireMayPost(const Loop& loop, OperationKind kind) const;
  void tell(Loop& loop) noexcept;
  void lookHeld() noexcept;
  bool join(Loop& loop) noexcept;
  void endWithoutMemory(Armed& armed) noexcept;
  void tellOver(ucs_status_t status) noexcept;
  void enlist(Armed& armed) noexcept;
  bool beginEpoch() noexcept;
  void startSome(int& budget) noexcept;
  void endEpoch() noexcept;
  void endArmed() noexcept;
  void finish() noexcept;

  ConditionWords words_;
  // On one line, which the loop fetches with the call.
  alignas(64) std::atomic<std::uint64_t> posted_{0};
  std::atomic<bool> is_closed_{false};
  Call call_;

  // The loop's
  std::shared_ptr<TriggeredCondition> kept_;  // this, from its first operation until it is over
  base::List<Armed, &Armed::node> armed_;
  Loop* loop_ = nullptr;
  std::uint64_t arrived_ = 0;    // of `posted_`
  std::uint64_t noticed_ = 0;    // triggers
  std::uint64_t begun_ = 0;      // epochs
  std::uint64_t under_way_ = 0;  // that this epoch has started, and that have not ended
  Armed* next_ = nullptr;        // that it has not started yet
  ucs_status_t error_ = UCS_OK;  // the first of it
  bool is_in_epoch_ = false;
  bool is_looking_ = false;
  bool is_closing_ = false;  // it is closed
  bool is_cut_ = false;      // the worker ends
  bool is_lost_ = false;     // the loop has no memory for it
};

}  // namespace ucxx::core
