// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// When two workers of one machine use the local channel, and when not.

#include <string>

#include "core/met.h"

namespace ucxx::core::test {
namespace {

constexpr Tag kLocalTag{7};

class LocalTest : public testing::TestWithParam<bool> {};

TEST_P(LocalTest, IsUsedWhereBothCan) {
  Met met("auto", "auto", GetParam());
  ASSERT_TRUE(met.talks());
  EXPECT_TRUE(met.isLocal());
  EXPECT_EQ(met.there->nativeHandle(), nullptr);
  const std::uint16_t port = GetParam() ? met.listener->getPort() : 0;
  EXPECT_EQ(met.there->getPeerAddress(), "127.0.0.1:" + std::to_string(port));
}

TEST_P(LocalTest, IsNotUsedWhereOneCannot) {
  for (const auto& [left, right] : {std::pair{"auto", "off"}, {"off", "auto"}, {"off", "off"}}) {
    SCOPED_TRACE(std::string(left) + " " + right);
    Met met(left, right, GetParam());
    ASSERT_TRUE(met.talks());
    EXPECT_FALSE(met.isLocal());
    for (const auto& [worker, local] : {std::pair{met.left, left}, {met.right, right}}) {
      const std::string why = std::string(local) == "off"
                                  ? "UCXX_LOCAL=off"
                                  : "the peer does not use the local channel";
      EXPECT_TRUE(says(worker, "UCX channel (" + why + ")")) << worker->describe();
    }
  }
}

TEST_P(LocalTest, PeerCostsThreeDescriptorsEachSide) {
  Met first("auto", "auto", GetParam());
  ASSERT_TRUE(first.talks());
  auto left = workerWith("auto");
  const auto address = first.right->getAddress();
  while (left->progress()) {
  }
  const std::size_t before = openDescriptors();
  auto endpoint = left->createEndpointFromWorkerAddress(address);
  const int out = 1;
  int in = 0;
  auto send = endpoint->tagSend(&out, sizeof out, kLocalTag);
  ASSERT_TRUE(compat::ended({left, first.right},
                            {send, first.right->tagRecv(&in, sizeof in, kLocalTag, TagMaskFull)}));
  EXPECT_EQ(openDescriptors(), before + 6);
}

INSTANTIATE_TEST_SUITE_P(By, LocalTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "Name" : "Address"; });

TEST(LocalOptionTest, WrongValueIsNamed) {
  try {
    (void)createContext({{"UCXX_LOCAL", "perhaps"}});
    FAIL() << "no exception";
  } catch (const InvalidParamError& error) {
    EXPECT_NE(std::string(error.what()).find("perhaps"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ucxx::core::test
