// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ucxx::test {

/// A file of its own until its end.
class SecretFile {
 public:
  explicit SecretFile(std::string_view text, mode_t mode = 0600) {
    const int file = ::mkstemp(path_.data());
    EXPECT_GE(file, 0) << path_;
    EXPECT_EQ(::write(file, text.data(), text.size()), std::ssize(text));
    EXPECT_EQ(::fchmod(file, mode), 0);
    ::close(file);
  }
  ~SecretFile() { ::unlink(path_.c_str()); }
  SecretFile(const SecretFile&) = delete;
  SecretFile& operator=(const SecretFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_ = testing::TempDir() + "ucxx_secret_XXXXXX";
};

}  // namespace ucxx::test
