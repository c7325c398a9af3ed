// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The proposed UCP interface: every operation with every category of conditions.

#include <functional>
#include <string>
#include <tuple>

#include <ucxx/cuda/device.h>

#include "cuda/ucp_posts_in_c.h"
#include "cuda/ucp_rig.h"

namespace ucxx::cuda::test {
namespace {

class UcpOperations;

/// Moves the word `from_` of the test to somewhere.
struct Moves {
  const char* name;
  /// Posts it with these parameters.
  ucs_status_ptr_t (*post)(UcpOperations&, const ucxx_request_param_t&);
  /// What the other end does; null: nothing.
  ucs_status_ptr_t (*peer)(UcpOperations&);
  /// The word at its place.
  std::uint64_t (*found)(UcpOperations&);
  /// What has to be done before the trigger; null: nothing.
  void (*before)(UcpOperations&) = nullptr;
};

enum class Category { None, Stream, Graph, Kernel };
constexpr const char* kCategories[] = {"None", "Stream", "Graph", "Kernel"};
/// By whose code it is posted.
enum class Language { Cpp, C };
constexpr const char* kLanguages[] = {"", "InC"};

class UcpOperations : public UcpRig,
                      public testing::WithParamInterface<std::tuple<Moves, Category, Language>> {
 public:
  static const Moves kAll[];

 protected:
  const Moves& moves() const { return std::get<0>(GetParam()); }
  ucs_status_ptr_t post(const ucxx_request_param_t& param) {
    if (std::get<2>(GetParam()) == Language::Cpp) return moves().post(*this, param);
    const ucxx_test_word word{.left = left(),
                              .right = right(),
                              .left_worker = leftWorker(),
                              .right_worker = worker_,
                              .from = &from_,
                              .to = &to_,
                              .swap = &swap_,
                              .expected = &expected_,
                              .length = &length_,
                              .address = address(),
                              .key = key_,
                              .tag = kTag,
                              .id = kId};
    return ucxx_test_post_in_c(moves().name, &word, param.condition);
  }
  void write(std::uint64_t word) {
    from_ = swap_ = word;
    *remote_ = 0;
    if (moves().before != nullptr) moves().before(*this);
  }
  /// The transfer has been triggered, and `ends` when it has ended.
  template <class Ends>
  void expectMoved(const Ends& ends) {
    ucs_status_ptr_t peer = nullptr;
    if (moves().peer != nullptr) peer = moves().peer(*this);
    ends();
    EXPECT_EQ(now(peer), UCS_OK);
    EXPECT_TRUE(streams_.ends.until([&] { return moves().found(*this) == from_; }))
        << moves().found(*this);
  }
  /// It was posted and waits; what it moves is written meanwhile.
  ucs_status_ptr_t postWaiting(ucp_condition_h condition) {
    const ucs_status_ptr_t posted = post(with(condition));
    EXPECT_EQ(ucp_destroy_condition(condition), UCS_OK);
    EXPECT_TRUE(UCS_PTR_IS_PTR(posted));
    EXPECT_EQ(ucp_request_check_status(posted), UCS_INPROGRESS);
    write(7);
    return posted;
  }
  void runInStream() {
    streams_.shut();
    const ucs_status_ptr_t posted = postWaiting(ofStream());
    streams_.open();
    expectMoved([&] { EXPECT_EQ(endOf(posted), UCS_OK); });
  }
  void runByKernel() {
    ucp_condition_param_t param{};
    param.category = UCP_CONDITION_CATEGORY_KERNEL_TRIGGERED;
    const ucp_condition_h condition = make(param);
    const ucs_status_ptr_t posted = postWaiting(condition);
    device::trigger(static_cast<device::Handle*>(param.context));  // this thread is the kernel
    expectMoved([&] { EXPECT_EQ(endOf(posted), UCS_OK); });
  }
  void runInGraph() {
    Launches launches(streams_.stream);
    launches.make();
    ucp_condition_param_t param{};
    param.category = UCP_CONDITION_CATEGORY_GRAPH;
    param.graph = launches.graph();
    const ucs_status_ptr_t posted = postWaiting(make(param));
    for (std::uint64_t launch = 1; launch <= 3; ++launch) {
      write(7 + launch);
      launches.launch();
      expectMoved([&] { EXPECT_TRUE(launches.done()); });
    }
    launches.end();
    EXPECT_EQ(endOf(posted), UCS_OK);
  }

 public:
  std::uint64_t from_ = 1, to_ = 0, swap_ = 1, expected_ = 0;
  std::size_t length_ = 0;
  ucp_ep_h atLeft() const { return left(); }
  ucp_ep_h atRight() const { return right(); }
  ucp_worker_h worker() const { return worker_; }
  ucp_worker_h leftWorker() const { return streams_.ends.left_worker->getHandle(); }
  using UcpRig::address;
  using UcpRig::flush;
  using UcpRig::handled_;
  using UcpRig::key_;
  using UcpRig::kId;
  using UcpRig::remote;
  using UcpRig::remote_;
};

ucxx_request_param_t ofWord(ucxx_request_param_t param) {
  param.op_attr_mask |= UCP_OP_ATTR_FIELD_DATATYPE;
  param.datatype = ucp_dt_make_contig(8);
  return param;
}

ucs_status_ptr_t postAtomic(UcpOperations& its, ucp_atomic_op_t opcode, const void* buffer,
                            void* reply, const ucxx_request_param_t& given) {
  ucxx_request_param_t param = ofWord(given);
  if (reply != nullptr) param.op_attr_mask |= UCP_OP_ATTR_FIELD_REPLY_BUFFER;
  param.reply_buffer = reply;
  return ucp_atomic_op_nbx(its.atLeft(), opcode, buffer, 1, its.address(), its.key_, &param);
}

const ucxx_request_param_t kPlain{};

std::uint64_t received(UcpOperations& its) { return its.to_; }
std::uint64_t inRemote(UcpOperations& its) {
  EXPECT_EQ(its.flush(), UCS_OK);
  return its.remote();
}

/// The operation is a flush of what was put before it.
std::uint64_t flushed(UcpOperations& its) { return its.from_; }

const Moves UcpOperations::kAll[] = {
    {"TagSend",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return ucp_tag_send_nbx(its.atLeft(), &its.from_, 8, kTag, &param);
     },
     [](UcpOperations& its) {
       return ucp_tag_recv_nbx(its.worker(), &its.to_, 8, kTag, TagMaskFull, &kPlain);
     },
     received},
    {"TagSendSync",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return ucp_tag_send_sync_nbx(its.atLeft(), &its.from_, 8, kTag, &param);
     },
     [](UcpOperations& its) {
       return ucp_tag_recv_nbx(its.worker(), &its.to_, 8, kTag, TagMaskFull, &kPlain);
     },
     received},
    {"TagRecv",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return ucp_tag_recv_nbx(its.worker(), &its.to_, 8, kTag, TagMaskFull, &param);
     },
     [](UcpOperations& its) {
       return ucp_tag_send_nbx(its.atLeft(), &its.from_, 8, kTag, &kPlain);
     },
     received},
    {"StreamSend",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return ucp_stream_send_nbx(its.atLeft(), &its.from_, 8, &param);
     },
     [](UcpOperations& its) {
       ucxx_request_param_t param{};
       param.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
       param.flags = UCP_STREAM_RECV_FLAG_WAITALL;
       return ucp_stream_recv_nbx(its.atRight(), &its.to_, 8, &its.length_, &param);
     },
     received},
    {"StreamRecv",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return ucp_stream_recv_nbx(its.atRight(), &its.to_, 8, &its.length_, &param);
     },
     [](UcpOperations& its) { return ucp_stream_send_nbx(its.atLeft(), &its.from_, 8, &kPlain); },
     received},
    {"Put",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return ucp_put_nbx(its.atLeft(), &its.from_, 8, its.address(), its.key_, &param);
     },
     nullptr, inRemote},
    {"Get",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return ucp_get_nbx(its.atLeft(), &its.to_, 8, its.address(), its.key_, &param);
     },
     nullptr, received, [](UcpOperations& its) { *its.remote_ = its.from_; }},
    {"AtomicAdd",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return postAtomic(its, UCP_ATOMIC_OP_ADD, &its.from_, nullptr, param);
     },
     nullptr, inRemote},
    {"AtomicFetchOr",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return postAtomic(its, UCP_ATOMIC_OP_OR, &its.from_, &its.to_, param);
     },
     nullptr, inRemote},
    {"AtomicSwap",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return postAtomic(its, UCP_ATOMIC_OP_SWAP, &its.from_, &its.to_, param);
     },
     nullptr, inRemote},
    {"AtomicCompareSwap",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return postAtomic(its, UCP_ATOMIC_OP_CSWAP, &its.expected_, &its.swap_, param);
     },
     nullptr, inRemote},
    {"Flush",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return ucp_ep_flush_nbx(its.atLeft(), &param);
     },
     nullptr, flushed},
    {"FlushOfWorker",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return ucp_worker_flush_nbx(its.leftWorker(), &param);
     },
     nullptr, flushed},
    {"AmSend",
     [](UcpOperations& its, const ucxx_request_param_t& param) {
       return ucp_am_send_nbx(its.atLeft(), UcpOperations::kId, nullptr, 0, &its.from_, 8, &param);
     },
     nullptr, [](UcpOperations& its) { return its.handled_.load(); }},
};

TEST_P(UcpOperations, StartsAtItsTrigger) {
  switch (std::get<1>(GetParam())) {
    case Category::None: {
      write(1);
      const ucs_status_ptr_t posted = post({});
      expectMoved([&] { EXPECT_EQ(now(posted), UCS_OK); });
      return;
    }
    case Category::Stream:
      return runInStream();
    case Category::Graph:
      return runInGraph();
    case Category::Kernel:
      return runByKernel();
  }
}

class UcpWaiting : public UcpOperations {};

TEST_P(UcpWaiting, EndsWhenItIsCanceled) {
  streams_.shut();
  const ucs_status_ptr_t posted = postWaiting(ofStream());
  ucp_request_cancel(worker_, posted);
  EXPECT_EQ(endOf(posted), UCS_ERR_CANCELED);
  streams_.open();
}

TEST_P(UcpWaiting, GoesOnWhenItsRequestIsFreed) {
  streams_.shut();
  const ucs_status_ptr_t posted = postWaiting(ofStream());
  EXPECT_EQ(ucxx_request_wait_on(posted, streams_.stream), UCS_OK);
  ucp_request_free(posted);
  streams_.open();
  expectMoved([&] { EXPECT_TRUE(drains("the stream", streams_.stream)); });
}

std::string nameOf(const testing::TestParamInfo<UcpOperations::ParamType>& info) {
  return std::string(std::get<0>(info.param).name) +
         kCategories[static_cast<int>(std::get<1>(info.param))] +
         kLanguages[static_cast<int>(std::get<2>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(All, UcpOperations,
                         testing::Combine(testing::ValuesIn(UcpOperations::kAll),
                                          testing::Values(Category::None, Category::Stream,
                                                          Category::Graph, Category::Kernel),
                                          testing::Values(Language::Cpp, Language::C)),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(All, UcpWaiting,
                         testing::Combine(testing::ValuesIn(UcpOperations::kAll),
                                          testing::Values(Category::Stream),
                                          testing::Values(Language::Cpp)),
                         nameOf);

}  // namespace
}  // namespace ucxx::cuda::test
