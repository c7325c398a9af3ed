// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
//
// Active messages: one for whoever asks with `amRecv`, and one that calls a registered receiver.

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <ucxx/api.h>

int main() {
  auto worker = ucxx::createContext()->createWorker();
  auto endpoint = worker->createEndpointFromWorkerAddress(worker->getAddress());

  // A service is known by the name of its library and a number, the same at sender and receiver.
  const ucxx::AmReceiverCallbackInfo count_bytes("example", 1);
  std::size_t counted = 0;
  worker->registerAmReceiverCallback(count_bytes,
                                     [&](const std::shared_ptr<ucxx::Request>& request, ucp_ep_h) {
                                       if (request->getStatus() == UCS_OK)
                                         counted += request->getRecvBuffer()->getSize();
                                     });

  const std::string text = "to the service";
  ucxx::AmSendParams to_service;
  to_service.receiverCallbackInfo = count_bytes;
  auto served = endpoint->amSend(text.data(), text.size(), to_service);

  // The receiver needs to know neither the size nor the header in advance.
  const std::vector<double> values{1.5, 2.5};
  ucxx::AmSendParams with_header;
  with_header.setUserHeader("two doubles");
  auto sent = endpoint->amSend(values.data(), values.size() * sizeof(double), with_header);
  auto received = endpoint->amRecv();
  ucxx::waitRequests(worker, {served, sent, received});

  double first = 0;
  std::memcpy(&first, received->getRecvBuffer()->data(), sizeof first);
  std::printf("the service counted %zu bytes; received \"%s\": %zu bytes, the first value is %g\n",
              counted, received->getRecvHeader().c_str(), received->getRecvBuffer()->getSize(),
              first);
  return counted == text.size() && first == values[0] ? 0 : 1;
}
