// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

#include <cstddef>

#define UCXX_TEST_DRIVER [[gnu::visibility("default")]]

/// What stands in for libcuda.so.1: from now on it says that these bytes are a device's. They are
/// the host's, so that UCX, which does not ask it, can read them.
UCXX_TEST_DRIVER void takeForDeviceMemory(const void* first, std::size_t size) noexcept;
/// ... or memory that both reach.
UCXX_TEST_DRIVER void takeForManagedMemory(const void* first, std::size_t size) noexcept;
/// ... or memory that only it reaches, as it is on a GPU: the process dies when the processor
/// touches it. Until the next call.
UCXX_TEST_DRIVER void* makeDeviceMemory(std::size_t size) noexcept;
/// How often it was asked whose memory an address is, so far. By its name for Python, too.
extern "C" UCXX_TEST_DRIVER unsigned long cudaDriverQueries() noexcept;
