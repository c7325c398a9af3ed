# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# ucxx_precompile(TARGET [headers...]): what most sources include, and those headers, is compiled once
# for the target. Each source still includes what it uses: the preset clang compiles without this.
function(ucxx_precompile target)
  target_precompile_headers(
    ${target}
    PRIVATE
    <algorithm>
    <array>
    <atomic>
    <chrono>
    <cstdint>
    <cstring>
    <functional>
    <map>
    <memory>
    <mutex>
    <optional>
    <span>
    <string>
    <string_view>
    <thread>
    <unordered_map>
    <utility>
    <vector>
    ${ARGN})
endfunction()
