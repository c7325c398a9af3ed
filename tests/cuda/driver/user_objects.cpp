// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

//
// What graphs keep alive. Its end is told by a thread of the driver.

#include "cuda/driver/call.h"
#include "cuda/driver/callbacks.h"
#include "cuda/driver/graph.h"

struct CUuserObject_st {
  std::shared_ptr<void> object;
  unsigned count;  // references of the program
};

namespace stand_in {
// NOLINTBEGIN(readability-identifier-naming): the driver's names
UCXX_CUDA_API Result cuUserObjectCreate(gpu::UserObject* object, void* data, void (*destroy)(void*),
                                        unsigned count, unsigned flags) {
  constexpr unsigned kNoSynchronisation = 1;  // which has to be said
  return call("cuUserObjectCreate", kInContext, [&] {
    if (object == nullptr || destroy == nullptr || count == 0 || flags != kNoSynchronisation)
      return kInvalidValue;
    const auto end = [destroy](void* pointer) { callBack([=] { destroy(pointer); }); };
    *object = new CUuserObject_st{std::shared_ptr<void>(data, end), count};
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuGraphRetainUserObject(gpu::Graph graph, gpu::UserObject object,
                                             unsigned count, unsigned flags) {
  constexpr unsigned kMove = 1;
  return call("cuGraphRetainUserObject", kInContext, [&] {
    if (!isGraph(graph) || object == nullptr || count == 0 || flags > kMove) return kInvalidValue;
    if (flags == kMove && count > object->count) return kInvalidValue;
    graph->objects.insert(graph->objects.end(), count, object->object);
    if (flags == kMove && (object->count -= count) == 0) delete object;
    return kSuccess;
  });
}

UCXX_CUDA_API Result cuUserObjectRelease(gpu::UserObject object, unsigned count) {
  return call("cuUserObjectRelease", kInContext, [&] {
    if (object == nullptr || count == 0 || count > object->count) return kInvalidValue;
    if ((object->count -= count) == 0) delete object;
    return kSuccess;
  });
}
// NOLINTEND(readability-identifier-naming)

}  // namespace stand_in
