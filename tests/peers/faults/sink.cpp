// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <deque>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>

#include "peers/faults/asked.h"
#include "peers/faults/receiver.h"
#include "peers/faults/roles.h"
#include "peers/lines.h"
#include "peers/memory.h"

namespace ucxx::faults {
namespace {

using nlohmann::json;

/// Receives so many messages of this size, and looks at each.
json drain(Worker& worker, std::size_t count, std::size_t size) {
  struct Place {
    std::vector<std::byte> bytes;
    std::shared_ptr<Request> request;
  };
  std::deque<Place> places;
  std::size_t posted = 0, wrong = 0;
  auto moved_at = Clock::now();
  for (std::size_t received = 0; received < count;) {
    while (posted < count && places.size() < kPosted) {
      Place& place = places.emplace_back();
      place.bytes.resize(size);
      place.request = worker.tagRecv(place.bytes.data(), size, Tag{1});
      ++posted;
    }
    worker.progress();
    while (!places.empty() && places.front().request->isCompleted()) {
      const auto& [bytes, request] = places.front();
      wrong += request->getStatus() != UCS_OK || !peers::isPayload(bytes.data(), size, received);
      places.pop_front();
      ++received;
      moved_at = Clock::now();
    }
    if (Clock::now() - moved_at > kPatience)
      throw std::runtime_error(fmt::format("{} of {} have come", received, count));
  }
  return {{"wrong", wrong}};
}

}  // namespace

int runSink(tools::Control& control) {
  Receiver receiver;
  control.send({{"port", receiver.port()}});
  for (;;) {
    receiver.worker().progress();
    if (receiver.worker().arm()) {
      pollfd entries[] = {{control.fd(), POLLIN, 0},
                          {receiver.worker().getEpollFileDescriptor(), POLLIN, 0}};
      ::poll(entries, 2, 100);
    }
    const auto line = peers::nextLine(control);
    if (!line) continue;
    if (line->at("do") == "bye") return 0;
    if (line->at("do") == "drain")
      control.send(drain(receiver.worker(), line->at("count"), line->at("size")));
    else
      answerCommon(control, *line);
  }
}

}  // namespace ucxx::faults
