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

/// Pointers to the objects that the rooms have of one worker, set by `WorkerState`. Each room's
/// header has a function `xOf(loop)` for its object, so a room reaches only those whose header it
/// may include: the rooms below it.
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
