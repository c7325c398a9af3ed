// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/secret.h"

#include <string>
#include <type_traits>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "secret_file.h"

namespace ucxx::door::test {
namespace {

using ucxx::test::SecretFile;

const std::string kText = "correct horse battery";

std::string textOf(const SharedSecret& secret) {
  const auto bytes = secret->bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// What is said about a file or a descriptor that is refused.
template <class Where>
std::string refusalOf(SharedSecret (*read)(Where), std::type_identity_t<Where> where) {
  try {
    (void)read(where);
  } catch (const InvalidParamError& error) {
    return error.what();
  }
  return "not refused";
}
std::string refusalOf(const std::string& path) { return refusalOf(&readSecretFile, path); }

void expectWords(const std::string& text, const std::vector<std::string>& words) {
  for (const auto& word : words) EXPECT_NE(text.find(word), text.npos) << text;
  EXPECT_EQ(text.find(kText), text.npos);
}

TEST(SecretTest, IsReadFromAPrivateFile) {
  for (const mode_t mode : {0600, 0400}) {
    const SecretFile file(kText, mode);
    EXPECT_EQ(textOf(readSecretFile(file.path())), kText);
  }
}

TEST(SecretTest, OneNewlineAtTheEndIsNoPartOfIt) {
  EXPECT_EQ(textOf(readSecretFile(SecretFile(kText + "\n").path())), kText);
  EXPECT_EQ(textOf(readSecretFile(SecretFile(kText + "\n\n").path())), kText + "\n");
  const std::string binary("\0\n\xff\r zeros and newlines are bytes\0", 35);
  EXPECT_EQ(textOf(readSecretFile(SecretFile(binary).path())), binary);
}

TEST(SecretTest, WiderModesAreRefused) {
  for (const mode_t mode : {0640, 0604, 0620, 0602, 0601, 0700, 0644, 0666, 04600}) {
    const SecretFile file(kText, mode);
    expectWords(refusalOf(file.path()), {file.path(), "mode", "0600"});
  }
}

TEST(SecretTest, FilesOfOtherUsersAreRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const SecretFile file(kText);
  ASSERT_EQ(::chown(file.path().c_str(), 65534, 65534), 0);
  expectWords(refusalOf(file.path()), {file.path(), "user 65534"});
}

TEST(SecretTest, LengthsHaveLimits) {
  for (const std::size_t length : {16, 1024}) {
    const std::string text(length, 's');
    EXPECT_EQ(textOf(readSecretFile(SecretFile(text).path())), text);
    EXPECT_EQ(textOf(readSecretFile(SecretFile(text + "\n").path())), text);
  }
  for (const std::size_t length : {0, 1, 15}) {
    const std::string text(length, 's');
    expectWords(refusalOf(SecretFile(text).path()), {std::to_string(length) + " bytes", "16"});
    expectWords(refusalOf(SecretFile(text + "\n").path()), {std::to_string(length) + " bytes"});
  }
  for (const std::size_t length : {1025, 1026, 5000})
    expectWords(refusalOf(SecretFile(std::string(length, 's')).path()), {"more than 1024 bytes"});
}

TEST(SecretTest, SymbolicLinksAreJudgedByTheirTarget) {
  const SecretFile kept(kText), open(kText, 0644);
  const std::string link = kept.path() + ".link";
  ASSERT_EQ(::symlink(kept.path().c_str(), link.c_str()), 0);
  EXPECT_EQ(textOf(readSecretFile(link)), kText);
  ::unlink(link.c_str());
  ASSERT_EQ(::symlink(open.path().c_str(), link.c_str()), 0);
  expectWords(refusalOf(link), {link, "0644"});
  ::unlink(link.c_str());
  ASSERT_EQ(::symlink("/nowhere", link.c_str()), 0);
  expectWords(refusalOf(link), {link, "No such file"});
  ::unlink(link.c_str());
}

TEST(SecretTest, OnlyRegularFilesAreRead) {
  expectWords(refusalOf("/tmp"), {"/tmp", "regular file"});
  expectWords(refusalOf("/dev/zero"), {"/dev/zero", "regular file"});
  expectWords(refusalOf("/nowhere/secret"), {"/nowhere/secret", "No such file"});
  expectWords(refusalOf(""), {"\"\"", "No such file"});
  const std::string fifo = testing::TempDir() + "ucxx_secret_fifo" + std::to_string(::getpid());
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  expectWords(refusalOf(fifo), {fifo, "regular file"});  // and does not wait for a writer
  ::unlink(fifo.c_str());
}

TEST(SecretTest, DescriptorOfAFileMayBeReadAgain) {
  const SecretFile file(kText);
  const base::FileDescriptor open(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
  for (int i = 0; i < 2; ++i) EXPECT_EQ(textOf(readSecret(open.get())), kText);
  EXPECT_EQ(::lseek(open.get(), 0, SEEK_CUR), 0);
}

class SecretPipeTest : public testing::Test {
 protected:
  SecretPipeTest() {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    from_ = base::FileDescriptor(ends[0]);
    to_ = base::FileDescriptor(ends[1]);
  }
  void write(const std::string& text) const {
    EXPECT_EQ(::write(to_.get(), text.data(), text.size()), std::ssize(text));
  }

  base::FileDescriptor from_, to_;
};

TEST_F(SecretPipeTest, IsReadToItsEnd) {
  write(kText.substr(0, 5));
  write(kText.substr(5) + "\n");
  to_.reset();
  EXPECT_EQ(textOf(readSecret(from_.get())), kText);
  EXPECT_EQ(::fcntl(from_.get(), F_GETFD), FD_CLOEXEC) << "it stays open";
}

TEST_F(SecretPipeTest, EndlessOnesAreCutAtTheLimit) {
  write(std::string(5000, 's'));  // and nobody closes it
  expectWords(refusalOf(&readSecret, from_.get()), {"descriptor", "more than 1024 bytes"});
}

TEST_F(SecretPipeTest, SilentOnesAreNotWaitedForForEver) {
  write(kText);
  expectWords(refusalOf(&readSecret, from_.get()), {"descriptor", "5 s"});
}

TEST_F(SecretPipeTest, EmptyAndClosedOnesAreRefused) {
  to_.reset();
  expectWords(refusalOf(&readSecret, from_.get()), {"0 bytes"});
  const int number = from_.get();
  from_.reset();
  expectWords(refusalOf(&readSecret, number), {std::to_string(number), "Bad file descriptor"});
}

}  // namespace
}  // namespace ucxx::door::test
