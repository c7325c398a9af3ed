// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Sends files to another process, all of them as one multi-buffer message:
//
//   example_send_files --listen PORT FOLDER      receives into FOLDER (PORT 0: any that is free)
//   example_send_files HOST:PORT FILE...         sends
//
// The first frame lists the files (checksum, size, name), each further frame is one file. The
// receiver knows nothing beforehand: the message brings its own sizes, and the library allocates.

#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <future>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <ucxx/api.h>

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr ucxx::Tag kFiles{1}, kReceipt{2};
constexpr auto kPatience = std::chrono::seconds(120);

/// CRC-32 as in zip and zlib.
std::uint32_t checksum(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> entries{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t value = i;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xEDB88320u : 0);
      entries[i] = value;
    }
    return entries;
  }();
  std::uint32_t sum = ~0u;
  for (const unsigned char byte : bytes) sum = sum >> 8 ^ table[(sum ^ byte) & 0xFF];
  return ~sum;
}

/// Waits for a transfer; a failure of the peer or of the network throws.
void finish(ucxx::Request& request) {
  if (!request.wait(kPatience)) throw std::runtime_error("nothing happened for a long time");
  request.checkError();
}

std::string read(const fs::path& path) {
  std::string content(fs::file_size(path), '\0');
  std::ifstream(path, std::ios::binary)
      .read(content.data(), static_cast<std::streamsize>(content.size()));
  return content;
}

void send(ucxx::Endpoint& endpoint, const std::vector<std::string>& paths) {
  std::vector<std::string> contents;
  std::ostringstream list;
  for (const std::string& path : paths) {
    contents.push_back(read(path));
    list << checksum(contents.back()) << ' ' << contents.back().size() << ' '
         << fs::path(path).filename().string() << '\n';
  }
  contents.insert(contents.begin(), list.str());

  std::vector<const void*> buffers;
  std::vector<std::size_t> sizes;
  std::size_t total = 0;
  for (const std::string& content : contents) {
    buffers.push_back(content.data());
    sizes.push_back(content.size());
    total += content.size();
  }
  const std::vector<int> in_device_memory(buffers.size(), 0);

  const auto start = Clock::now();
  const auto sent = endpoint.tagMultiSend(buffers, sizes, in_device_memory, kFiles);
  finish(*sent);  // until here the buffers belong to the request
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();

  char receipt = 0;
  finish(*endpoint.tagRecv(&receipt, sizeof receipt, kReceipt));
  if (receipt != 1) throw std::runtime_error("the receiver says that the files are damaged");
  const double megabytes = static_cast<double>(total) / 1e6;
  std::printf("sent %zu files, %.1f MB in %.3f s: %.2f GB/s\n", paths.size(), megabytes, seconds,
              megabytes / 1e3 / seconds);
}

/// Writes one file; false when it is not what its line of the list says.
bool store(const std::string& line, ucxx::Buffer& frame, const fs::path& folder) {
  std::istringstream words(line);
  std::uint32_t sum = 0;
  std::size_t size = 0;
  std::string name;
  std::getline(words >> sum >> size >> std::ws, name);
  // The name comes from somebody else: a name it must be, no path.
  if (name.empty() || name == "." || name == ".." || name.find('/') != name.npos)
    throw std::runtime_error("refused to write '" + name + "'");
  const std::string_view content(static_cast<const char*>(frame.data()), frame.getSize());
  std::ofstream(folder / name, std::ios::binary)
      .write(content.data(), static_cast<std::streamsize>(content.size()));
  const bool intact = content.size() == size && checksum(content) == sum;
  std::printf("%s %s (%zu bytes)\n", intact ? "received" : "DAMAGED ", name.c_str(),
              content.size());
  return intact;
}

bool receive(ucxx::Endpoint& endpoint, const fs::path& folder) {
  const auto request = endpoint.tagMultiRecv(kFiles, ucxx::TagMaskFull);
  finish(*request);
  const auto& frames = dynamic_cast<ucxx::RequestTagMulti&>(*request)._bufferRequests;
  if (frames.empty()) throw std::runtime_error("the message has no list of files");

  fs::create_directories(folder);
  ucxx::Buffer& list = *frames.front()->buffer;
  std::istringstream lines(std::string(static_cast<const char*>(list.data()), list.getSize()));
  bool intact = true;
  std::size_t count = 1;
  for (std::string line; std::getline(lines, line); ++count)
    intact = count < frames.size() && store(line, *frames[count]->buffer, folder) && intact;
  intact = intact && count == frames.size();
  const char receipt = intact ? 1 : 0;
  finish(*endpoint.tagSend(&receipt, sizeof receipt, kReceipt));
  return intact;
}

static std::uint16_t portOf(const std::string& text) {
  unsigned port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc() || end != text.data() + text.size() || port > 65535)
    throw std::invalid_argument("\"" + text + "\" is no port: a number up to 65535 is");
  return static_cast<std::uint16_t>(port);
}

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool listens = arguments.size() == 3 && arguments[0] == "--listen";
  const std::size_t colon = arguments.empty() ? std::string::npos : arguments[0].rfind(':');
  if (!listens && (arguments.size() < 2 || colon == std::string::npos)) {
    std::cerr << "usage: example_send_files --listen PORT FOLDER | HOST:PORT FILE...\n";
    return 2;
  }
  try {
    const auto worker = ucxx::createContext()->createWorker();
    worker->startProgressThread();
    bool good = true;
    if (listens) {
      std::promise<ucp_conn_request_h> asked;
      const auto listener = worker->createListener(
          portOf(arguments[1]),
          [](ucp_conn_request_h request, void* promise) {
            static_cast<std::promise<ucp_conn_request_h>*>(promise)->set_value(request);
          },
          &asked);
      std::cout << "listening at port " << listener->getPort() << std::endl;
      const auto endpoint = listener->createEndpointFromConnRequest(asked.get_future().get());
      good = receive(*endpoint, arguments[2]);
      endpoint->closeBlocking();
    } else {
      const auto endpoint = worker->createEndpointFromHostname(
          arguments[0].substr(0, colon), portOf(arguments[0].substr(colon + 1)));
      send(*endpoint, {arguments.begin() + 1, arguments.end()});
      endpoint->closeBlocking();
    }
    worker->stopProgressThread();
    return good ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "send_files: " << error.what() << '\n';
    return 1;
  }
}
