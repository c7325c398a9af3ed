// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The proposed UCP interface: handles whose objects have ended, what is UCX's own, and what is not
// offered.

#include <optional>
#include <vector>

#include "cuda/ucp_rig.h"

extern "C" {
// NOLINTBEGIN(readability-identifier-naming): names of C
int ucxx_test_types_as_proposed(void);
ucs_status_ptr_t ucxx_test_send_as_proposed(ucp_ep_h ep, const void* buffer, size_t count,
                                            ucp_tag_t tag, void* cuda_stream);
ucs_status_t ucxx_test_not_offered_in_c(ucp_ep_h ep, ucp_worker_h worker, void* request);
// NOLINTEND(readability-identifier-naming)
}

namespace ucxx::cuda::test {
namespace {

const ucxx_request_param_t kPlain{};

/// A worker that UCX made, and no `ucxx::Worker`.
struct Foreign {
  Foreign() {
    ucp_params_t features{};
    features.field_mask = UCP_PARAM_FIELD_FEATURES;
    features.features = UCP_FEATURE_TAG | UCP_FEATURE_AM | UCP_FEATURE_RMA | UCP_FEATURE_AMO64;
    EXPECT_EQ(ucp_init(&features, nullptr, &context), UCS_OK);
    worker = makeWorker();
    ucp_address_t* address = nullptr;
    std::size_t length = 0;
    EXPECT_EQ(ucp_worker_get_address(worker, &address, &length), UCS_OK);
    ucp_ep_params_t params{};
    params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
    params.address = address;
    EXPECT_EQ(ucp_ep_create(worker, &params, &endpoint), UCS_OK);
    ucp_worker_release_address(worker, address);
  }
  ~Foreign() {
    const ucp_request_param_t plain{};
    finish(ucp_ep_close_nbx(endpoint, &plain));
    ucp_worker_destroy(worker);
    ucp_cleanup(context);
  }
  Foreign(const Foreign&) = delete;
  Foreign& operator=(const Foreign&) = delete;

  ucp_worker_h makeWorker() const {
    ucp_worker_params_t params{};
    params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    params.thread_mode = UCS_THREAD_MODE_SINGLE;
    ucp_worker_h made = nullptr;
    EXPECT_EQ(ucp_worker_create(context, &params, &made), UCS_OK);
    return made;
  }
  void finish(ucs_status_ptr_t request) const {
    if (!UCS_PTR_IS_PTR(request)) {
      EXPECT_EQ(UCS_PTR_RAW_STATUS(request), UCS_OK);
      return;
    }
    EXPECT_TRUE(in(compat::kDeadline, [&] {
      ucp_worker_progress(worker);
      return ucp_request_check_status(request) != UCS_INPROGRESS;
    }));
    EXPECT_EQ(ucp_request_check_status(request), UCS_OK);
    ucp_request_free(request);
  }

  ucp_context_h context = nullptr;
  ucp_worker_h worker = nullptr;
  ucp_ep_h endpoint = nullptr;
};

class UcpHandlesTest : public UcpRig {};

TEST_F(UcpHandlesTest, AWorkerThatHasEndedIsRefused) {
  ucp_worker_h ended = nullptr;
  {
    const auto worker = streams_.ends.context->createWorker();
    ended = worker->getHandle();
    EXPECT_EQ(ucp_worker_progress(ended), 0);
  }
  std::uint64_t to = 0;
  refuses(UCS_ERR_INVALID_PARAM, "is null, has ended",
          [&] { return statusIn(ucp_tag_recv_nbx(ended, &to, 8, kTag, TagMaskFull, &kPlain)); });
  refuses(UCS_ERR_INVALID_PARAM, "is null, has ended",
          [&] { return statusIn(ucp_worker_flush_nbx(ended, &kPlain)); });
  const std::size_t before = lines_.with("ucp_worker_progress: the worker");
  EXPECT_EQ(ucp_worker_progress(ended), 0);
  EXPECT_EQ(lines_.with("ucp_worker_progress: the worker"), before + 1);
  ucp_worker_destroy(ended);  // UCX would read freed memory
  EXPECT_EQ(lines_.with("ucp_worker_destroy: not offered"), 1);
}

TEST_F(UcpHandlesTest, AContextThatHasEndedIsRefused) {
  ucp_context_h ended = nullptr;
  {
    const auto context = createContext();
    ended = context->getHandle();
    EXPECT_EQ(context->getHandle(), ended);
  }
  ucp_mem_map_params_t params{};
  ucp_mem_h memh = nullptr;
  refuses(UCS_ERR_INVALID_PARAM, "is null, has ended",
          [&] { return ucp_mem_map(ended, &params, &memh); });
  ucp_cleanup(ended);
  EXPECT_EQ(lines_.with("ucp_cleanup: not offered"), 1);
  ucp_cleanup(context_);
  EXPECT_EQ(lines_.with("ucp_cleanup: not offered"), 2);
}

/// UCX gives its addresses again: some of these workers have those of workers that have ended.
TEST_F(UcpHandlesTest, AnAddressThatUcxUsesAgainIsUcxs) {
  std::vector<ucp_worker_h> ended;
  for (int i = 0; i < 4; ++i) ended.push_back(streams_.ends.context->createWorker()->getHandle());
  const Foreign foreign;
  std::vector<ucp_worker_h> made;
  for (int i = 0; i < 16; ++i) {
    made.push_back(foreign.makeWorker());
    (void)ucp_worker_progress(made.back());
  }
  EXPECT_EQ(lines_.with("ucp_worker_progress"), 0);
  for (const ucp_worker_h each : made) ucp_worker_destroy(each);
  EXPECT_EQ(lines_.with("ucp_worker_destroy"), 0);
}

TEST_F(UcpHandlesTest, WhatIsUcxsGoesToUcx) {
  const Foreign foreign;
  std::uint64_t from = 7, to = 0, word = 0;
  const ucp_request_param_t plain{};
  const ucs_status_ptr_t received =
      ucp_tag_recv_nbx(foreign.worker, &to, 8, kTag, TagMaskFull, &plain);
  foreign.finish(ucp_tag_send_nbx(foreign.endpoint, &from, 8, kTag, &plain));
  foreign.finish(received);
  EXPECT_EQ(to, 7);
  ucp_mem_map_params_t params{};
  params.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_ADDRESS;
  params.length = sizeof word;
  params.address = &word;
  ucp_mem_h memh = nullptr;
  ASSERT_EQ(ucp_mem_map(foreign.context, &params, &memh), UCS_OK);
  void* packed = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(ucp_rkey_pack(foreign.context, memh, &packed, &size), UCS_OK);
  ucp_rkey_h key = nullptr;
  ASSERT_EQ(ucp_ep_rkey_unpack(foreign.endpoint, packed, &key), UCS_OK);
  ucp_rkey_buffer_release(packed);
  const auto at = reinterpret_cast<std::uint64_t>(&word);
  foreign.finish(ucp_put_nbx(foreign.endpoint, &from, 8, at, key, &plain));
  foreign.finish(ucp_ep_flush_nbx(foreign.endpoint, &plain));
  EXPECT_EQ(word, 7);
  ucp_rkey_destroy(key);
  EXPECT_EQ(ucp_mem_unmap(foreign.context, memh), UCS_OK);
  refuses(UCS_ERR_INVALID_PARAM, "the endpoint is UCX's own", [&] {
    return statusIn(ucp_put_nbx(foreign.endpoint, &from, 8, address(), key_, &plain));
  });
  ucxx_request_param_t with_memory{};
  with_memory.op_attr_mask = UCP_OP_ATTR_FIELD_MEMH;
  with_memory.memh = memory_;
  refuses(UCS_ERR_INVALID_PARAM, "the transfer is UCX's own", [&] {
    return statusIn(ucp_tag_send_nbx(foreign.endpoint, &from, 8, kTag, &with_memory));
  });
}

TEST_F(UcpHandlesTest, WhatIsNotOfferedIsAStatus) {
  std::uint64_t word = 0;
  const ucp_request_param_t plain{};
  const auto refused = [&](const char* name, ucs_status_t status) {
    EXPECT_EQ(status, UCS_ERR_UNSUPPORTED) << name;
    EXPECT_EQ(lines_.with(std::string(name) + ": "), 1) << name;
  };
  refused("ucp_put_nbi", ucp_put_nbi(left(), &word, 8, address(), key_));
  refused("ucp_get_nbi", ucp_get_nbi(left(), &word, 8, address(), key_));
  refused("ucp_atomic_post",
          ucp_atomic_post(left(), UCP_ATOMIC_POST_OP_ADD, 1, 8, address(), key_));
  refused("ucp_ep_close_nbx", statusIn(ucp_ep_close_nbx(left(), &plain)));
  ucp_address_t* address_of_worker = nullptr;
  std::size_t length = 0;
  refused("ucp_worker_get_address", ucp_worker_get_address(worker_, &address_of_worker, &length));
  ucp_ep_h endpoint = nullptr;
  ucp_ep_params_t params{};
  refused("ucp_ep_create", ucp_ep_create(worker_, &params, &endpoint));
  const auto listener = streams_.ends.right_worker->createListener(
      0, [](ucp_conn_request_h, void*) {}, nullptr, "127.0.0.1");
  ucp_listener_destroy(listener->getHandle());
  EXPECT_EQ(lines_.with("ucp_listener_destroy: not offered"), 1);
  refused("ucp_worker_fence", ucp_worker_fence(worker_));
  refused("ucp_worker_arm", ucp_worker_arm(worker_));
  EXPECT_EQ(ucp_tag_probe_nb(worker_, 0, 0, 0, nullptr), nullptr);
  EXPECT_EQ(lines_.with("ucp_tag_probe_nb: not offered"), 1);
  const ucs_status_ptr_t request = ucp_tag_recv_nbx(worker_, &word, 8, kTag, TagMaskFull, &kPlain);
  ucp_request_attr_t attributes{};
  refused("ucp_request_query", ucp_request_query(request, &attributes));
  EXPECT_EQ(ucp_request_is_completed(request), 0);
  ucp_request_cancel(worker_, request);
  EXPECT_TRUE(streams_.ends.until([&] { return ucp_request_is_completed(request) == 1; }));
  EXPECT_EQ(ucp_request_test(request, nullptr), UCS_ERR_CANCELED);
  ucp_request_release(request);
  EXPECT_EQ(ucp_request_check_status(request), UCS_ERR_INVALID_PARAM);
}

TEST_F(UcpHandlesTest, AHandleOfAnotherKindIsRefused) {
  std::uint64_t word = 0;
  const auto as_worker = reinterpret_cast<ucp_worker_h>(left());
  refuses(UCS_ERR_INVALID_PARAM, "or is no such handle", [&] {
    return statusIn(ucp_tag_recv_nbx(as_worker, &word, 8, kTag, TagMaskFull, &kPlain));
  });
  refuses(UCS_ERR_INVALID_PARAM, "is null or has gone",
          [&] { return statusIn(ucp_ep_flush_nbx(reinterpret_cast<ucp_ep_h>(key_), &kPlain)); });
  const Foreign foreign;
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_CONN_REQUEST;
  params.conn_request = reinterpret_cast<ucp_conn_request_h>(left());
  ucp_ep_h endpoint = nullptr;
  refuses(UCS_ERR_INVALID_PARAM, "the connection request is of the library",
          [&] { return ucp_ep_create(foreign.worker, &params, &endpoint); });
}

TEST_F(UcpHandlesTest, AProbedMessageTakesNoCondition) {
  std::uint64_t from = 7, to = 0;
  EXPECT_EQ(now(ucp_tag_send_nbx(left(), &from, 8, kTag, &kPlain)), UCS_OK);
  const auto& worker = streams_.ends.right_worker;
  ASSERT_TRUE(streams_.ends.arrived(worker, kTag));
  const auto probe = worker->tagProbe(kTag, TagMaskFull, true);
  const ucp_condition_h condition = ofStream();
  const ucxx_request_param_t param = with(condition);
  EXPECT_EQ(statusIn(ucp_tag_msg_recv_nbx(worker_, &to, 8, probe->getHandle(), &param.ucp)),
            UCS_ERR_UNSUPPORTED);
  EXPECT_EQ(statusIn(ucp_tag_msg_recv_nbx(worker_, &to, 8, probe->getHandle(), nullptr)),
            UCS_ERR_INVALID_PARAM);
  EXPECT_EQ(ucp_destroy_condition(condition), UCS_OK);
  EXPECT_EQ(ucp_tag_msg_recv_nbx(worker_, &to, 8, probe->getHandle(), &kPlain.ucp), nullptr);
  EXPECT_EQ(to, 7);
  EXPECT_EQ(ucp_ep_query(left(), nullptr), UCS_ERR_INVALID_PARAM);
}

TEST_F(UcpHandlesTest, TheTextOfTheProposalRunsInC) {
  EXPECT_EQ(ucxx_test_types_as_proposed(), 1);
  std::uint64_t from = 7, to = 0;
  const ucs_status_ptr_t received = ucp_tag_recv_nbx(worker_, &to, 8, kTag, TagMaskFull, &kPlain);
  EXPECT_EQ(now(ucxx_test_send_as_proposed(left(), &from, 8, kTag, &streams_.stream)), UCS_OK);
  EXPECT_EQ(now(received), UCS_OK);
  EXPECT_EQ(to, 7);
  const ucs_status_ptr_t request = ucp_tag_recv_nbx(worker_, &to, 8, kTag, TagMaskFull, &kPlain);
  refuses(UCS_ERR_UNSUPPORTED, "ucp_put_nbi: not offered",
          [&] { return ucxx_test_not_offered_in_c(left(), worker_, request); });
  ucp_request_cancel(worker_, request);
  EXPECT_EQ(endOf(request), UCS_ERR_CANCELED);
}

/// By every post.
TEST_F(UcpHandlesTest, AnEndpointThatHasGoneIsRefused) {
  const auto worker = streams_.ends.context->createWorker();
  const ucp_ep_h gone = worker->createEndpointFromWorkerAddress(worker->getAddress())->getHandle();
  std::uint64_t word = 0;
  std::size_t length = 0;
  const auto refused = [&](ucs_status_ptr_t given) {
    EXPECT_EQ(statusIn(given), UCS_ERR_INVALID_PARAM);
  };
  refused(ucp_tag_send_nbx(gone, &word, 8, kTag, &kPlain));
  refused(ucp_tag_send_sync_nbx(gone, &word, 8, kTag, &kPlain));
  refused(ucp_stream_send_nbx(gone, &word, 8, &kPlain));
  refused(ucp_stream_recv_nbx(gone, &word, 8, &length, &kPlain));
  refused(ucp_put_nbx(gone, &word, 8, address(), key_, &kPlain));
  refused(ucp_get_nbx(gone, &word, 8, address(), key_, &kPlain));
  ucxx_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE;
  param.datatype = ucp_dt_make_contig(8);
  refused(ucp_atomic_op_nbx(gone, UCP_ATOMIC_OP_ADD, &word, 1, address(), key_, &param));
  refused(ucp_ep_flush_nbx(gone, &kPlain));
  refused(ucp_am_send_nbx(gone, kId, nullptr, 0, &word, 8, &kPlain));
  EXPECT_EQ(lines_.with("is null or has gone"), 9);
}

}  // namespace
}  // namespace ucxx::cuda::test
