// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// UCX refuses a message: its number is missing at the peer for ever, so the link ends with it.

#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/hostile_peer.h"

namespace ucxx::sim {
namespace {

struct Kind {
  const char* name;
  std::function<std::shared_ptr<Request>(Endpoint&, std::vector<std::byte>&)> send;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"Tag", [](Endpoint& to,
                 std::vector<std::byte>& bytes) { return to.tagSend(bytes.data(), 8, Tag{1}); }},
      {"TagWithCallback",
       [](Endpoint& to, std::vector<std::byte>& bytes) {
         return to.tagSend(bytes.data(), 8, Tag{1}, false,
                           [](ucs_status_t, std::shared_ptr<void>) {});
       }},
      {"AnnouncedTag",
       [](Endpoint& to, std::vector<std::byte>& bytes) {
         return to.tagSend(bytes.data(), bytes.size(), Tag{1});
       }},
      {"Am",
       [](Endpoint& to, std::vector<std::byte>& bytes) {
         return to.amSend(bytes.data(), 8, UCS_MEMORY_TYPE_HOST);
       }},
      {"Stream",
       [](Endpoint& to, std::vector<std::byte>& bytes) {
         return to.streamSend(bytes.data(), 8, false);
       }},
      {"Multi",
       [](Endpoint& to, std::vector<std::byte>& bytes) {
         return to.tagMultiSend({bytes.data(), bytes.data()}, {8, 2000}, {0, 0}, Tag{1});
       }},
  };
  return all;
}

class RefusalTest : public testing::TestWithParam<std::tuple<std::size_t, bool>> {
 protected:
  HostilePeer peer_{WorkerOptions{}};
  std::vector<std::byte> bytes_ = std::vector<std::byte>(100'000);
};

TEST_P(RefusalTest, EndsTheLink) {
  const auto [kind, at_once] = GetParam();
  peer_.send(peer_.next(core::MessageKind::Credit));
  peer_.progress();
  const auto receive = peer_.ends[1]->amRecv();
  const auto before = peer_.ends[0]->tagRecv(bytes_.data(), 8, Tag{3}, TagMaskFull);
  peer_.world.network->refusal = UCS_ERR_NO_MEMORY;
  peer_.world.network->refuses_at_once = at_once;
  const auto sent = kinds()[kind].send(*peer_.ends[0], bytes_);
  for (int i = 0; i < 1000 && !receive->isCompleted(); ++i) peer_.progress();
  EXPECT_TRUE(UCS_STATUS_IS_ERR(sent->getStatus())) << sent->getStatus();
  EXPECT_EQ(receive->getStatus(), UCS_ERR_NO_MEMORY);
  EXPECT_EQ(before->getStatus(), UCS_ERR_NO_MEMORY);
  EXPECT_FALSE(peer_.isLinked());
  EXPECT_FALSE(peer_.ends[0]->isAlive());
  peer_.end();
  EXPECT_TRUE(peer_.world.complaints.empty()) << peer_.world.complaints.front();
}

INSTANTIATE_TEST_SUITE_P(All, RefusalTest,
                         testing::Combine(testing::Range<std::size_t>(0, kinds().size()),
                                          testing::Bool()),
                         [](const auto& info) {
                           return std::string(kinds()[std::get<0>(info.param)].name) +
                                  (std::get<1>(info.param) ? "AtOnce" : "Later");
                         });

}  // namespace
}  // namespace ucxx::sim
