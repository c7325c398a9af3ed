// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <ucxx/buffer.h>
#include <ucxx/request.h>

namespace ucxx {

/// One frame of a multi-buffer transfer.
struct BufferRequest {
  std::shared_ptr<Request> request;           ///< completed; of the frame
  std::shared_ptr<std::string> stringBuffer;  ///< always null: there are no header messages here
  std::shared_ptr<Buffer> buffer;             ///< receives: the frame; sends: null
};
using BufferRequestPtr = std::shared_ptr<BufferRequest>;

/// Several buffers in one transfer; the receiver need not know how many or how large.
class UCXX_PUBLIC RequestTagMulti : public Request {
 public:
  using Request::Request;

  /// The frames in order. Written before the completion is visible, constant afterwards.
  std::vector<BufferRequestPtr> _bufferRequests;
  bool _isFilled = false;
};
using RequestTagMultiPtr = std::shared_ptr<RequestTagMulti>;

}  // namespace ucxx
