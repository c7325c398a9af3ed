// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// When two workers of one machine use the local channel, and when not.

#include <string>

#include "core/operations.h"

namespace ucxx::core::test {
namespace {

constexpr Tag kTag{7};

std::shared_ptr<Worker> workerWith(const char* local) {
  return createContext({{"UCXX_LOCAL", local}})->createWorker();
}

/// Two workers that have met, by address or by name.
struct Met {
  Met(const char* left_local, const char* right_local, bool by_name)
      : left(workerWith(left_local)), right(workerWith(right_local)) {
    if (by_name) {
      listener = right->createListener(
          0,
          [](ucp_conn_request_h request, void* self) {
            auto& met = *static_cast<Met*>(self);
            met.back = met.listener->createEndpointFromConnRequest(request);
          },
          this);
      there = left->createEndpointFromHostname("127.0.0.1", listener->getPort());
    } else {
      there = left->createEndpointFromWorkerAddress(right->getAddress());
      back = right->createEndpointFromWorkerAddress(left->getAddress());
    }
  }
  /// A message each way has arrived.
  bool talks() {
    if (!compat::until({left, right}, [&] { return back != nullptr; })) return false;
    const int out = 42;
    int in[2] = {0, 0};
    const Requests requests{there->tagSend(&out, sizeof out, kTag),
                            back->tagSend(&out, sizeof out, kTag),
                            left->tagRecv(&in[0], sizeof out, kTag, TagMaskFull),
                            right->tagRecv(&in[1], sizeof out, kTag, TagMaskFull)};
    return compat::ended({left, right}, requests) && in[0] == 42 && in[1] == 42;
  }
  bool isLocal() const {
    const bool is_local = there->getTransports().front().transport == "local";
    EXPECT_EQ(back->getTransports().front().transport == "local", is_local);
    return is_local;
  }

  std::shared_ptr<Worker> left, right;
  std::shared_ptr<Listener> listener;
  std::shared_ptr<Endpoint> there, back;
};

class LocalTest : public testing::TestWithParam<bool> {};

TEST_P(LocalTest, IsUsedWhereBothCan) {
  Met met("auto", "auto", GetParam());
  ASSERT_TRUE(met.talks());
  EXPECT_TRUE(met.isLocal());
  EXPECT_EQ(met.there->nativeHandle(), nullptr);
  EXPECT_EQ(met.there->getPeerAddress(), "127.0.0.1:0");
}

TEST_P(LocalTest, IsNotUsedWhereOneCannot) {
  for (const auto& [left, right] : {std::pair{"auto", "off"}, {"off", "auto"}, {"off", "off"}}) {
    SCOPED_TRACE(std::string(left) + " " + right);
    Met met(left, right, GetParam());
    ASSERT_TRUE(met.talks());
    EXPECT_FALSE(met.isLocal());
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
  auto send = endpoint->tagSend(&out, sizeof out, kTag);
  ASSERT_TRUE(compat::ended({left, first.right},
                            {send, first.right->tagRecv(&in, sizeof in, kTag, TagMaskFull)}));
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
