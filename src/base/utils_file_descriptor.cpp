// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include <cerrno>
#include <ios>
#include <memory>
#include <system_error>

#include <ucxx/utils/file_descriptor.h>

namespace ucxx::utils {

FILE* createTextFileDescriptor() {
  FILE* file = std::tmpfile();
  if (file == nullptr)
    throw std::ios_base::failure("temporary file", std::error_code(errno, std::generic_category()));
  return file;
}

std::string decodeTextFileDescriptor(FILE* file) {
  const std::unique_ptr<FILE, int (*)(FILE*)> owner(file, std::fclose);
  std::string text;
  std::rewind(file);
  char block[4096];
  for (std::size_t n; (n = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, n);
  return text;
}

}  // namespace ucxx::utils
