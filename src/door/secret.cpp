// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "door/secret.h"

#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "door/proof.h"

namespace ucxx::door {
namespace {

constexpr int kPatienceMs = 5000;
constexpr mode_t kAllowedMode = S_IRUSR | S_IWUSR;
constexpr mode_t kModeBits = 07777;

[[noreturn]] void fail(const std::string& source, const std::string& what) {
  throw InvalidParamError(source + ": " + what);
}

[[noreturn]] void failWithErrno(const std::string& source, int error) {
  fail(source, std::generic_category().message(error));
}

/// The longest secret with its newline, and a byte that shows when there is more. Wiped.
struct Buffer {
  ~Buffer() { OPENSSL_cleanse(bytes.data(), bytes.size()); }

  std::array<std::byte, Secret::kMaxBytes + 2> bytes{};
};

ssize_t readAt(int descriptor, std::span<std::byte> into, std::size_t offset) noexcept {
  const ssize_t got = ::pread(descriptor, into.data(), into.size(), static_cast<off_t>(offset));
  return got < 0 && errno == ESPIPE ? ::read(descriptor, into.data(), into.size()) : got;
}

/// Waits for the next bytes; their count, 0 at the end.
std::size_t readSome(int descriptor, std::span<std::byte> into, std::size_t offset,
                     const std::string& source) {
  for (;;) {
    pollfd entry{descriptor, POLLIN, 0};
    const int ready = ::poll(&entry, 1, kPatienceMs);
    if (ready == 0) fail(source, "nothing came for 5 s: whoever writes it must close it");
    const ssize_t got = ready < 0 ? -1 : readAt(descriptor, into, offset);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR && errno != EAGAIN) failWithErrno(source, errno);
  }
}

SharedSecret readAll(int descriptor, const std::string& source) {
  Buffer buffer;
  const std::span<std::byte> room(buffer.bytes);
  std::size_t length = 0;
  while (length < room.size()) {
    const std::size_t got = readSome(descriptor, room.subspan(length), length, source);
    if (got == 0) break;
    length += got;
  }
  return std::make_shared<const Secret>(room.first(length), source);
}

void requirePrivate(int descriptor, const std::string& source) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) failWithErrno(source, errno);
  if (!S_ISREG(status.st_mode)) fail(source, "it is not a regular file");
  if (status.st_uid != ::geteuid() && status.st_uid != 0)
    fail(source, fmt::format("it belongs to user {}; it must belong to user {} or root",
                             status.st_uid, ::geteuid()));
  const mode_t mode = status.st_mode & kModeBits;
  if ((mode & ~kAllowedMode) != 0)
    fail(source,
         fmt::format("its mode is {:04o}; set 0600, so that nobody else can read it", mode));
}

}  // namespace

// It is whole before it begins, so that it is wiped if that fails.
Secret::Secret(std::span<const std::byte> bytes, const std::string& source) : Secret() {
  if (!bytes.empty() && bytes.back() == std::byte{'\n'}) bytes = bytes.first(bytes.size() - 1);
  if (bytes.size() > kMaxBytes)
    fail(source, fmt::format("it has more than {} bytes; a secret has {} to {}", kMaxBytes,
                             kMinBytes, kMaxBytes));
  if (bytes.size() < kMinBytes)
    fail(source,
         fmt::format("it has {} bytes; a secret has {} to {}", bytes.size(), kMinBytes, kMaxBytes));
  std::copy(bytes.begin(), bytes.end(), bytes_.begin());
  length_ = bytes.size();
  requireProofs(*this);
}

Secret::~Secret() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

SharedSecret readSecretFile(const std::string& path) {
  const std::string source = fmt::format("the secret's file \"{}\"", path);
  // A FIFO must not block; it is no regular file.
  const base::FileDescriptor file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  if (!file) failWithErrno(source, errno);
  requirePrivate(file.get(), source);
  return readAll(file.get(), source);
}

SharedSecret readSecret(int descriptor) {
  return readAll(descriptor, fmt::format("the secret's descriptor {}", descriptor));
}

}  // namespace ucxx::door
