# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# ucxx_flags: what every source of ours is compiled with; ucxx_options: the same without the C++
# standard, for tests that are C++17. Never installed, never exported.
# Warnings become errors only in our presets (CMAKE_COMPILE_WARNING_AS_ERROR).

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

add_library(ucxx_options INTERFACE)
add_library(ucxx_flags INTERFACE)
target_compile_features(ucxx_flags INTERFACE cxx_std_20)
target_link_libraries(ucxx_flags INTERFACE ucxx_options)

# Option structs are filled by designated initialisers: what is left out has a default.
target_compile_options(ucxx_options INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor
                                              -Wno-missing-field-initializers)

set(_sanitizers ${UCXX_SANITIZE})
if(UCXX_BUILD_FUZZERS)
  set(_sanitizers fuzzer-no-link address undefined)
endif()
if(_sanitizers)
  list(JOIN _sanitizers "," _sanitizers)
  # vptr asks through a pipe whether memory can be read, which is wrong where no descriptor is left.
  set(_sanitizers "-fsanitize=${_sanitizers}" -fno-sanitize=vptr -fno-sanitize-recover=all)
  target_compile_options(ucxx_options INTERFACE ${_sanitizers})
  target_link_options(ucxx_options INTERFACE ${_sanitizers})
  # GCC sees ghosts when a sanitizer has been at the code.
  target_compile_options(
    ucxx_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-array-bounds;-Wno-stringop-overread>)
else()
  # An extension of Python finds Python in the process.
  set(_is_extension "$<STREQUAL:$<TARGET_PROPERTY:TYPE>,MODULE_LIBRARY>")
  target_link_options(ucxx_options INTERFACE $<$<NOT:${_is_extension}>:LINKER:--no-undefined>)
endif()
