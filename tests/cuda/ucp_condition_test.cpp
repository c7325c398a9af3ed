// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The proposed UCP interface: conditions, and transfers that wait for them.

#include <atomic>
#include <thread>
#include <vector>

#include <ucxx/cuda/device.h>

#include "cuda/ucp_calls.h"

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): names of C
int ucxx_test_names_of_c(void);
ucs_status_ptr_t ucxx_test_send_of_c(ucp_ep_h endpoint, const void* buffer, size_t count,
                                     ucp_tag_t tag, ucp_condition_h condition, void* user_data,
                                     ucp_send_nbx_callback_t callback);
// NOLINTEND(readability-identifier-naming)
}

namespace ucxx::cuda::test {
namespace {

class UcpConditionTest : public UcpTest {
 protected:
  void refusesParam(const char* word, const ucp_condition_param_t& wrong) {
    refuses(UCS_ERR_INVALID_PARAM, word, [&] {
      ucp_condition_param_t param = wrong;
      ucp_condition_h condition = nullptr;
      const ucs_status_t status = ucp_create_condition(&param, &condition);
      EXPECT_EQ(condition, nullptr);
      return status;
    });
  }
  static ucp_condition_param_t of(ucp_condition_category_t category) {
    ucp_condition_param_t param{};
    param.category = category;
    return param;
  }
};

TEST_F(UcpConditionTest, RefusesParametersWithOneLine) {
  refusesParam("there is no category 0", {});
  refusesParam("there is no category 4", of(static_cast<ucp_condition_category_t>(4)));
  refusesParam("with context null", of(UCP_CONDITION_CATEGORY_STREAM));
  refusesParam("without graph", of(UCP_CONDITION_CATEGORY_GRAPH));
  ucp_condition_param_t param = of(UCP_CONDITION_CATEGORY_KERNEL_TRIGGERED);
  param.flags = 6;
  refusesParam("flags 0x6", param);
  Handle none = nullptr;
  param = of(UCP_CONDITION_CATEGORY_STREAM);
  param.context = &none;
  refusesParam("ucp_create_condition", param);
  refuses(UCS_ERR_INVALID_PARAM, "condition is null",
          [&] { return ucp_create_condition(&param, nullptr); });
  ucp_condition_h condition = nullptr;
  refuses(UCS_ERR_INVALID_PARAM, "param is null",
          [&] { return ucp_create_condition(nullptr, &condition); });
}

TEST_F(UcpConditionTest, RefusesPostsWithOneLine) {
  std::uint64_t to = 0;
  const ucxx_request_param_t plain{};
  refuses(UCS_ERR_INVALID_PARAM, "ucp_tag_send_nbx: the endpoint",
          [&] { return statusIn(ucp_tag_send_nbx(nullptr, &kFrom, 8, kTag, &plain)); });
  refuses(UCS_ERR_INVALID_PARAM, "ucp_tag_recv_nbx: the worker",
          [&] { return statusIn(ucp_tag_recv_nbx(nullptr, &to, 8, kTag, TagMaskFull, &plain)); });
  refuses(UCS_ERR_INVALID_PARAM, "param is null",
          [&] { return statusIn(ucp_tag_send_nbx(left(), &kFrom, 8, kTag, nullptr)); });
  refuses(UCS_ERR_INVALID_PARAM, "the condition", [&] { return statusIn(send(with(nullptr))); });
  const ucp_condition_h destroyed = ofStream();
  ucp_destroy_condition(destroyed);
  refuses(UCS_ERR_INVALID_PARAM, "was destroyed", [&] { return statusIn(send(with(destroyed))); });
  ucxx_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE;
  param.datatype = UCP_DATATYPE_STRIDED;
  refuses(UCS_ERR_UNSUPPORTED, "is not contiguous", [&] { return statusIn(send(param)); });
  param.op_attr_mask = UCP_OP_ATTR_FIELD_REQUEST;
  refuses(UCS_ERR_UNSUPPORTED, "a request of the caller's", [&] { return statusIn(send(param)); });
}

TEST_F(UcpConditionTest, ASendLeavesWhenItsStreamGetsThere) {
  streams_.shut();
  const ucp_condition_h condition = ofStream();
  const ucs_status_ptr_t sent = send(with(condition));
  ucp_destroy_condition(condition);  // right after the post
  ASSERT_TRUE(UCS_PTR_IS_PTR(sent));
  EXPECT_EQ(ucxx_request_wait_on(sent, streams_.stream), UCS_OK);
  streams_.write(1);
  std::uint64_t to = 0;
  const ucs_status_ptr_t received = receive(to);
  EXPECT_EQ(ucp_request_check_status(sent), UCS_INPROGRESS);
  streams_.open();
  EXPECT_EQ(endOf(sent), UCS_OK);
  EXPECT_EQ(endOf(received), UCS_OK);
  EXPECT_EQ(to, kFrom);
  ASSERT_TRUE(drains("the stream", streams_.stream));
  EXPECT_TRUE(streams_.isWritten(1));
}

TEST_F(UcpConditionTest, CancelEndsWhatWaits) {
  streams_.shut();
  const ucp_condition_h condition = ofStream();
  const ucs_status_ptr_t sent = send(with(condition));
  ucp_request_cancel(worker_, sent);
  EXPECT_EQ(endOf(sent), UCS_ERR_CANCELED);
  refuses(UCS_ERR_INVALID_PARAM, "or was freed", [&] { return ucp_request_check_status(sent); });
  const std::size_t before = lines_.with("ucp_request_free");
  ucp_request_free(sent);  // a second time
  EXPECT_EQ(lines_.with("ucp_request_free"), before + 1);
  ucp_destroy_condition(condition);
  EXPECT_EQ(ucp_destroy_condition(nullptr), UCS_OK);
  refuses(UCS_ERR_INVALID_PARAM, "ucp_destroy_condition: the condition is none",
          [&] { return ucp_destroy_condition(condition); });
}

TEST_F(UcpConditionTest, NullAndStatusPointersAreRequestsThatHaveEnded) {
  EXPECT_EQ(ucp_request_check_status(nullptr), UCS_OK);
  EXPECT_EQ(ucxx_request_wait_on(nullptr, streams_.stream), UCS_OK);
  void* const failed = UCS_STATUS_PTR(UCS_ERR_TIMED_OUT);
  EXPECT_EQ(ucp_request_check_status(failed), UCS_ERR_TIMED_OUT);
  EXPECT_EQ(ucxx_request_wait_on(failed, streams_.stream), UCS_ERR_TIMED_OUT);
  ucp_request_cancel(worker_, failed);
  ucp_request_free(nullptr);
}

TEST_F(UcpConditionTest, ACaptureTakesRequestsThatHaveEnded) {
  std::uint64_t to = 0, never = 0;
  const ucs_status_ptr_t ended = receive(to), pending = receive(never);
  EXPECT_EQ(endOf(send({})), UCS_OK);
  ASSERT_TRUE(
      streams_.ends.until([&] { return ucp_request_check_status(ended) != UCS_INPROGRESS; }));
  Launches launches(streams_.stream);
  launches.begin();
  EXPECT_EQ(ucxx_request_wait_on(nullptr, streams_.stream), UCS_OK);
  EXPECT_EQ(ucxx_request_wait_on(ended, streams_.stream), UCS_OK);
  refuses(UCS_ERR_UNSUPPORTED, "ucxx_request_wait_on",
          [&] { return ucxx_request_wait_on(pending, streams_.stream); });
  launches.finish();
  EXPECT_EQ(endOf(ended), UCS_OK);
  ucp_request_cancel(worker_, pending);
  EXPECT_EQ(endOf(pending), UCS_ERR_CANCELED);
}

TEST_F(UcpConditionTest, AKernelsConditionEndsOnceAndIsNotReused) {
  ucp_condition_param_t param = of(UCP_CONDITION_CATEGORY_KERNEL_TRIGGERED);
  const ucp_condition_h condition = make(param);
  auto* const handle = static_cast<device::Handle*>(param.context);
  ASSERT_NE(handle, nullptr);
  std::uint64_t to = 0;
  const ucs_status_ptr_t received = receive(to);
  const ucs_status_ptr_t sent = send(with(condition));
  device::trigger(handle);  // this thread stands for a kernel
  EXPECT_EQ(endOf(received), UCS_OK);
  EXPECT_EQ(endOf(sent), UCS_OK);
  refuses(UCS_ERR_INVALID_PARAM, "its condition was triggered already",
          [&] { return statusIn(send(with(condition))); });
  ucp_destroy_condition(condition);
}

TEST_F(UcpConditionTest, ADestroyedConditionOfAKernelLivesUntilItsRequestIsFreed) {
  ucp_condition_param_t param = of(UCP_CONDITION_CATEGORY_KERNEL_TRIGGERED);
  const ucp_condition_h condition = make(param);
  auto* const handle = static_cast<device::Handle*>(param.context);
  const ucs_status_ptr_t sent = send(with(condition));
  ucp_destroy_condition(condition);
  EXPECT_EQ(ucp_request_check_status(sent), UCS_INPROGRESS);
  std::uint64_t to = 0;
  const ucs_status_ptr_t received = receive(to);
  device::trigger(handle);
  EXPECT_EQ(device::wait(handle, 1), UCS_OK);
  EXPECT_EQ(endOf(received), UCS_OK);
  EXPECT_EQ(endOf(sent), UCS_OK);
}

TEST_F(UcpConditionTest, ACallbackInCHasTheRequestAndItsData) {
  struct Seen {
    std::atomic<void*> request{nullptr};
    ucs_status_t status = UCS_INPROGRESS;
    std::atomic<int> calls{0};
  } seen;
  EXPECT_EQ(ucxx_test_names_of_c(), 1);
  streams_.shut();
  const ucp_condition_h condition = ofStream();
  const ucs_status_ptr_t sent =
      ucxx_test_send_of_c(left(), &kFrom, 8, kTag, condition, &seen,
                          [](void* request, ucs_status_t status, void* data) {
                            auto& its = *static_cast<Seen*>(data);
                            its.status = status;
                            its.request = request;
                            ++its.calls;
                          });
  ucp_destroy_condition(condition);
  std::uint64_t to = 0;
  const ucs_status_ptr_t received = receive(to);
  streams_.open();
  EXPECT_EQ(endOf(received), UCS_OK);
  ASSERT_TRUE(streams_.ends.until([&] { return seen.calls == 1; }));
  EXPECT_EQ(seen.request, sent);
  EXPECT_EQ(seen.status, UCS_OK);
  EXPECT_EQ(endOf(sent), UCS_OK);
}

TEST_F(UcpConditionTest, AReceiveTellsTagAndLength) {
  std::uint64_t to = 0;
  const ucs_status_ptr_t received = receive(to);
  const ucs_status_ptr_t sent = send({});
  ucp_tag_recv_info_t info{};
  ASSERT_TRUE(streams_.ends.until(
      [&] { return ucp_tag_recv_request_test(received, &info) != UCS_INPROGRESS; }));
  EXPECT_EQ(info.sender_tag, kTag);
  EXPECT_EQ(info.length, 8);
  EXPECT_EQ(endOf(received), UCS_OK);
  EXPECT_EQ(endOf(sent), UCS_OK);
}

TEST_F(UcpConditionTest, ANodeLivesAsLongAsItsGraph) {
  Launches launches(streams_.stream);
  launches.make();
  ucp_condition_param_t param = of(UCP_CONDITION_CATEGORY_GRAPH);
  param.graph = launches.graph();
  const ucp_condition_h condition = make(param);
  EXPECT_EQ(param.context, nullptr);
  std::uint64_t to = 0;
  const ucs_status_ptr_t received = receive(to, with(condition));
  ucp_destroy_condition(condition);
  ASSERT_TRUE(UCS_PTR_IS_PTR(received));
  ASSERT_NE(param.context, nullptr);
  const auto* const place = static_cast<base::cuda::Node*>(param.context);
  const base::cuda::Node node = *place;
  for (std::uint64_t launch = 1; launch <= 3; ++launch) {
    launches.launch();
    EXPECT_EQ(endOf(send({}, launch)), UCS_OK);
    ASSERT_TRUE(launches.done());
    EXPECT_EQ(to, launch);
    EXPECT_EQ(*place, node);
  }
  int type = 0;
  EXPECT_EQ(driver().nodeType(*place, &type), base::cuda::kSuccess);
  EXPECT_EQ(type, base::cuda::kBatchNodeType);
  EXPECT_EQ(ucp_request_check_status(received), UCS_INPROGRESS);
  launches.end();
  EXPECT_EQ(endOf(received), UCS_OK);
}

/// A receive whose callback posts on an endpoint of another worker, while that worker's callback
/// does likewise.
struct Crossing {
  static constexpr Tag kAnswer{0x58};
  static constexpr std::uint64_t kSent = 7;

  static void onEnd(void*, ucs_status_t, const ucp_tag_recv_info_t*, void* data) {
    auto& its = *static_cast<Crossing*>(data);
    ++*its.inside;
    EXPECT_TRUE(in(compat::kDeadline, [&] { return *its.inside == 2; }));
    const ucxx_request_param_t plain{};
    its.sent = ucp_tag_send_nbx(its.endpoint, &its.value, 8, kAnswer, &plain);
    its.is_done = true;
  }
  ucs_status_ptr_t receiveAt(ucp_worker_h worker, Tag tag) {
    ucxx_request_param_t param{};
    param.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
    param.cb.recv = onEnd;
    param.user_data = this;
    return ucp_tag_recv_nbx(worker, &value, 8, tag, TagMaskFull, &param);
  }

  std::atomic<int>* inside;
  ucp_ep_h endpoint;
  std::uint64_t value = kSent;
  ucs_status_ptr_t sent = nullptr;
  std::atomic<bool> is_done{false};
};

TEST_F(UcpConditionTest, CallbacksOfTwoWorkersPostOnEachOthersEndpoints) {
  std::atomic<int> inside{0};
  Crossing at_left{&inside, right()}, at_right{&inside, left()};  // their first posts
  const core::test::Ends& ends = streams_.ends;
  std::uint64_t answers[2]{};
  const core::test::Requests all{
      ends.left_worker->tagRecv(&answers[0], 8, Crossing::kAnswer, TagMaskFull),
      ends.right_worker->tagRecv(&answers[1], 8, Crossing::kAnswer, TagMaskFull)};
  const ucp_worker_h left_worker = ends.left_worker->getHandle();
  const ucs_status_ptr_t receives[]{at_left.receiveAt(left_worker, kTag),
                                    at_right.receiveAt(worker_, kTag)};
  // Which calls the callbacks, perhaps in its call.
  std::thread other([&] { ucp_request_cancel(left_worker, receives[0]); });
  ucp_request_cancel(worker_, receives[1]);
  other.join();
  ASSERT_TRUE(ends.until([&] { return at_left.is_done && at_right.is_done; }));
  EXPECT_TRUE(ends.ended(all));
  for (const ucs_status_ptr_t each : {at_left.sent, at_right.sent}) EXPECT_EQ(endOf(each), UCS_OK);
  for (const ucs_status_ptr_t each : receives) EXPECT_EQ(endOf(each), UCS_ERR_CANCELED);
  for (const std::uint64_t answer : answers) EXPECT_EQ(answer, Crossing::kSent);
}

/// A worker that UCX made, and no `ucxx::Worker`.
TEST_F(UcpConditionTest, WhatIsUcxsGoesToUcx) {
  ucp_params_t features{};
  features.field_mask = UCP_PARAM_FIELD_FEATURES;
  features.features = UCP_FEATURE_TAG;
  ucp_context_h context = nullptr;
  ASSERT_EQ(ucp_init(&features, nullptr, &context), UCS_OK);
  ucp_worker_params_t params{};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = UCS_THREAD_MODE_SINGLE;
  ucp_worker_h foreign = nullptr;
  ASSERT_EQ(ucp_worker_create(context, &params, &foreign), UCS_OK);
  std::uint64_t to = 0;
  const ucp_request_param_t plain{};
  const ucs_status_ptr_t received = ucp_tag_recv_nbx(foreign, &to, 8, kTag, TagMaskFull, &plain);
  ASSERT_TRUE(UCS_PTR_IS_PTR(received));
  EXPECT_EQ(ucp_request_check_status(received), UCS_INPROGRESS);
  refuses(UCS_ERR_UNSUPPORTED, "is UCX's own",
          [&] { return ucxx_request_wait_on(received, streams_.stream); });
  ucp_request_cancel(foreign, received);
  EXPECT_TRUE(streams_.ends.until([&] {
    ucp_worker_progress(foreign);
    return ucp_request_check_status(received) != UCS_INPROGRESS;
  }));
  EXPECT_EQ(ucp_request_check_status(received), UCS_ERR_CANCELED);
  ucp_request_free(received);
  const ucp_condition_h condition = ofStream();
  const ucxx_request_param_t param = with(condition);
  refuses(UCS_ERR_UNSUPPORTED, "a condition with a handle of UCX's own",
          [&] { return statusIn(ucp_tag_recv_nbx(foreign, &to, 8, kTag, TagMaskFull, &param)); });
  ucp_destroy_condition(condition);
  ucp_worker_destroy(foreign);
  ucp_cleanup(context);
}

}  // namespace
}  // namespace ucxx::cuda::test
