// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <algorithm>
#include <cstring>
#include <stdexcept>

#include <ucxx/header.h>

namespace ucxx {
namespace {

void checkFrames(std::size_t frames) {
  if (frames > HeaderFramesSize)
    throw std::overflow_error("header: " + std::to_string(frames) + " frames, at most " +
                              std::to_string(HeaderFramesSize) + " are allowed");
}

template <class Value>
void append(std::string& bytes, const Value& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class Value>
void take(const char*& bytes, Value& value) {
  std::memcpy(&value, bytes, sizeof value);
  bytes += sizeof value;
}

}  // namespace

Header::Header(bool has_next, std::size_t frames, const int* is_cuda, const std::size_t* sizes)
    : next(has_next), nframes(frames) {
  checkFrames(frames);
  std::copy_n(is_cuda, frames, isCUDA.begin());
  std::copy_n(sizes, frames, size.begin());
}

Header::Header(const std::string& serialized) {
  if (serialized.size() != dataSize())
    throw std::overflow_error("header: " + std::to_string(serialized.size()) + " bytes, must be " +
                              std::to_string(dataSize()));
  const char* bytes = serialized.data();
  next = *bytes++ != 0;
  take(bytes, nframes);
  checkFrames(nframes);
  take(bytes, isCUDA);
  take(bytes, size);
}

std::size_t Header::dataSize() noexcept {
  return 1 + sizeof(nframes) + sizeof(isCUDA) + sizeof(size);
}

std::string Header::serialize() const {
  std::string bytes;
  bytes.reserve(dataSize());
  bytes.push_back(next ? '\1' : '\0');
  append(bytes, nframes);
  append(bytes, isCUDA);
  append(bytes, size);
  return bytes;
}

std::vector<Header> Header::buildHeaders(const std::vector<std::size_t>& sizes,
                                         const std::vector<int>& is_cuda) {
  if (sizes.size() != is_cuda.size())
    throw std::length_error("header: " + std::to_string(sizes.size()) + " sizes, but " +
                            std::to_string(is_cuda.size()) + " memory kinds");
  std::vector<Header> headers;
  for (std::size_t first = 0; first < sizes.size(); first += HeaderFramesSize) {
    const std::size_t frames = std::min(HeaderFramesSize, sizes.size() - first);
    headers.emplace_back(first + frames < sizes.size(), frames, &is_cuda[first], &sizes[first]);
  }
  return headers;
}

}  // namespace ucxx
