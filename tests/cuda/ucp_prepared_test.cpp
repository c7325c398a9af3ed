// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The proposed UCP interface: prepared transfers.

#include <array>
#include <atomic>
#include <vector>

#include "cuda/ucp_calls.h"

namespace ucxx::cuda::test {
namespace {

constexpr std::size_t kPartitions = 4;
using Storage = std::array<char, UCP_PREPARED_MEMH_SIZE>;

class UcpPreparedTest : public UcpTest {
 protected:
  static ucp_buffer_param_t param(ucp_buffer_direction_t direction,
                                  std::vector<std::uint64_t>& data) {
    ucp_buffer_param_t made{};
    made.field_mask = UCP_BUFFER_PARAM_FIELD_BUFFER | UCP_BUFFER_PARAM_FIELD_LENGTH |
                      UCP_BUFFER_PARAM_FIELD_TAG | UCP_BUFFER_PARAM_FIELD_DIRECTION |
                      UCP_BUFFER_PARAM_FIELD_PARTITIONS | UCP_BUFFER_PARAM_FIELD_MEMH_SIZE;
    made.buffer = data.data();
    made.length = data.size() * sizeof data[0];
    made.tag = kTag;
    made.direction = direction;
    made.partitions = kPartitions;
    made.memh_size = UCP_PREPARED_MEMH_SIZE;
    return made;
  }
  void refusesBuffer(ucs_status_t status, const char* word, const ucp_buffer_param_t& wrong) {
    refuses(status, word, [&] {
      Storage storage{};
      return ucp_prepare_transfers(left(), storage.data(), &wrong);
    });
  }
  std::vector<std::uint64_t> out_ = std::vector<std::uint64_t>(64);
  std::vector<std::uint64_t> in_ = std::vector<std::uint64_t>(64);
};

TEST_F(UcpPreparedTest, RefusesWithOneLine) {
  const ucp_buffer_param_t right_one = param(UCP_BUFFER_SEND, out_);
  ucp_buffer_param_t wrong = right_one;
  wrong.memh_size = UCP_PREPARED_MEMH_SIZE - 1;
  refusesBuffer(UCS_ERR_BUFFER_TOO_SMALL, "storage of 63 bytes", wrong);
  wrong = right_one;
  wrong.field_mask &= ~std::uint64_t{UCP_BUFFER_PARAM_FIELD_TAG};
  refusesBuffer(UCS_ERR_INVALID_PARAM, "the tag has to be said", wrong);
  wrong = right_one;
  wrong.field_mask |= 128;
  refusesBuffer(UCS_ERR_INVALID_PARAM, "has bits beyond 0x7f", wrong);
  wrong = right_one;
  wrong.direction = static_cast<ucp_buffer_direction_t>(3);
  refusesBuffer(UCS_ERR_INVALID_PARAM, "there is no direction 3", wrong);
  wrong = right_one;
  wrong.partitions = 0;
  refusesBuffer(UCS_ERR_INVALID_PARAM, "ucp_prepare_transfers", wrong);
  Storage storage{};
  refuses(UCS_ERR_INVALID_PARAM, "prepared_memh is null",
          [&] { return ucp_prepare_transfers(left(), nullptr, &right_one); });
  refuses(UCS_ERR_INVALID_PARAM, "param is null",
          [&] { return ucp_prepare_transfers(left(), storage.data(), nullptr); });
  refuses(UCS_ERR_INVALID_PARAM, "the endpoint",
          [&] { return ucp_prepare_transfers(nullptr, storage.data(), &right_one); });
  for (void* const nothing : {static_cast<void*>(storage.data()), static_cast<void*>(nullptr)}) {
    refuses(UCS_ERR_INVALID_PARAM, "ucp_prepared_start: nothing is prepared",
            [&] { return ucp_prepared_start(nothing); });
    refuses(UCS_ERR_INVALID_PARAM, "ucp_prepared_test: nothing is prepared",
            [&] { return ucp_prepared_test(nothing); });
    EXPECT_EQ(ucp_prepared_handle(nothing), nullptr);
  }
}

TEST_F(UcpPreparedTest, IterationsBringAllPartitions) {
  Storage sends{}, receives{};
  const ucp_buffer_param_t from = param(UCP_BUFFER_SEND, out_), to = param(UCP_BUFFER_RECV, in_);
  ASSERT_EQ(ucp_prepare_transfers(left(), sends.data(), &from), UCS_OK);
  ASSERT_EQ(ucp_prepare_transfers(right(), receives.data(), &to), UCS_OK);
  for (std::uint64_t round = 1; round <= 3; ++round) {
    EXPECT_EQ(ucp_prepared_start(receives.data()), UCS_OK);
    EXPECT_EQ(ucp_prepared_start(sends.data()), UCS_OK);
    EXPECT_EQ(ucp_prepared_test(sends.data()), UCS_INPROGRESS);
    out_.assign(out_.size(), round);
    EXPECT_EQ(ucp_prepared_ready(sends.data(), 0, 1), UCS_OK);
    EXPECT_EQ(ucp_prepared_ready(sends.data(), 1, kPartitions - 1), UCS_OK);
    for (Storage* const each : {&sends, &receives}) {
      ASSERT_TRUE(
          streams_.ends.until([&] { return ucp_prepared_test(each->data()) != UCS_INPROGRESS; }));
      EXPECT_EQ(ucp_prepared_test(each->data()), UCS_OK);
    }
    EXPECT_EQ(in_, std::vector<std::uint64_t>(in_.size(), round));
  }
  refuses(UCS_ERR_INVALID_PARAM, "ucp_prepared_ready: it receives",
          [&] { return ucp_prepared_ready(receives.data(), 0, 1); });
  refuses(UCS_ERR_INVALID_PARAM, "ucp_prepared_ready",
          [&] { return ucp_prepared_ready(sends.data(), kPartitions, 1); });
  refuses(UCS_ERR_INVALID_PARAM, "it was prepared on the endpoint",
          [&] { return ucp_release_preparations(right(), sends.data()); });
  Storage moved = sends;  // the storage may be copied
  EXPECT_EQ(ucp_release_preparations(left(), moved.data()), UCS_OK);
  refuses(UCS_ERR_INVALID_PARAM, "ucp_release_preparations: nothing is prepared",
          [&] { return ucp_release_preparations(left(), sends.data()); });
  EXPECT_EQ(ucp_release_preparations(right(), receives.data()), UCS_OK);
}

TEST_F(UcpPreparedTest, ASecondStartIsRefused) {
  Storage sends{};
  const ucp_buffer_param_t from = param(UCP_BUFFER_SEND, out_);
  ASSERT_EQ(ucp_prepare_transfers(left(), sends.data(), &from), UCS_OK);
  EXPECT_EQ(ucp_prepared_start(sends.data()), UCS_OK);
  refuses(UCS_ERR_INVALID_PARAM, "ucp_prepared_start",
          [&] { return ucp_prepared_start(sends.data()); });
  EXPECT_EQ(ucp_release_preparations(left(), sends.data()), UCS_OK);
}

TEST_F(UcpPreparedTest, StorageThatHoldsOneIsRefused) {
  Storage sends{};
  const ucp_buffer_param_t from = param(UCP_BUFFER_SEND, out_);
  ASSERT_EQ(ucp_prepare_transfers(left(), sends.data(), &from), UCS_OK);
  Storage copy = sends;
  for (Storage* const each : {&sends, &copy})
    refuses(UCS_ERR_INVALID_PARAM, "holds a prepared transfer; release that first",
            [&] { return ucp_prepare_transfers(left(), each->data(), &from); });
  EXPECT_EQ(ucp_prepared_test(sends.data()), UCS_OK);
  EXPECT_EQ(ucp_release_preparations(left(), sends.data()), UCS_OK);
  ASSERT_EQ(ucp_prepare_transfers(left(), copy.data(), &from), UCS_OK);
  EXPECT_EQ(ucp_release_preparations(left(), copy.data()), UCS_OK);
}

/// What a callback of the worker that has the plan is told.
struct Releasing {
  ucp_ep_h endpoint;
  void* storage;
  std::atomic<ucs_status_t> status{UCS_INPROGRESS};
};

TEST_F(UcpPreparedTest, ACallbackOfItsWorkerIsRefusedAtOnce) {
  Storage receives{};
  const ucp_buffer_param_t to = param(UCP_BUFFER_RECV, in_);
  ASSERT_EQ(ucp_prepare_transfers(right(), receives.data(), &to), UCS_OK);
  Releasing releasing{right(), receives.data()};
  ucxx_request_param_t with_callback{};
  with_callback.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  with_callback.user_data = &releasing;
  with_callback.cb.recv = [](void*, ucs_status_t, const ucp_tag_recv_info_t*, void* data) {
    auto& its = *static_cast<Releasing*>(data);
    its.status = ucp_release_preparations(its.endpoint, its.storage);
  };
  std::uint64_t word = 0;
  const ucs_status_ptr_t received = receive(word, with_callback);
  EXPECT_EQ(endOf(send({})), UCS_OK);
  ASSERT_TRUE(streams_.ends.until([&] { return releasing.status != UCS_INPROGRESS; }));
  EXPECT_EQ(releasing.status, UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(lines_.with("ucp_release_preparations: called in a callback of its worker"), 1);
  EXPECT_EQ(endOf(received), UCS_OK);
  EXPECT_EQ(ucp_release_preparations(right(), receives.data()), UCS_OK);
}

}  // namespace
}  // namespace ucxx::cuda::test
