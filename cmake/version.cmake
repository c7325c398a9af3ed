# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# Reads the version from include/ucxx/version.h.
# UCXX_SOVERSION is what an installed program asks for: while the major is 0, each minor may break.

set(_version_header "${CMAKE_CURRENT_LIST_DIR}/../include/ucxx/version.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${_version_header}")

foreach(part MAJOR MINOR PATCH)
  file(STRINGS "${_version_header}" _line REGEX "define UCXX_VERSION_${part} ")
  string(REGEX REPLACE ".* ([0-9]+)$" "\\1" UCXX_VERSION_${part} "${_line}")
endforeach()

set(UCXX_VERSION "${UCXX_VERSION_MAJOR}.${UCXX_VERSION_MINOR}.${UCXX_VERSION_PATCH}")
set(UCXX_SOVERSION "${UCXX_VERSION_MAJOR}")
if(UCXX_VERSION_MAJOR EQUAL 0)
  set(UCXX_SOVERSION "0.${UCXX_VERSION_MINOR}")
endif()
