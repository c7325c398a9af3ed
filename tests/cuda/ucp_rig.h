// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// What tests of all operations of the proposed UCP interface start from: memory of the right end
// with a key at the left one, and a handler of active messages.

#pragma once

#include <atomic>
#include <cstring>

#include "cuda/ucp_calls.h"

namespace ucxx::cuda::test {

class UcpRig : public UcpTest {
 protected:
  UcpRig() : context_(streams_.ends.context->getHandle()) {
    map();
    listen();
  }
  ~UcpRig() override {
    ucp_rkey_destroy(key_);
    EXPECT_EQ(ucp_mem_unmap(context_, memory_), UCS_OK);
  }

  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(remote_); }
  std::uint64_t remote() const { return __atomic_load_n(remote_, __ATOMIC_ACQUIRE); }
  /// One post, awaited.
  ucs_status_t now(ucs_status_ptr_t posted) {
    return UCS_PTR_IS_PTR(posted) ? endOf(posted) : UCS_PTR_RAW_STATUS(posted);
  }
  ucs_status_t flush() {
    const ucxx_request_param_t plain{};
    return now(ucp_ep_flush_nbx(left(), &plain));
  }
  void handle(ucp_am_recv_callback_t callback, void* argument) {
    ucp_am_handler_param_t param{};
    param.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_CB |
                       UCP_AM_HANDLER_PARAM_FIELD_ARG;
    param.id = kId;
    param.cb = callback;
    param.arg = argument;
    ASSERT_EQ(ucp_worker_set_am_recv_handler(worker_, &param), UCS_OK);
  }

  static constexpr unsigned kId = 3;
  ucp_context_h context_;
  ucp_mem_h memory_ = nullptr;
  ucp_rkey_h key_ = nullptr;
  std::uint64_t* remote_ = nullptr;       // the word that puts, gets and atomic operations are for
  std::atomic<std::uint64_t> handled_{};  // of the last active message

 private:
  void map() {
    ucp_mem_map_params_t params{};
    params.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_FLAGS;
    params.length = 4096;
    params.flags = UCP_MEM_MAP_ALLOCATE;
    ASSERT_EQ(ucp_mem_map(context_, &params, &memory_), UCS_OK);
    ucp_mem_attr_t attributes{};
    attributes.field_mask = UCP_MEM_ATTR_FIELD_ADDRESS | UCP_MEM_ATTR_FIELD_LENGTH;
    ASSERT_EQ(ucp_mem_query(memory_, &attributes), UCS_OK);
    ASSERT_EQ(attributes.length, 4096);
    remote_ = static_cast<std::uint64_t*>(attributes.address);
    *remote_ = 0;
    void* packed = nullptr;
    std::size_t size = 0;
    ASSERT_EQ(ucp_rkey_pack(context_, memory_, &packed, &size), UCS_OK);
    ASSERT_EQ(ucp_ep_rkey_unpack(left(), packed, &key_), UCS_OK);
    ucp_rkey_buffer_release(packed);
  }
  void listen() {
    handle(
        [](void* self, const void*, size_t, void* data, size_t length, const ucp_am_recv_param_t*) {
          std::uint64_t word = 0;
          EXPECT_EQ(length, sizeof word);
          std::memcpy(&word, data, sizeof word);
          static_cast<UcpRig*>(self)->handled_ = word;
          return UCS_OK;
        },
        this);
  }
};

}  // namespace ucxx::cuda::test
