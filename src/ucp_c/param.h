// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include <ucp/api/ucp.h>

#include <ucxx/ucp_condition_types.h>

// What a post is given beside its buffer.

namespace ucxx::ucp_c {

inline bool hasBit(const ucxx_request_param_t& param, std::uint32_t bit) noexcept {
  return (param.op_attr_mask & bit) != 0;
}

/// In C an enumeration may have any value.
template <class Enum>
int numberOf(const Enum& given) noexcept {
  int number = 0;
  static_assert(sizeof number == sizeof given);
  std::memcpy(&number, &given, sizeof number);
  return number;
}

/// A copy, up to where the caller's struct goes: UCX's has no condition. Throws for null, and what
/// no post of the library takes.
ucxx_request_param_t paramOf(const void* given);

/// For a post to a handle of UCX's own. UCX knows no conditions, and no memory of the library.
const ucp_request_param_t* paramForUcx(const void* given);

/// None: 0.
std::uint32_t flagsOf(const ucxx_request_param_t& param) noexcept;

/// @name Its datatype
/// @{
bool isOfBlocks(const ucxx_request_param_t& param) noexcept;
/// `buffer` is an array of `count` of them.
std::vector<ucp_dt_iov_t> blocksOf(const void* buffer, std::size_t count);
/// Of one element; throws `UnsupportedError` unless it is contiguous.
std::size_t elementBytes(const ucxx_request_param_t& param);
std::size_t bytesOfElements(std::size_t count, const ucxx_request_param_t& param);
/// @}

}  // namespace ucxx::ucp_c
