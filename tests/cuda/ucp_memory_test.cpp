// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// The proposed UCP interface: memory, remote keys, and what is wrong with one-sided operations.

#include <string>

#include <ucxx/context.h>
#include <ucxx/memory_handle.h>
#include <ucxx/remote_key.h>

#include "cuda/ucp_rig.h"

namespace ucxx::cuda::test {
namespace {

const ucxx_request_param_t kPlain{};

ucxx_request_param_t ofBytes(std::size_t size) {
  ucxx_request_param_t param{};
  param.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE;
  param.datatype = ucp_dt_make_contig(size);
  return param;
}

class UcpMemoryTest : public UcpRig {
 protected:
  void refusesMap(ucs_status_t status, const char* word, const ucp_mem_map_params_t& params) {
    ucp_mem_h none = nullptr;
    refuses(status, word, [&] { return ucp_mem_map(context_, &params, &none); });
    EXPECT_EQ(none, nullptr);
  }
  void refusesPut(const char* word, std::uint64_t at, ucp_rkey_h key) {
    refuses(UCS_ERR_INVALID_PARAM, word,
            [&] { return statusIn(ucp_put_nbx(left(), &word_, 8, at, key, &kPlain)); });
  }
  void refusesAtomic(const char* word, int opcode, std::size_t count, std::size_t bytes,
                     const void* buffer) {
    const ucxx_request_param_t param = ofBytes(bytes);
    refuses(UCS_ERR_INVALID_PARAM, word, [&] {
      return statusIn(ucp_atomic_op_nbx(left(), static_cast<ucp_atomic_op_t>(opcode), buffer, count,
                                        address(), key_, &param));
    });
  }
  std::uint64_t word_ = 5;
};

TEST_F(UcpMemoryTest, RefusesParametersWithOneLine) {
  ucp_mem_map_params_t params{};
  params.field_mask = UCP_MEM_MAP_PARAM_FIELD_ADDRESS;
  params.address = &word_;
  refusesMap(UCS_ERR_INVALID_PARAM, "the length is missing", params);
  params.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH;
  params.length = 8;
  refusesMap(UCS_ERR_INVALID_PARAM, "8 bytes without address", params);
  params.field_mask |= UCP_MEM_MAP_PARAM_FIELD_FLAGS;
  params.flags = UCP_MEM_MAP_ALLOCATE | UCP_MEM_MAP_FIXED;
  refusesMap(UCS_ERR_UNSUPPORTED, "UCP_MEM_MAP_FIXED", params);
  params.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | 1U << 20;
  refusesMap(UCS_ERR_UNSUPPORTED, "bits beyond", params);
  params.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_ADDRESS |
                      UCP_MEM_MAP_PARAM_FIELD_MEMORY_TYPE;
  params.memory_type = UCS_MEMORY_TYPE_CUDA;
  refusesMap(UCS_ERR_UNSUPPORTED, "host memory is needed", params);
  params.memory_type = UCS_MEMORY_TYPE_UNKNOWN;
  params.length = SIZE_MAX;
  refusesMap(UCS_ERR_INVALID_PARAM, "do not lie in memory", params);
  ucp_mem_h memh = nullptr;
  refuses(UCS_ERR_INVALID_PARAM, "params is null",
          [&] { return ucp_mem_map(context_, nullptr, &memh); });
  refuses(UCS_ERR_INVALID_PARAM, "memh is null",
          [&] { return ucp_mem_map(context_, &params, nullptr); });
  refuses(UCS_ERR_INVALID_PARAM, "the context",
          [&] { return ucp_mem_map(nullptr, &params, &memh); });
}

TEST_F(UcpMemoryTest, MemoryOfTheCallerIsReached) {
  std::uint64_t mine = 0;
  ucp_mem_map_params_t params{};
  params.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_ADDRESS;
  params.length = sizeof mine;
  params.address = &mine;
  ucp_mem_h memh = nullptr;
  ASSERT_EQ(ucp_mem_map(context_, &params, &memh), UCS_OK);
  void* packed = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(ucp_rkey_pack(context_, memh, &packed, &size), UCS_OK);
  ucp_rkey_h key = nullptr;
  ASSERT_EQ(ucp_ep_rkey_unpack(left(), packed, &key), UCS_OK);
  ucp_rkey_buffer_release(packed);
  const auto at = reinterpret_cast<std::uint64_t>(&mine);
  EXPECT_EQ(now(ucp_put_nbx(left(), &word_, 8, at, key, &kPlain)), UCS_OK);
  EXPECT_EQ(flush(), UCS_OK);
  EXPECT_EQ(__atomic_load_n(&mine, __ATOMIC_ACQUIRE), 5);
  ucp_rkey_destroy(key);
  EXPECT_EQ(ucp_mem_unmap(context_, memh), UCS_OK);
}

TEST_F(UcpMemoryTest, APointerToLibraryMemoryOfThisMachine) {
  void* place = nullptr;
  ASSERT_EQ(ucp_rkey_ptr(key_, address() + 8, &place), UCS_OK);
  *static_cast<std::uint64_t*>(place) = 9;
  EXPECT_EQ(__atomic_load_n(remote_ + 1, __ATOMIC_ACQUIRE), 9);
  refuses(UCS_ERR_INVALID_PARAM, "does not lie within the 4096 bytes",
          [&] { return ucp_rkey_ptr(key_, address() + 4096, &place); });
}

TEST_F(UcpMemoryTest, WhatWasGivenBackIsRefused) {
  ucp_mem_map_params_t params{};
  params.field_mask = UCP_MEM_MAP_PARAM_FIELD_LENGTH | UCP_MEM_MAP_PARAM_FIELD_FLAGS;
  params.length = 64;
  params.flags = UCP_MEM_MAP_ALLOCATE;
  ucp_mem_h memh = nullptr;
  ASSERT_EQ(ucp_mem_map(context_, &params, &memh), UCS_OK);
  EXPECT_EQ(ucp_mem_unmap(context_, memh), UCS_OK);
  refuses(UCS_ERR_INVALID_PARAM, "ucp_mem_unmap: the memory handle",
          [&] { return ucp_mem_unmap(context_, memh); });
  ucp_mem_attr_t attributes{};
  refuses(UCS_ERR_INVALID_PARAM, "ucp_mem_query: the memory handle",
          [&] { return ucp_mem_query(memh, &attributes); });
  void* packed = nullptr;
  std::size_t size = 0;
  refuses(UCS_ERR_INVALID_PARAM, "ucp_rkey_pack: the memory handle",
          [&] { return ucp_rkey_pack(context_, memh, &packed, &size); });
  refuses(UCS_ERR_INVALID_PARAM, "ucp_rkey_pack: the memory handle",
          [&] { return ucp_rkey_pack(context_, nullptr, &packed, &size); });
  ASSERT_EQ(ucp_rkey_pack(context_, memory_, &packed, &size), UCS_OK);
  ucp_rkey_h key = nullptr;
  ASSERT_EQ(ucp_ep_rkey_unpack(left(), packed, &key), UCS_OK);
  ucp_rkey_buffer_release(packed);
  ucp_rkey_destroy(key);
  refusesPut("is not the handle of a remote key", address(), key);
  const std::size_t before = lines_.with("ucp_rkey_destroy");
  ucp_rkey_destroy(key);
  EXPECT_EQ(lines_.with("ucp_rkey_destroy"), before + 1);
}

TEST_F(UcpMemoryTest, ObjectsOfCppEndByThemselves) {
  const auto memory = streams_.ends.context->createMemoryHandle(64, nullptr);
  void* packed = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(ucp_rkey_pack(context_, memory->getHandle(), &packed, &size), UCS_OK);
  const std::string bytes(static_cast<const char*>(packed), size);
  EXPECT_EQ(bytes, memory->createRemoteKey()->serialize());
  ucp_rkey_buffer_release(packed);
  refuses(UCS_ERR_INVALID_PARAM, "it ends with that object",
          [&] { return ucp_mem_unmap(context_, memory->getHandle()); });
  const auto key = createRemoteKeyFromSerialized(streams_.ends.left, bytes);
  const std::size_t before = lines_.with("with which it ends");
  ucp_rkey_destroy(key->getHandle());
  EXPECT_EQ(lines_.with("with which it ends"), before + 1);
  EXPECT_EQ(
      now(ucp_put_nbx(left(), &word_, 8, memory->getBaseAddress(), key->getHandle(), &kPlain)),
      UCS_OK);
}

TEST_F(UcpMemoryTest, RefusesKeysAndPlacesWithOneLine) {
  ucp_rkey_h none = nullptr;
  char wrong[64]{};
  refuses(UCS_ERR_INVALID_PARAM, "that no key of this version has serialized",
          [&] { return ucp_ep_rkey_unpack(left(), wrong, &none); });
  refuses(UCS_ERR_INVALID_PARAM, "rkey_buffer is null",
          [&] { return ucp_ep_rkey_unpack(left(), nullptr, &none); });
  refuses(UCS_ERR_INVALID_PARAM, "the endpoint",
          [&] { return ucp_ep_rkey_unpack(nullptr, wrong, &none); });
  EXPECT_EQ(none, nullptr);
  refusesPut("the remote key is null", address(), nullptr);
  refusesPut("do not lie within the 4096 bytes", address() + 4092, key_);
  refusesPut("do not lie within the 4096 bytes", 0, key_);
  refuses(UCS_ERR_INVALID_PARAM, "was not made from serialized bytes on this endpoint",
          [&] { return statusIn(ucp_put_nbx(right(), &word_, 8, address(), key_, &kPlain)); });
}

TEST_F(UcpMemoryTest, RefusesAtomicOperationsWithOneLine) {
  refusesAtomic("2 elements of 8 bytes", UCP_ATOMIC_OP_ADD, 2, 8, &word_);
  refusesAtomic("1 elements of 2 bytes", UCP_ATOMIC_OP_ADD, 1, 2, &word_);
  refusesAtomic("the operand, is null", UCP_ATOMIC_OP_ADD, 1, 8, nullptr);
  refusesAtomic("a swap without reply buffer", UCP_ATOMIC_OP_SWAP, 1, 8, &word_);
  refusesAtomic("a swap without reply buffer", UCP_ATOMIC_OP_CSWAP, 1, 4, &word_);
  refusesAtomic("there is no atomic operation 99", 99, 1, 8, &word_);
  refuses(UCS_ERR_INVALID_PARAM, "is not aligned", [&] {
    const ucxx_request_param_t param = ofBytes(8);
    return statusIn(
        ucp_atomic_op_nbx(left(), UCP_ATOMIC_OP_ADD, &word_, 1, address() + 4, key_, &param));
  });
}

TEST_F(UcpMemoryTest, AtomicOperationsOfFourBytes) {
  ucxx_request_param_t param = ofBytes(4);
  param.op_attr_mask |= UCP_OP_ATTR_FIELD_REPLY_BUFFER;
  std::uint32_t operand = 5, before = 99;
  param.reply_buffer = &before;
  const auto change = [&](ucp_atomic_op_t opcode, const void* buffer) {
    EXPECT_EQ(now(ucp_atomic_op_nbx(left(), opcode, buffer, 1, address() + 4, key_, &param)),
              UCS_OK);
  };
  change(UCP_ATOMIC_OP_ADD, &operand);
  EXPECT_EQ(before, 0);
  change(UCP_ATOMIC_OP_XOR, &operand);
  EXPECT_EQ(before, 5);
  std::uint32_t expected = 0;
  before = 77;  // what is stored
  change(UCP_ATOMIC_OP_CSWAP, &expected);
  EXPECT_EQ(before, 0);
  expected = 1;
  before = 78;
  change(UCP_ATOMIC_OP_CSWAP, &expected);
  EXPECT_EQ(before, 77);
  EXPECT_EQ(remote(), std::uint64_t{77} << 32);  // the word beside it is as it was
}

TEST_F(UcpMemoryTest, WhatWaitsEndsWithItsEndpoint) {
  streams_.shut();
  const ucp_condition_h condition = ofStream();
  ucxx_request_param_t param = with(condition);
  const ucs_status_ptr_t put = ucp_put_nbx(left(), &word_, 8, address(), key_, &param);
  const ucs_status_ptr_t flushing = ucp_ep_flush_nbx(left(), &param);
  EXPECT_EQ(ucp_destroy_condition(condition), UCS_OK);
  streams_.ends.left->closeBlocking();
  EXPECT_EQ(endOf(put), UCS_ERR_CANCELED);
  EXPECT_EQ(endOf(flushing), UCS_ERR_CANCELED);
  streams_.open();
}

}  // namespace
}  // namespace ucxx::cuda::test
