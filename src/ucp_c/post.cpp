// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders

#include "ucp_c/post.h"

#include <thread>

#include <fmt/format.h>

#include <ucxx/exception.h>

#include "base/file_descriptor.h"
#include "core/request/handles.h"
#include "ucp_c/param.h"

namespace ucxx::ucp_c {
namespace {

/// Null: it has none.
std::shared_ptr<UcpCondition> conditionOf(const ucxx_request_param_t& param) {
  if (!hasBit(param, UCP_OP_ATTR_CONDITION)) return nullptr;
  auto found = HandleTable<UcpCondition>::all().find(param.condition);
  if (found == nullptr)
    throw InvalidParamError(
        fmt::format("the condition {} is none, or was destroyed; make one, by "
                    "ucp_create_condition, and destroy it after the post",
                    static_cast<const void*>(param.condition)));
  return found;
}

std::shared_ptr<UcpRequest> requestWith(const UcpCondition* waits) {
  base::requireNotForked();
  auto made = std::make_shared<UcpRequest>();
  if (waits == nullptr) return made;
  made->condition = waits->condition;
  made->caller_progresses = waits->caller_progresses;
  return made;
}

}  // namespace

Post::Post(const ucxx_request_param_t& param, Telling telling, std::size_t* length)
    : param_(param),
      telling_(telling),
      length_(length),
      waits_(conditionOf(param)),
      handle_(core::handleOf<void*>(core::nextId())),
      result_(requestWith(waits_.get())),
      end_(std::make_shared<UcpEnd>(param, telling, result_->condition, handle_)) {
  HandleTable<UcpRequest>::all().add(handle_, result_);  // what comes later must not fail
}

Post::~Post() {
  if (!is_given_) HandleTable<UcpRequest>::all().take(handle_);
}

ucs_status_ptr_t Post::give(std::shared_ptr<Request> request) {
  result_->request = std::move(request);
  if (waits_ != nullptr) waits_->tellNode();
  const bool goes_on =
      end_->isNeeded() ? end_->announce(result_->request) : !result_->request->isCompleted();
  if (!goes_on) return giveEnded(*result_->request);
  is_given_ = true;
  return handle_;
}

/// It has ended in its call: null, or a handle if the caller wants no such end.
ucs_status_ptr_t Post::giveEnded(const Request& request) {
  while (!request.isCompleted()) std::this_thread::yield();  // its callback is about to come back
  writeReceived(request);
  if (hasBit(param_, UCP_OP_ATTR_FLAG_NO_IMM_CMPL)) {
    end_->call(request, request.getStatus());
    is_given_ = true;
    return handle_;
  }
  request.checkError();
  return nullptr;
}

void Post::writeReceived(const Request& request) const {
  const std::size_t length = request.getReceivedLength();
  if (length_ != nullptr) *length_ = length;
  const bool wants_info =
      hasBit(param_, UCP_OP_ATTR_FIELD_RECV_INFO) && param_.recv_info.tag_info != nullptr;
  if (telling_ == Telling::TagInfo && wants_info)
    *param_.recv_info.tag_info = {request.getSenderTag(), length};
}

}  // namespace ucxx::ucp_c
