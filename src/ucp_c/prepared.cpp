// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

// Prepared transfers, for C.

#include <chrono>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include <ucxx/endpoint.h>
#include <ucxx/exception.h>
#include <ucxx/ucp_prepared.h>
#include <ucxx/worker.h>

#include "base/file_descriptor.h"
#include "core/loop/loop.h"
#include "core/request/handles.h"
#include "ucp_c/calls.h"
#include "ucp_c/handles.h"
#include "ucp_c/param.h"
#include "ucp_c/plan.h"

namespace ucxx::ucp_c {
namespace {

/// What is in the caller's storage.
struct Memh {
  std::uint64_t mark;
  const void* handle;
};
static_assert(sizeof(Memh) <= UCP_PREPARED_MEMH_SIZE);
constexpr std::uint64_t kMemhMark = 0x55435878506c616eU;  // "UCXxPlan"
constexpr std::chrono::seconds kReleasePatience{10};

const void* handleIn(const void* prepared_memh) {
  Memh memh{};
  if (prepared_memh != nullptr) std::memcpy(&memh, prepared_memh, sizeof memh);
  return memh.mark == kMemhMark ? memh.handle : nullptr;
}

struct NeededField {
  std::uint64_t bit;
  const char* name;
};
constexpr NeededField kNeededFields[]{{UCP_BUFFER_PARAM_FIELD_BUFFER, "buffer"},
                                      {UCP_BUFFER_PARAM_FIELD_LENGTH, "length"},
                                      {UCP_BUFFER_PARAM_FIELD_TAG, "tag"},
                                      {UCP_BUFFER_PARAM_FIELD_DIRECTION, "direction"}};
constexpr std::uint64_t kAllFields = 2 * UCP_BUFFER_PARAM_FIELD_MEMH_SIZE - 1;

bool hasField(const ucp_buffer_param_t& param, std::uint64_t bit) noexcept {
  return (param.field_mask & bit) != 0;
}

void requireFree(const void* prepared_memh) {
  const void* const handle = handleIn(prepared_memh);
  if (handle != nullptr && HandleTable<UcpPlan>::all().find(handle) != nullptr)
    throw InvalidParamError(
        fmt::format("the storage at {} holds a prepared transfer; release that first, by "
                    "ucp_release_preparations, or give storage that is 0",
                    prepared_memh));
}

void checkBuffer(const void* prepared_memh, const ucp_buffer_param_t* param) {
  if (prepared_memh == nullptr)
    throw InvalidParamError(
        fmt::format("prepared_memh is null; it is storage of UCP_PREPARED_MEMH_SIZE ({}) bytes",
                    UCP_PREPARED_MEMH_SIZE));
  if (param == nullptr) throw InvalidParamError("param is null; it is a ucp_buffer_param_t");
  if ((param->field_mask & ~kAllFields) != 0)
    throw InvalidParamError(
        fmt::format("the field mask 0x{:x} has bits beyond 0x{:x}", param->field_mask, kAllFields));
  for (const NeededField& needed : kNeededFields)
    if (!hasField(*param, needed.bit))
      throw InvalidParamError(
          fmt::format("the field mask 0x{:x} lacks 0x{:x}: the {} has to be said",
                      param->field_mask, needed.bit, needed.name));
  if (hasField(*param, UCP_BUFFER_PARAM_FIELD_MEMH_SIZE) &&
      param->memh_size < UCP_PREPARED_MEMH_SIZE)
    throw BufferTooSmallError(
        fmt::format("storage of {} bytes; it has to have UCP_PREPARED_MEMH_SIZE ({})",
                    param->memh_size, UCP_PREPARED_MEMH_SIZE));
}

PrepareOptions prepareOptionsOf(const ucp_buffer_param_t& param) {
  PrepareOptions options;
  if (hasField(param, UCP_BUFFER_PARAM_FIELD_PARTITIONS)) options.partitions = param.partitions;
  if (hasField(param, UCP_BUFFER_PARAM_FIELD_CONTRIBUTORS))
    options.contributors = param.contributors;
  return options;
}

std::shared_ptr<UcpPlan> preparePlan(Endpoint& endpoint, const ucp_buffer_param_t& param) {
  const PrepareOptions options = prepareOptionsOf(param);
  auto made = std::make_shared<UcpPlan>();
  switch (numberOf(param.direction)) {
    case UCP_BUFFER_SEND: {
      const auto send = endpoint.prepareSend(param.buffer, param.length, Tag{param.tag}, options);
      made->send = send.get();
      made->plan = send;
      return made;
    }
    case UCP_BUFFER_RECV:
      made->plan = endpoint.prepareRecv(param.buffer, param.length, Tag{param.tag}, options);
      return made;
  }
  throw InvalidParamError(fmt::format(
      "there is no direction {}; there are UCP_BUFFER_SEND ({}) and UCP_BUFFER_RECV ({})",
      numberOf(param.direction), static_cast<int>(UCP_BUFFER_SEND),
      static_cast<int>(UCP_BUFFER_RECV)));
}

ucs_status_t prepareIn(ucp_ep_h endpoint, void* prepared_memh, const ucp_buffer_param_t* param) {
  base::requireNotForked();
  checkBuffer(prepared_memh, param);
  requireFree(prepared_memh);
  const std::shared_ptr<Endpoint> owner = endpointOf(endpoint);
  const std::shared_ptr<UcpPlan> made = preparePlan(*owner, *param);
  made->endpoint = owner;
  made->endpoint_handle = endpoint;
  const Memh memh{kMemhMark, core::handleOf<const void*>(core::nextId())};
  HandleTable<UcpPlan>::all().add(memh.handle, made);
  std::memset(prepared_memh, 0, UCP_PREPARED_MEMH_SIZE);
  std::memcpy(prepared_memh, &memh, sizeof memh);
  return UCS_OK;
}

ucs_status_t releasePlan(ucp_ep_h endpoint, void* prepared_memh) {
  const std::shared_ptr<UcpPlan> found = planIn(prepared_memh);
  if (found->endpoint_handle != endpoint)
    throw InvalidParamError(fmt::format("it was prepared on the endpoint {}, not on {}",
                                        static_cast<const void*>(found->endpoint_handle),
                                        static_cast<const void*>(endpoint)));
  if (found->endpoint->getWorker()->loop().owner.isMine())
    throw InvalidParamError(
        "called in a callback of its worker, where the peer's answer cannot come; call it outside "
        "of callbacks");
  if (!found->plan->close()->wait(kReleasePatience))
    throw TimedOutError(fmt::format(
        "the peer has not answered within {} s, and may still use the buffer; call again later",
        kReleasePatience.count()));
  HandleTable<UcpPlan>::all().take(handleIn(prepared_memh));
  std::memset(prepared_memh, 0, UCP_PREPARED_MEMH_SIZE);
  return UCS_OK;
}

ucs_status_t makeReady(const void* prepared_memh, std::size_t first, std::size_t count) {
  const std::shared_ptr<UcpPlan> found = planIn(prepared_memh);
  if (found->send == nullptr)
    throw InvalidParamError("it receives; the sender makes partitions ready");
  if (count > std::numeric_limits<std::size_t>::max() - first)
    throw InvalidParamError(fmt::format("there are no {} partitions from {} on; it has {}", count,
                                        first, found->plan->partitions()));
  found->send->ready(first, first + count);
  return UCS_OK;
}

}  // namespace

std::shared_ptr<UcpPlan> planIn(const void* prepared_memh) {
  const void* const handle = handleIn(prepared_memh);
  std::shared_ptr<UcpPlan> found =
      handle == nullptr ? nullptr : HandleTable<UcpPlan>::all().find(handle);
  if (found == nullptr)
    throw InvalidParamError(
        fmt::format("nothing is prepared in the storage at {}; it is what "
                    "ucp_prepare_transfers wrote, until "
                    "ucp_release_preparations",
                    prepared_memh));
  return found;
}

}  // namespace ucxx::ucp_c

using namespace ucxx::ucp_c;  // NOLINT(google-build-using-namespace): its own

// NOLINTBEGIN(readability-identifier-naming): UCX's names
ucs_status_t ucxx_prepare_transfers(ucp_ep_h endpoint, void* prepared_memh,
                                    const ucp_buffer_param_t* param) {
  return asStatus("ucp_prepare_transfers",
                  [&] { return prepareIn(endpoint, prepared_memh, param); });
}

ucs_status_t ucxx_release_preparations(ucp_ep_h endpoint, void* prepared_memh) {
  return asStatus("ucp_release_preparations", [&] { return releasePlan(endpoint, prepared_memh); });
}

ucs_status_t ucxx_prepared_start(void* prepared_memh) {
  return asStatus("ucp_prepared_start", [&] {
    planIn(prepared_memh)->plan->start();
    return UCS_OK;
  });
}

ucs_status_t ucxx_prepared_ready(void* prepared_memh, std::size_t first, std::size_t count) {
  return asStatus("ucp_prepared_ready", [&] { return makeReady(prepared_memh, first, count); });
}

ucs_status_t ucxx_prepared_test(void* prepared_memh) {
  return asStatus("ucp_prepared_test", [&] { return planIn(prepared_memh)->plan->getStatus(); });
}

void* ucxx_prepared_handle(void* prepared_memh) {
  void* handle = nullptr;
  asStatus("ucp_prepared_handle", [&] {
    handle = planIn(prepared_memh)->plan->deviceHandle();
    return UCS_OK;
  });
  return handle;
}
// NOLINTEND(readability-identifier-naming)
