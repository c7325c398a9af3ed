// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/admission.h"

#include <string_view>

#include <fmt/format.h>

#include "shmem/joining/version.h"
#include "shmem/oshrun/memory.h"

namespace ucxx::shmem::oshrun {
namespace {

template <std::size_t size>
std::string textOf(const char (&text)[size]) {
  return printable(text, size);
}

std::string otherVersion(int pe, const Hello& hello, std::size_t bytes) {
  const std::string version = textOf(hello.version);
  if (hello.protocol == kLaunchProtocol && bytes == sizeof hello && version == kVersion) return "";
  return fmt::format(
      "PE {} uses the OpenSHMEM library of UCXX {} (protocol {}), but oshrun is of UCXX {} "
      "(protocol {}): use the oshrun beside that library",
      pe, version, hello.protocol, kVersion, kLaunchProtocol);
}

std::string different(std::string_view what, int pe, std::uint64_t value, int first_pe,
                      std::uint64_t first_value) {
  if (value == first_value) return "";
  return fmt::format("PE {} has {} bytes of {}, PE {} has {}: all PEs of a job have the same", pe,
                     value, what, first_pe, first_value);
}

std::string otherProgram(int pe, const Hello& hello, int first_pe, const Hello& first) {
  if (hello.device == first.device && hello.inode == first.inode) return "";
  return fmt::format("PE {} runs {}, PE {} runs {}: all PEs of a job run one program", pe,
                     textOf(hello.executable), first_pe, textOf(first.executable));
}

std::string otherThanFirst(int pe, const Hello& hello, int first_pe, const Hello& first) {
  std::string text = otherProgram(pe, hello, first_pe, first);
  if (text.empty())
    text =
        different("heap (SHMEM_SYMMETRIC_SIZE)", pe, hello.heap_bytes, first_pe, first.heap_bytes);
  if (text.empty())
    text = different("symmetric statics", pe, hello.statics_bytes, first_pe, first.statics_bytes);
  return text;
}

}  // namespace

std::string Admission::refusal(int pe, const Hello& hello, std::size_t bytes) {
  std::string text = otherVersion(pe, hello, bytes);
  if (!text.empty()) return text;
  if (first_) return otherThanFirst(pe, hello, first_->pe, first_->hello);
  first_ = First{pe, hello};
  return "";
}

}  // namespace ucxx::shmem::oshrun
