// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// Types that carry values: owners, parameters, headers, buffers, notifiers, errors.

#include <array>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <thread>

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include <ucxx/api.h>
#include <ucxx/utils/file_descriptor.h>

namespace {

TEST(CompatAmTypesTest, OwnerTakesLiteralsAndStringsUpTo63Characters) {
  const ucxx::AmReceiverCallbackOwnerType empty;
  EXPECT_STREQ(empty.data(), "");
  const ucxx::AmReceiverCallbackOwnerType literal = "library";
  const ucxx::AmReceiverCallbackOwnerType text = std::string("library");
  EXPECT_TRUE(literal == text);
  EXPECT_TRUE(literal != empty);
  EXPECT_EQ(ucxx::AmReceiverCallbackOwnerType::storageSize(), 64u);
  const std::string longest(ucxx::AmReceiverCallbackOwnerMaxLen, 'x');
  EXPECT_EQ(longest, ucxx::AmReceiverCallbackOwnerType(longest).data());
  EXPECT_THROW(ucxx::AmReceiverCallbackOwnerType(longest + "x"), std::invalid_argument);
}

TEST(CompatAmTypesTest, CallbackInfoIsAPairOfOwnerAndId) {
  ucxx::AmReceiverCallbackInfo info("library", 3);
  const ucxx::AmReceiverCallbackInfo copy = info;
  info.id = 4;
  EXPECT_EQ(copy.owner, ucxx::AmReceiverCallbackOwnerType("library"));
  EXPECT_EQ(copy.id, 3u);
}

TEST(CompatAmTypesTest, SendParamsStartAsContiguousHostBytes) {
  ucxx::AmSendParams params;
  EXPECT_EQ(params.flags, std::uint32_t{UCP_AM_SEND_FLAG_REPLY});
  EXPECT_EQ(params.datatype, ucp_dt_make_contig(1));
  EXPECT_EQ(params.memoryType, UCS_MEMORY_TYPE_HOST);
  EXPECT_EQ(params.memoryTypePolicy, ucxx::AmSendMemoryTypePolicy::FallbackToHost);
  EXPECT_FALSE(params.receiverCallbackInfo.has_value());
  EXPECT_TRUE(params.userHeader.empty());
  params.setUserHeader("text");
  EXPECT_EQ(params.userHeader.size(), 4u);
  params.setUserHeader(nullptr, 0);
  EXPECT_TRUE(params.userHeader.empty());
  EXPECT_THROW(params.setUserHeader(nullptr, 1), std::invalid_argument);
}

TEST(CompatHeaderTest, BytesReadBackAsTheSameTable) {
  const std::array<int, 3> is_cuda{1, 0, 1};
  const std::array<std::size_t, 3> sizes{1, 2, std::size_t{1} << 40};
  int cuda_values[3];
  std::size_t size_values[3];
  std::copy(is_cuda.begin(), is_cuda.end(), cuda_values);
  std::copy(sizes.begin(), sizes.end(), size_values);
  const ucxx::Header header(true, 3, cuda_values, size_values);
  const std::string bytes = header.serialize();
  EXPECT_EQ(bytes.size(), ucxx::Header::dataSize());
  const ucxx::Header copy(bytes);
  EXPECT_TRUE(copy.next);
  ASSERT_EQ(copy.nframes, 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(copy.isCUDA[i], is_cuda[i]);
    EXPECT_EQ(copy.size[i], sizes[i]);
  }
}

TEST(CompatHeaderTest, MoreThanAHundredFramesMakeMoreHeaders) {
  for (const std::size_t frames : {0u, 1u, 100u, 101u, 250u}) {
    std::vector<std::size_t> sizes(frames);
    std::iota(sizes.begin(), sizes.end(), 0);
    const auto headers = ucxx::Header::buildHeaders(sizes, std::vector<int>(frames, 1));
    ASSERT_EQ(headers.size(), (frames + 99) / 100);
    std::size_t seen = 0;
    for (const auto& header : headers) {
      EXPECT_EQ(header.next, &header != &headers.back());
      for (std::size_t i = 0; i < header.nframes; ++i) EXPECT_EQ(header.size[i], seen++);
    }
    EXPECT_EQ(seen, frames);
  }
}

TEST(CompatHeaderTest, MalformedBytesAreRefused) {
  const std::vector<int> is_cuda(101, 0);
  const std::vector<std::size_t> sizes(101, 1);
  EXPECT_THROW(ucxx::Header(false, 101, is_cuda.data(), sizes.data()), std::overflow_error);
  EXPECT_THROW(ucxx::Header(""), std::overflow_error);
  std::string bytes = ucxx::Header(false, 1, is_cuda.data(), sizes.data()).serialize();
  const std::size_t too_many = 101;
  std::memcpy(&bytes[1], &too_many, sizeof too_many);
  EXPECT_THROW(ucxx::Header{bytes}, std::overflow_error);
  EXPECT_THROW(ucxx::Header::buildHeaders(sizes, {}), std::length_error);
}

TEST(CompatBufferTest, ReleasedMemoryBelongsToTheCaller) {
  ucxx::HostBuffer buffer("abc", 3);
  EXPECT_EQ(buffer.getType(), ucxx::BufferType::Host);
  EXPECT_EQ(buffer.getSize(), 3u);
  void* memory = buffer.release();
  EXPECT_EQ(std::memcmp(memory, "abc", 3), 0);
  std::free(memory);
  EXPECT_EQ(buffer.getType(), ucxx::BufferType::Invalid);
  EXPECT_EQ(buffer.getSize(), 0u);
  EXPECT_THROW(buffer.data(), std::runtime_error);
  EXPECT_THROW(buffer.release(), std::runtime_error);
}

TEST(CompatBufferTest, AllocateBufferIsFoundThroughItsArguments) {
  auto buffer = allocateBuffer(ucxx::BufferType::Host, 16);
  ASSERT_NE(buffer, nullptr);
  EXPECT_EQ(buffer->getSize(), 16u);
  std::memset(buffer->data(), 1, 16);
  EXPECT_NE(std::dynamic_pointer_cast<ucxx::HostBuffer>(buffer), nullptr);
  EXPECT_THROW(allocateBuffer(ucxx::BufferType::Invalid, 16), std::runtime_error);
}

TEST(CompatErrorTest, EachStatusThrowsItsClass) {
  EXPECT_NO_THROW(ucxx::utils::ucsErrorThrow(UCS_OK));
  EXPECT_NO_THROW(ucxx::utils::ucsErrorThrow(UCS_INPROGRESS));
  EXPECT_THROW(ucxx::utils::ucsErrorThrow(UCS_ERR_IO_ERROR), ucxx::IOError);
  EXPECT_THROW(ucxx::utils::ucsErrorThrow(UCS_ERR_CANCELED), ucxx::CanceledError);
  EXPECT_THROW(ucxx::utils::ucsErrorThrow(UCS_ERR_CONNECTION_RESET), ucxx::ConnectionResetError);
  EXPECT_THROW(ucxx::utils::ucsErrorThrow(UCS_ERR_MESSAGE_TRUNCATED), ucxx::MessageTruncatedError);
  EXPECT_THROW(ucxx::utils::ucsErrorThrow(UCS_ERR_LAST_ENDPOINT_FAILURE),
               ucxx::LastEndpointFailureError);
  try {
    ucxx::utils::ucsErrorThrow(UCS_ERR_NO_MEMORY, "while testing");
    FAIL();
  } catch (const ucxx::Error& error) {
    EXPECT_NE(std::string(error.what()).find("while testing"), std::string::npos);
    EXPECT_EQ(error.status(), UCS_ERR_NO_MEMORY);
  }
  EXPECT_THROW(ucxx::utils::ucsErrorThrow(static_cast<ucs_status_t>(-99)), ucxx::Error);
}

TEST(CompatUtilsTest, SocketAddressesReadAsText) {
  char ip[INET6_ADDRSTRLEN];
  char port[INET6_ADDRSTRLEN];
  sockaddr_storage storage{};
  auto& v4 = reinterpret_cast<sockaddr_in&>(storage);
  v4.sin_family = AF_INET;
  v4.sin_port = htons(13337);
  v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ucxx::utils::sockaddr_get_ip_port_str(&storage, ip, port, sizeof ip);
  EXPECT_STREQ(ip, "127.0.0.1");
  EXPECT_STREQ(port, "13337");

  storage = {};
  auto& v6 = reinterpret_cast<sockaddr_in6&>(storage);
  v6.sin6_family = AF_INET6;
  v6.sin6_addr = in6addr_loopback;
  ucxx::utils::sockaddr_get_ip_port_str(&storage, ip, port, sizeof ip);
  EXPECT_STREQ(ip, "::1");
  EXPECT_STREQ(port, "0");

  storage.ss_family = AF_UNIX;
  ucxx::utils::sockaddr_get_ip_port_str(&storage, ip, port, sizeof ip);
  EXPECT_STREQ(ip, "Invalid address family");
}

TEST(CompatUtilsTest, AddressInfoResolvesOrThrows) {
  const auto info = ucxx::utils::get_addrinfo("127.0.0.1", 7);
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->ai_family, AF_INET);
  EXPECT_THROW(ucxx::utils::get_addrinfo("no such host", 7), ucxx::Error);
}

TEST(CompatUtilsTest, TextFilesReadBackWhatWasPrinted) {
  FILE* file = ucxx::utils::createTextFileDescriptor();
  std::fputs("two\nlines\n", file);
  EXPECT_EQ(ucxx::utils::decodeTextFileDescriptor(file), "two\nlines\n");
}

TEST(CompatUtilsTest, NotifierWaitsForTheOtherThread) {
  ucxx::utils::CallbackNotifier notifier;
  int value = 0;
  std::thread setter([&] {
    value = 1;
    notifier.set();
  });
  EXPECT_TRUE(notifier.wait());
  EXPECT_EQ(value, 1);
  setter.join();
  EXPECT_TRUE(notifier.wait(1));
}

TEST(CompatUtilsTest, NotifierSignalsAgainUntilTheTimeIsUp) {
  ucxx::utils::CallbackNotifier notifier;
  int signals = 0;
  EXPECT_FALSE(notifier.wait(
      20'000'000, [&] { ++signals; }, 1'000'000));
  EXPECT_GE(signals, 2);
  signals = 0;
  EXPECT_FALSE(notifier.wait(1'000'000, [&] { ++signals; }));
  EXPECT_EQ(signals, 1);
  EXPECT_TRUE(notifier.wait(0, [&] { notifier.set(); }));
}

TEST(CompatTagProbeTest, ResultsAreMadeByHand) {
  std::shared_ptr<ucxx::TagProbeInfo> none = ucxx::TagProbeInfoBuilder();
  EXPECT_FALSE(none->isMatched());
  EXPECT_THROW(none->getInfo(), std::runtime_error);
  EXPECT_THROW(none->getHandle(), std::runtime_error);
  ucp_tag_recv_info_t info{};
  info.sender_tag = 5;
  info.length = 9;
  auto handle = reinterpret_cast<ucp_tag_message_h>(&info);
  ucxx::TagProbeInfoBuilder builder(info, handle);
  for (const auto& found : {builder.build(), builder.build()}) {
    EXPECT_TRUE(found->isMatched());
    EXPECT_EQ(found->getInfo().senderTag, ucxx::Tag{5});
    EXPECT_EQ(found->getInfo().length, 9u);
    EXPECT_EQ(found->getHandle(), handle);
    EXPECT_EQ(found->releaseHandle(), handle);
    EXPECT_THROW(found->releaseHandle(), std::runtime_error);
  }
}

}  // namespace
