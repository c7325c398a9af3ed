// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "cuda/driver/operations.h"

#include <chrono>
#include <string>
#include <thread>

#include "cuda/driver/attributes.h"
#include "cuda/driver/blocks.h"
#include "cuda/driver/call.h"
#include "cuda/driver/faults.h"
#include "cuda/driver/reset.h"
#include "cuda/driver/streams.h"
#include "cuda/driver/watchdog.h"

namespace stand_in {
namespace {

using Operation = MemoryOperation;
constexpr unsigned kComparison = 3;  // the bits of the flags

bool isWaitOf(const Operation& operation) {
  return operation.operation == gpu::kWait32 || operation.operation == gpu::kWait64;
}
bool isLong(const Operation& operation) {
  return operation.operation == gpu::kWait64 || operation.operation == gpu::kWrite64;
}

/// A word of memory that operations reach: not managed, and nothing that the driver does not know.
bool isWord(const Operation& operation) {
  const std::size_t size = isLong(operation) ? 8 : 4;
  if (operation.address == 0 || operation.address % size != 0) return false;
  const auto block = blockOfDevice(operation.address, size);
  return block.has_value() && !block->isManaged();
}

Result checkWaitFlags(unsigned flags) {
  if ((flags & ~(kComparison | gpu::kThenFlush)) != 0) return kInvalidValue;
  if ((flags & gpu::kThenFlush) != 0 && !has(kFlushInStreams)) return kNotSupported;
  return (flags & kComparison) == gpu::kNor && !has(kWaitForNor) ? kNotSupported : kSuccess;
}

Result checkOne(const Operation& operation) {
  switch (operation.operation) {
    case gpu::kFlush:
      return has(kFlushInStreams) ? kSuccess : kNotSupported;
    case gpu::kWait32:
    case gpu::kWait64:
      if (const Result result = checkWaitFlags(operation.flags); result != kSuccess) return result;
      break;
    case gpu::kWrite32:
    case gpu::kWrite64:
      if (operation.flags != 0) return kInvalidValue;  // also the one without a barrier
      break;
    default:
      return kInvalidValue;
  }
  if (isLong(operation) && !has(kLongMemoryOperations)) return kNotSupported;
  return isWord(operation) ? kSuccess : kInvalidValue;
}

template <class Word>
Word* wordOf(const Operation& operation) {
  return static_cast<Word*>(pointerTo(reached(operation.address)));
}

/// As the driver compares; "at least" is cyclic.
template <class Word>
bool isOver(const Operation& operation) {
  using Signed = std::make_signed_t<Word>;
  const Word word = __atomic_load_n(wordOf<Word>(operation), __ATOMIC_ACQUIRE);
  const auto value = static_cast<Word>(operation.value);
  switch (operation.flags & kComparison) {
    case gpu::kEqual:
      return word == value;
    case gpu::kAnd:
      return (word & value) != 0;
    case gpu::kNor:
      return static_cast<Word>(~(word | value)) != 0;
    default:
      return static_cast<Signed>(word - value) >= 0;
  }
}

bool isOverNow(const Operation& operation) {
  return isLong(operation) ? isOver<std::uint64_t>(operation) : isOver<std::uint32_t>(operation);
}

std::string textOfWait(const Operation& operation) {
  constexpr const char* kComparisons[]{"at least ", "", "a bit of ", "a zero beside "};
  char address[32];
  std::snprintf(address, sizeof address, "%#llx", operation.address);
  const std::uint64_t word =
      isLong(operation) ? __atomic_load_n(wordOf<std::uint64_t>(operation), __ATOMIC_RELAXED)
                        : __atomic_load_n(wordOf<std::uint32_t>(operation), __ATOMIC_RELAXED);
  return std::string("    ... the word at ") + address + " is " + std::to_string(word) +
         ", awaited: " + kComparisons[operation.flags & kComparison] +
         std::to_string(operation.value);
}

/// Spins for a short while, then lets others run, then naps.
void waitForWord(const Operation& operation) {
  constexpr int kSpins = 200, kYields = 2000;
  for (int round = 0; round < kSpins; ++round)
    if (isOverNow(operation)) return;
  const Waiting waiting([&] { return textOfWait(operation); });
  for (int round = 0; !isLost() && !isOfBefore(); ++round) {
    if (isOverNow(operation)) return;
    if (round < kYields)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  waitForEver();
}

/// After all that the stream has done before, as the default barrier orders.
void doOperation(const Operation& operation) {
  if (isLost() || isOfBefore()) waitForEver();
  if (isWaitOf(operation))
    waitForWord(operation);
  else if (operation.operation == gpu::kWrite64)
    __atomic_store_n(wordOf<std::uint64_t>(operation), operation.value, __ATOMIC_RELEASE);
  else if (operation.operation == gpu::kWrite32)
    __atomic_store_n(wordOf<std::uint32_t>(operation), static_cast<std::uint32_t>(operation.value),
                     __ATOMIC_RELEASE);
}

Result submitOperations(const char* name, gpu::Stream stream, const Operation* operations,
                        unsigned count) {
  const Result result = checkOperations(operations, count);
  if (result != kSuccess || count == 0) return result;
  return submit(stream, taskOf(name, {operations, operations + count}));
}

Result submitOne(const char* name, gpu::Stream stream, int operation, Address address,
                 std::uint64_t value, unsigned flags) {
  return call(name, kInContext, [&] {
    const Operation one{.operation = operation, .address = address, .value = value, .flags = flags};
    return submitOperations(name, stream, &one, 1);
  });
}

/// The first forms, which plain dlsym finds.
Result submitFirst(const char* name, gpu::Stream stream, int operation, Address address,
                   std::uint64_t value, unsigned flags) {
  if (!has(kFirstMemoryOperations)) return call(name, kInContext, [] { return kNotSupported; });
  return submitOne(name, stream, operation, address, value, flags);
}

}  // namespace

Result checkOperations(const MemoryOperation* operations, unsigned count) {
  if (count > kMostInBatch || (operations == nullptr && count > 0)) return kInvalidValue;
  for (unsigned index = 0; index < count; ++index)
    if (const Result result = checkOne(operations[index]); result != kSuccess) return result;
  return kSuccess;
}

Task taskOf(const char* call, std::vector<MemoryOperation> operations) {
  Task task{.type = gpu::kBatchNodeType,
            .call = call,
            .operations = static_cast<unsigned>(operations.size())};
  task.batch = operations;
  task.run = [operations = std::move(operations)] {
    for (const Operation& operation : operations) doOperation(operation);
  };
  return task;
}

// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuStreamWriteValue64_v2(gpu::Stream stream, Address address,
                                             std::uint64_t value, unsigned flags) {
  return submitOne("cuStreamWriteValue64", stream, gpu::kWrite64, address, value, flags);
}

UCXX_CUDA_API Result cuStreamWaitValue64_v2(gpu::Stream stream, Address address,
                                            std::uint64_t value, unsigned flags) {
  return submitOne("cuStreamWaitValue64", stream, gpu::kWait64, address, value, flags);
}

UCXX_CUDA_API Result cuStreamWriteValue32_v2(gpu::Stream stream, Address address,
                                             std::uint32_t value, unsigned flags) {
  return submitOne("cuStreamWriteValue32", stream, gpu::kWrite32, address, value, flags);
}

UCXX_CUDA_API Result cuStreamWaitValue32_v2(gpu::Stream stream, Address address,
                                            std::uint32_t value, unsigned flags) {
  return submitOne("cuStreamWaitValue32", stream, gpu::kWait32, address, value, flags);
}

UCXX_CUDA_API Result cuStreamBatchMemOp_v2(gpu::Stream stream, unsigned count,
                                           MemoryOperation* operations, unsigned flags) {
  constexpr const char* kName = "cuStreamBatchMemOp";
  return call(kName, kInContext, [&] {
    return flags != 0 ? kInvalidValue : submitOperations(kName, stream, operations, count);
  });
}

UCXX_CUDA_API Result cuStreamWriteValue64(gpu::Stream stream, Address address, std::uint64_t value,
                                          unsigned flags) {
  return submitFirst("cuStreamWriteValue64", stream, gpu::kWrite64, address, value, flags);
}

UCXX_CUDA_API Result cuStreamWaitValue64(gpu::Stream stream, Address address, std::uint64_t value,
                                         unsigned flags) {
  return submitFirst("cuStreamWaitValue64", stream, gpu::kWait64, address, value, flags);
}

UCXX_CUDA_API Result cuStreamWriteValue32(gpu::Stream stream, Address address, std::uint32_t value,
                                          unsigned flags) {
  return submitFirst("cuStreamWriteValue32", stream, gpu::kWrite32, address, value, flags);
}

UCXX_CUDA_API Result cuStreamWaitValue32(gpu::Stream stream, Address address, std::uint32_t value,
                                         unsigned flags) {
  return submitFirst("cuStreamWaitValue32", stream, gpu::kWait32, address, value, flags);
}

UCXX_CUDA_API Result cuStreamBatchMemOp(gpu::Stream stream, unsigned count,
                                        MemoryOperation* operations, unsigned flags) {
  if (has(kFirstMemoryOperations)) return cuStreamBatchMemOp_v2(stream, count, operations, flags);
  return call("cuStreamBatchMemOp", kInContext, [] { return kNotSupported; });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
