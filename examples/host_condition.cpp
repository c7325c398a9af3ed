// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Transfers that are posted now and start later: a thread fills a buffer and triggers a condition,
// again and again; what is sent then was posted once.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

#include <ucxx/api.h>

namespace {

constexpr ucxx::Tag kTag{1};
constexpr int kTimes = 3;

}  // namespace

int main() {
  auto worker = ucxx::createContext()->createWorker();
  worker->startProgressThread();
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());

  std::vector<std::uint64_t> data(1000);
  ucxx::ConditionOptions options;
  options.repeat = true;
  auto filled = ucxx::Condition::host(options);
  auto send = endpoint->tagSendBuilder(data.data(), data.size() * sizeof data[0], kTag)
                  .condition(filled)
                  .build();  // nothing leaves yet

  std::thread producer([&] {
    for (std::uint64_t time = 1; time <= kTimes; ++time) {
      for (auto& one : data) one = time;
      filled.trigger();   // now it leaves
      filled.wait(time);  // the buffer may be filled again
    }
  });

  std::uint64_t sum = 0;
  for (int time = 0; time < kTimes; ++time) {
    std::vector<std::uint64_t> room(data.size());
    endpoint->tagRecv(room.data(), room.size() * sizeof room[0], kTag)->wait();
    sum += room.front() + room.back();
  }
  producer.join();
  filled.close();  // ends the request
  send->wait();
  std::printf("triggered %d times; the sum is %llu\n", kTimes,
              static_cast<unsigned long long>(sum));
  return sum == 12 && send->getStatus() == UCS_OK ? 0 : 1;
}
