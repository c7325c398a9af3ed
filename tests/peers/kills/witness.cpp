// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/witness.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "peers/kills/crowd.h"
#include "peers/kills/meeting.h"
#include "peers/memory.h"

namespace ucxx::kills {

using peers::isPayload, peers::writePayload;

namespace {

constexpr Tag kThere{1ull << 62}, kBack{(1ull << 62) + 1};
constexpr std::size_t kSizes[] = {8, 900, 9000, 8, 40000, 300};
constexpr std::size_t kWindow = 4;
constexpr std::int64_t kPace = 300'000;  // nanoseconds between messages
constexpr std::uint64_t kFirst = 1ull << 63;

std::size_t sizeOf(std::uint64_t number) { return kSizes[number % std::size(kSizes)]; }

}  // namespace

struct Traffic::Receive {
  explicit Receive(std::size_t size) : bytes(size) {}
  std::vector<std::byte> bytes;
  std::shared_ptr<Request> request;
};

Traffic::Traffic(std::shared_ptr<Endpoint> endpoint, bool is_witness)
    : endpoint_(std::move(endpoint)), is_witness_(is_witness) {}

Traffic::~Traffic() { endpoint_->closeBlocking(); }

void Traffic::turn(std::int64_t time) {
  if (!failure_.empty()) return;
  while (receives_.size() < kWindow) post();
  while (receives_.front()->request->isCompleted()) {
    see(time);
    collect(*receives_.front());
    receives_.pop_front();
    post();
    if (!failure_.empty()) return;
  }
  while (!sends_.empty() && sends_.front().first->isCompleted()) {
    const ucs_status_t status = sends_.front().first->getStatus();
    if (status != UCS_OK) failure_ = fmt::format("a send ended with {}", static_cast<int>(status));
    sends_.pop_front();
  }
  if (!is_witness_ || sent_ - received_ >= kWindow || time - sent_at_ < kPace) return;
  sent_at_ = time;
  send(sent_++);
}

void Traffic::post() {
  const std::size_t size = sizeOf(posted_++);
  auto receive = std::make_unique<Receive>(size);
  receive->request = endpoint_->tagRecv(receive->bytes.data(), size, is_witness_ ? kBack : kThere);
  receives_.push_back(std::move(receive));
}

void Traffic::collect(Receive& receive) {
  const std::uint64_t number = received_++;
  const Request& request = *receive.request;
  if (request.getStatus() != UCS_OK)
    failure_ =
        fmt::format("receive {} ended with {}", number, static_cast<int>(request.getStatus()));
  else if (request.getReceivedLength() != sizeOf(number) ||
           !isPayload(receive.bytes.data(), sizeOf(number), kFirst + number))
    failure_ = fmt::format("message {} has wrong bytes", number);
  else if (!is_witness_)
    send(number);
}

void Traffic::send(std::uint64_t number) {
  const std::size_t size = sizeOf(number);
  auto bytes = std::make_unique<std::byte[]>(size);
  writePayload(bytes.get(), size, kFirst + number);
  auto request = endpoint_->tagSend(bytes.get(), size, is_witness_ ? kThere : kBack);
  sends_.emplace_back(std::move(request), std::move(bytes));
}

void Traffic::see(std::int64_t time) {
  if (seen_at_ != 0) longest_gap_ = std::max(longest_gap_, time - seen_at_);
  seen_at_ = time;
}

std::int64_t Traffic::takeLongestGap(std::int64_t time) {
  if (seen_at_ != 0) longest_gap_ = std::max(longest_gap_, time - seen_at_);
  return std::exchange(longest_gap_, 0);
}

int runWitness(tools::Control& control) {
  auto worker = createContext()->createWorker();
  const auto begin = control.receive(std::chrono::seconds(20));
  Crowd crowd(fromHex(begin.at("address")));
  auto endpoint =
      worker->createEndpointFromHostname("127.0.0.1", begin.at("port").get<std::uint16_t>());
  Driver driver(worker, control.fd());
  Traffic traffic(endpoint, true);
  while (!driver.hasControl()) {
    driver.turn(std::chrono::microseconds(kPace / 1000));
    traffic.turn(now());
    crowd.turn(now());
    if (traffic.failure().empty()) continue;
    control.send({{"error", "witness: " + traffic.failure()}});
    return 1;
  }
  return 0;  // told to end
}

}  // namespace ucxx::kills
