// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "rig.h"

namespace gpu::bench {

using Requests = std::vector<std::shared_ptr<ucxx::Request>>;

/// A broadcast among three workers: the root sends, the middle one receives and sends on to both
/// others. Kernels fill and check all bytes at the ends.
class Broadcast {
 public:
  static constexpr int kMiddle = 0, kRoot = 1, kLeaf = 2;

  Broadcast(const Crew& crew, std::size_t bytes);
  virtual ~Broadcast() = default;
  Broadcast(const Broadcast&) = delete;
  Broadcast& operator=(const Broadcast&) = delete;

  void rootKernel(Stream stream) const { kernel(stream, root_in_, 1, root_out_, root_number_); }
  void leafKernel(Stream stream) const { kernel(stream, leaf_in_, 0, leaf_out_, leaf_number_); }

  /// @name Its parts, each of which is posted with a condition
  /// @{
  Requests rootTransfers(const ucxx::Condition& condition) const;
  std::shared_ptr<ucxx::Request> leafReceive(const ucxx::Condition& condition) const;
  std::shared_ptr<ucxx::Request> middleReceive(const ucxx::Condition& condition) const;
  Requests middleSends(const ucxx::Condition& condition) const;
  std::shared_ptr<ucxx::Request> sendToRoot(const ucxx::Condition& condition) const;
  std::shared_ptr<ucxx::Request> sendToLeaf(const ucxx::Condition& condition) const;
  /// @}
  void check(const std::string& name) const { wrong_.check(name); }

 protected:
  /// From one to another, through buffers of either; each is one of the three of a broadcast.
  struct Way {
    int from, to;
    Word *out, *in;
    ucxx::Tag tag;
  };
  std::array<Way, 3> ways() const;
  std::size_t bytes() const { return words_ * sizeof(Word); }
  const Crew& crew() const { return crew_; }
  virtual std::shared_ptr<ucxx::Request> send(std::size_t way, const ucxx::Condition& on) const;
  virtual std::shared_ptr<ucxx::Request> receive(std::size_t way, const ucxx::Condition& on) const;

 private:
  void kernel(Stream stream, Word* in, Word behind, Word* out, Word* number) const;

  const Crew& crew_;
  const std::size_t words_;
  Word* const middle_;
  Word* const root_out_;
  Word* const root_in_;
  Word* const leaf_in_;
  Word* const leaf_out_;
  Word* const root_number_;
  Word* const leaf_number_;
  const WrongWords wrong_;
};

/// The same by prepared transfers: each launch begins an iteration of them.
class PreparedBroadcast final : public Broadcast {
 public:
  PreparedBroadcast(const Crew& crew, std::size_t bytes);
  /// Nothing may launch them any more.
  ~PreparedBroadcast() override;

 private:
  struct Ends {
    std::shared_ptr<ucxx::PreparedSend> send;
    std::shared_ptr<ucxx::PreparedRecv> receive;
  };
  std::shared_ptr<ucxx::Request> send(std::size_t way, const ucxx::Condition& on) const override;
  std::shared_ptr<ucxx::Request> receive(std::size_t way, const ucxx::Condition& on) const override;
  std::array<Ends, 3> ends_;
};

}  // namespace gpu::bench
