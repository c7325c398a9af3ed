// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/memory/statics.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/available_memory.h"
#include "base/system_error.h"
#include "shmem/checks/failure.h"
#include "shmem/memory/node.h"
#include "shmem/memory/segment.h"

namespace ucxx::shmem {
namespace {

constexpr std::string_view kLibrary = "libucxx_shmem.so";

struct Range {
  std::uintptr_t begin = 0, end = 0;
  bool isEmpty() const noexcept { return begin >= end; }
};

/// What the loader says of the executable, which comes first.
struct Executable {
  std::uintptr_t base = 0;
  std::span<const ElfW(Phdr)> headers;
};

Executable executable() noexcept {
  Executable result;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        *static_cast<Executable*>(out) = {info->dlpi_addr, {info->dlpi_phdr, info->dlpi_phnum}};
        return 1;
      },
      &result);
  return result;
}

Range rangeOf(const Executable& program, const ElfW(Phdr) & header) noexcept {
  const std::uintptr_t begin = program.base + header.p_vaddr;
  return {begin, begin + header.p_memsz};
}

const ElfW(Phdr) * find(const Executable& program, std::uint32_t type) noexcept {
  const auto found = std::find_if(program.headers.begin(), program.headers.end(),
                                  [type](const auto& header) { return header.p_type == type; });
  return found == program.headers.end() ? nullptr : &*found;
}

const ElfW(Dyn) * dynamicOf(const Executable& program) noexcept {
  const auto* const header = find(program, PT_DYNAMIC);
  return header == nullptr ? nullptr
                           : reinterpret_cast<const ElfW(Dyn)*>(rangeOf(program, *header).begin);
}

/// The loader makes addresses of offsets, but not in a dynamic section that is read-only.
const char* stringsAt(const Executable& program, std::uintptr_t address) noexcept {
  return reinterpret_cast<const char*>(address < program.base ? program.base + address : address);
}

/// Among the libraries that the executable itself names.
bool namesThisLibrary(const Executable& program) noexcept {
  const ElfW(Dyn)* const dynamic = dynamicOf(program);
  if (dynamic == nullptr) return false;
  const char* strings = nullptr;
  for (const auto* entry = dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = stringsAt(program, entry->d_un.d_ptr);
  }
  if (strings == nullptr) return false;
  for (const auto* entry = dynamic; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    const std::string_view name = strings + entry->d_un.d_val;
    if (name.substr(name.rfind('/') + 1).substr(0, kLibrary.size()) == kLibrary) return true;
  }
  return false;
}

/// Without what the loader has made read-only: whole pages at the begin of a writable segment.
Range withoutRelro(const Range& segment, const Range& relro) noexcept {
  if (relro.isEmpty() || relro.begin >= segment.end || relro.end <= segment.begin) return segment;
  return {relro.end, segment.end};
}

std::uintptr_t pageBegin(std::uintptr_t address) noexcept { return address & ~(kPage - 1); }

/// Some linkers make several writable segments; all of them lie side by side.
Range writable(const Executable& program) noexcept {
  const auto* const header = find(program, PT_GNU_RELRO);
  Range relro;
  if (header != nullptr) {
    relro = rangeOf(program, *header);
    relro.end = pageBegin(relro.end);  // as the loader does
  }
  Range result;
  for (const auto& segment : program.headers) {
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) == 0) continue;
    const Range part = withoutRelro(rangeOf(program, segment), relro);
    if (part.isEmpty()) continue;
    result.begin = result.begin == 0 ? part.begin : std::min(result.begin, part.begin);
    result.end = std::max(result.end, part.end);
  }
  return {pageBegin(result.begin), pageBegin(result.end + kPage - 1)};
}

/// Where what the file has ends, and only zeros follow.
std::uintptr_t fileEnd(const Executable& program) noexcept {
  std::uintptr_t end = 0;
  for (const auto& segment : program.headers) {
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W) != 0)
      end = std::max(end, program.base + segment.p_vaddr + segment.p_filesz);
  }
  return end;
}

/// What of .bss nobody has touched yet are zeros, on both sides.
void copyTouched(std::byte* to, std::span<const std::byte> statics) {
  constexpr std::uint64_t kPresentOrSwapped = std::uint64_t{3} << 62;
  const std::uintptr_t file_end = fileEnd(executable());
  const int pagemap = ::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  for (std::size_t at = 0; at < statics.size(); at += kPage) {
    std::uint64_t entry = kPresentOrSwapped;  // where the system does not tell
    const auto address = reinterpret_cast<std::uintptr_t>(statics.data() + at);
    const auto place = static_cast<off_t>(address / kPage * sizeof entry);
    if (address < file_end || ::pread(pagemap, &entry, sizeof entry, place) != sizeof entry ||
        (entry & kPresentOrSwapped) != 0)
      std::memcpy(to + at, statics.data() + at, kPage);
  }
  if (pagemap >= 0) ::close(pagemap);
}

void mapAt(std::byte* address, std::size_t bytes, std::size_t offset) {
  void* const mapped = ::mmap(address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                              segmentDescriptor(), static_cast<off_t>(offset));
  if (mapped == MAP_FAILED) base::throwErrno(errno, "map the static variables of the program");
}

std::size_t offsetOfStatics() noexcept {
  return layout().slotOffset(static_cast<std::size_t>(node.me)) + layout().statics_offset;
}

[[noreturn]] void endWithoutRoom(std::size_t bytes) noexcept {
  warn(nullptr,
       "the machine has no memory for the %zu bytes of global and static variables of each PE: %zu "
       "are left for all programs, after a reserve; use fewer PEs, or shmem_malloc for less",
       bytes, static_cast<std::size_t>(base::availableMemory()));
  std::_Exit(1);
}

bool is_mapped = false;
/// Of the thread that forks just now.
thread_local void* child_copy = nullptr;

}  // namespace

std::span<std::byte> findStatics() noexcept {
  const Executable program = executable();
  if (!namesThisLibrary(program)) return {};
  const Range range = writable(program);
  if (range.isEmpty()) return {};
  return {reinterpret_cast<std::byte*>(range.begin), range.end - range.begin};
}

void keepStatics(std::span<std::byte> statics) noexcept {
  node.statics = node.first_statics = statics.data();
  node.statics_bytes = statics.size();
}

void mapStatics(std::span<std::byte> statics) {
  std::byte* const there = node.slots + node.own_shift + layout().statics_offset;
  if (!populate(there, statics.size())) endWithoutRoom(statics.size());
  copyTouched(there, statics);
  mapAt(statics.data(), statics.size(), offsetOfStatics());
  is_mapped = true;
  node.statics = statics.data();
  node.statics_bytes = statics.size();
  node.first_statics = node.slots + layout().statics_offset;
}

// Other threads of the program may write meanwhile, as during each fork. Read where the slot has
// them, of which no sanitizer thinks that there are variables, with gaps between them.
void copyForChild() noexcept {
  if (!is_mapped) return;
  void* const memory = ::mmap(nullptr, node.statics_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  child_copy = memory == MAP_FAILED ? nullptr : memory;
  if (child_copy == nullptr) return;
  std::memcpy(child_copy, node.first_statics + node.own_shift, node.statics_bytes);
}

void dropCopyForChild() noexcept {
  if (child_copy != nullptr) ::munmap(std::exchange(child_copy, nullptr), node.statics_bytes);
}

// It may call only what is safe in a signal handler.
void separateStatics() noexcept {
  if (!is_mapped) return;
  const bool is_separate =
      child_copy != nullptr && ::mremap(child_copy, node.statics_bytes, node.statics_bytes,
                                        MREMAP_MAYMOVE | MREMAP_FIXED, node.statics) != MAP_FAILED;
  child_copy = nullptr;
  is_mapped = false;  // its own children have copies of what it has now, as of all its memory
  if (is_separate) return;
  static constexpr char kText[] =
      "ucxx: no memory for the static variables of a forked child: it ends\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kText, sizeof kText - 1);
  ::_exit(1);
}

}  // namespace ucxx::shmem
