// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "rig.h"

namespace gpu::bench {

/// One of the two that play ping-pong: a worker, a stream, and a buffer for what comes and for what
/// goes. In iteration i both send i; a kernel checks what has come before, and fills what goes.
struct Side {
  Side(const Crew& crew, int number, std::size_t words, const WrongWords& wrong);

  void step(Word expected, Word value) const;
  /// Of iteration i, its first launch: what has come before it, and what is sent in it.
  void step(Word i) const { step(is_first ? i - 1 : i, i); }
  /// The first side checks what came last.
  void checkLast(Word iterations) const {
    if (is_first) step(iterations, iterations + 1);
  }
  /// The other side awaits before it sends, so it has nothing to await after its last send.
  bool awaitsAfter(Word i, Word iterations) const { return is_first || i < iterations; }

  std::shared_ptr<ucxx::Request> receive(const ucxx::RequestCallbackUserFunction& ended = {}) const;
  std::shared_ptr<ucxx::Request> send(const ucxx::Condition& condition = {}) const;
  void synchronize() const { must("cuStreamSynchronize", driver().synchronizeStream(stream)); }
  std::size_t bytes() const { return words * sizeof(Word); }

  const bool is_first;
  const std::size_t words;
  Word* const in;
  Word* const out;
  Word* const wrong;
  const std::shared_ptr<ucxx::Worker> worker;
  const std::shared_ptr<ucxx::Endpoint> endpoint;
  const ucxx::Tag tag_out, tag_in;
  const OwnStream stream;
};

/// Both sides.
class Table {
 public:
  Table(const Crew& crew, std::size_t bytes);
  const Side& operator[](std::size_t number) const { return sides_.at(number); }
  /// Plays so many iterations; each side by a thread of its own, which ends when its stream has
  /// done all. Microseconds an iteration. Checks what has come.
  template <class Play>
  double play(const std::string& name, Word iterations, const Play& play) const {
    for (const Side& side : sides_) std::fill_n(side.in, side.words, 0);
    const auto body = [&](const Side& side) {
      return [&side, &play, iterations] {
        play(side, iterations);
        side.synchronize();
      };
    };
    const double time = together({body(sides_[0]), body(sides_[1])});
    wrong_.check(name);
    return time / static_cast<double>(iterations);
  }

 private:
  const WrongWords wrong_;
  const std::array<Side, 2> sides_;
};

/// Where the time of the thread goes that enqueues, in microseconds.
struct Busy {
  double processor = 0;  // that the thread was running
  double launching = 0;  // inside the driver, for kernels and graphs
  // Inside the library: also held up, as the limit of posts has it.
  double sending = 0, receiving = 0, awaiting = 0;
  double submitting = 0;  // batches
  double posting() const { return sending + receiving + awaiting + submitting; }
  double whole() const { return launching + posting(); }
};

/// The side's part by Condition::stream and Request::waitOn, enqueued ahead; if `batches`, what
/// follows a kernel by a StreamBatch.
void playInStream(const Side& side, Word iterations, bool batches, Busy* busy = nullptr);

/// @name Peers
/// @{
/// A thread that synchronises with its stream, then sends, and receives, and launches the next
/// kernel. It moves its worker itself.
void playSynchronously(const Side& side, Word iterations);
/// A bare thread carries the bytes, told by a word that the stream writes; no UCXX.
double playWithBareThread(const Table& table, const std::string& name, Word iterations);
/// Host functions of the stream send; when a message has come, the worker's thread writes a word
/// for which the stream waits.
double playWithHostFunctions(const Table& table, const std::string& name, Word iterations);
/// @}

}  // namespace gpu::bench
