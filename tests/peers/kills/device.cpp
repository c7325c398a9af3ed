// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "peers/kills/device.h"

#include <vector>

#include <dlfcn.h>
#include <ucp/api/ucp.h>

#include "cuda/driver/stand_in.h"

/// Instead of UCX's, which has no CUDA here.
extern "C" [[gnu::visibility("default")]] ucs_status_t ucp_context_query(
    ucp_context_h context, ucp_context_attr_t* attributes) {
  const auto query =
      reinterpret_cast<decltype(&ucp_context_query)>(::dlsym(RTLD_NEXT, "ucp_context_query"));
  const ucs_status_t status = query(context, attributes);
  if ((attributes->field_mask & UCP_ATTR_FIELD_MEMORY_TYPES) != 0)
    attributes->memory_types |= UCS_BIT(UCS_MEMORY_TYPE_CUDA);
  return status;
}

namespace ucxx::kills {
namespace {

class DeviceBlock final : public Buffer {
 public:
  explicit DeviceBlock(std::size_t size)
      : Buffer(BufferType::CCCL, size), bytes_(size), is_on_device_(bytes_.data(), size, true) {}
  void* data() override { return bytes_.data(); }

 private:
  std::vector<std::byte> bytes_;
  OnDevice is_on_device_;
};

}  // namespace

OnDevice::OnDevice(const void* first, std::size_t size, bool has_ipc_handle) : first_(first) {
  stand_in::takeMoreForDeviceMemory(first, size, has_ipc_handle);
}

OnDevice::~OnDevice() { stand_in::giveBackTaken(first_); }

void receiveOnDevice(Worker& worker) {
  worker.registerAmAllocator(UCS_MEMORY_TYPE_CUDA,
                             [](std::size_t size) { return std::make_shared<DeviceBlock>(size); });
}

/// Both at a time, so that each has its thread of the driver's.
void startCopies(const std::shared_ptr<Worker>& worker) {
  std::vector<std::byte> device(16), host(16);
  const OnDevice is_on_device(device.data(), device.size(), false);
  const auto own = worker->createEndpointFromWorkerAddress(worker->getAddress());
  stand_in::holdCopies();
  const std::shared_ptr<Request> requests[] = {
      own->tagSend(device.data(), 8, Tag{1}), own->tagRecv(host.data(), 8, Tag{1}),
      own->tagSend(host.data() + 8, 8, Tag{2}), own->tagRecv(device.data() + 8, 8, Tag{2})};
  while (stand_in::copiesInFlight() != 2) worker->progress();
  stand_in::releaseCopies();
  for (const auto& request : requests)
    while (!request->isCompleted()) worker->progress();
}

}  // namespace ucxx::kills
