// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

namespace ucxx::core {

class Channels;
class Conditions;
class DeviceCopies;
class Endpoints;
struct Inbox;
class Links;
class Listeners;
class Requests;
class WatchedPlans;

/// What each room has of a worker, for whoever has nothing but its loop. A room knows the class of
/// another one by its header alone, so it reaches those below it; made by `WorkerState`.
struct Rooms {
  Requests* requests = nullptr;
  DeviceCopies* device_copies = nullptr;
  Conditions* conditions = nullptr;
  Channels* channels = nullptr;
  Inbox* inbox = nullptr;
  WatchedPlans* watched_plans = nullptr;
  Endpoints* endpoints = nullptr;
  Links* links = nullptr;
  Listeners* listeners = nullptr;
};

}  // namespace ucxx::core
