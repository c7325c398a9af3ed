// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Half a round trip of 8 bytes in memory of the host, between two threads, each of which moves its
// worker: before the process has used CUDA, after it has, and while streams wait with sends of one
// of the workers.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "../figures/figures.h"
#include "benches.h"
#include "comparison.h"
#include "gpu/step.h"
#include "rig.h"

namespace gpu::bench {
namespace {

constexpr std::size_t kStreams = 8;
constexpr ucxx::Tag kThere{1}, kBack{2}, kArmed{3};
constexpr std::chrono::seconds kLimit{30};
constexpr double kMostMore = 20;  // nanoseconds

int tripsOf() { return isQuick() ? 200 : 20'000; }

void await(ucxx::Worker& worker, const ucxx::Request& request) {
  for (; !request.isCompleted(); letOthersRun()) worker.progress();
  request.checkError();
}

void play(const Crew& crew, int number) {
  figures::pinTo(number);
  ucxx::Worker& worker = *crew.worker(number);
  ucxx::Endpoint& endpoint = *crew.endpoint(number, 1 - number);
  const auto out = std::make_unique<Word>(0), in = std::make_unique<Word>(0);
  const auto receive = [&] {
    await(worker, *endpoint.tagRecv(in.get(), sizeof(Word), number == 0 ? kBack : kThere));
  };
  for (int i = 1; i <= tripsOf(); ++i) {
    if (number == 1) receive();
    *out = i;
    await(worker, *endpoint.tagSend(out.get(), sizeof(Word), number == 0 ? kThere : kBack));
    if (number == 0) receive();
    if (*in != static_cast<Word>(i)) throw Stop("another message has come");
  }
}

/// Nanoseconds.
double halfTrip(const Crew& crew) {
  const auto side = [&crew](int number) { return [&crew, number] { play(crew, number); }; };
  return together({side(0), side(1)}, false) * 1000 / (2.0 * tripsOf());
}

/// Streams that wait for a word, and then start a send each.
class Armed {
 public:
  explicit Armed(const Crew& crew) : crew_(crew) {
    for (const OwnStream& stream : streams_) {
      must("cuStreamWaitValue64", driver().waitValue64(stream, gate_.at(0), 1, kGreaterOrEqual));
      received_.push_back(crew.endpoint(1, 0)->tagRecv(&in_, sizeof in_, kArmed));
      sent_.push_back(crew.endpoint(0, 1)
                          ->tagSendBuilder(&out_, sizeof out_, kArmed)
                          .condition(ucxx::Condition::stream(stream, {.caller_progresses = true}))
                          .build());
    }
  }
  ~Armed() {
    gate_[0] = 1;
    for (const auto* requests : {&received_, &sent_})
      for (const auto& request : *requests) crew_.finish(request);
    for (const OwnStream& stream : streams_) drains("a stream that waits", stream);
  }
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;

 private:
  const Crew& crew_;
  const Words gate_;
  Word out_ = 1, in_ = 0;
  const std::array<OwnStream, kStreams> streams_;
  std::vector<std::shared_ptr<ucxx::Request>> received_, sent_;
};

void tellHostTag() {
  std::vector<double> before;
  const Crew crew(2, {});
  halfTrip(crew);  // warms up
  for (int round = 0; round < repetitions(); ++round) before.push_back(halfTrip(crew));
  warmUp();
  Comparison ways;
  ways.add("after", [&] { return halfTrip(crew); });
  ways.add("armed", [&] {
    const Armed armed(crew);
    return halfTrip(crew);
  });
  ways.run(repetitions());
  auto row = ways.spreads();
  const auto spread = spreadOf(before);
  row["before"] = spread;
  const double first = spread["median"];
  for (const char* way : {"after", "armed"})
    row[std::string(way) + "_more_than_before"] = row[way]["median"].get<double>() - first;
  row["at_most_more"] = kMostMore;
  fact("host tag of 8 B, half a round trip", row, "ns");
}

}  // namespace

void benchHostTag() { step("host tag", tellHostTag, kLimit); }

}  // namespace gpu::bench
