# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# Finds one UCX and defines ucx::ucp and ucx::ucs for it.
#
#   UCXX_UCX=auto     the wheel in ./.venv, else the wheel python3 can import, else the system's
#                     (built by pip: the wheel that its Python can import, else the system's)
#   UCXX_UCX=wheel    the wheel (libucx-cu12), or an error
#   UCXX_UCX=system   what pkg-config finds
#   UCXX_UCX=/prefix  a UCX installed there
#
# The cache variable is taken first; the environment's is its first value.
# Sets UCXX_UCX_{KIND,REASON,VERSION,PREFIX,INCLUDE_DIR,LIB_DIR}. KIND is wheel, system, prefix,
# or project when an enclosing project has already found a UCX.
# UCX's own CMake packages and .pc files are not used to build: the wheel's ucx.pc names a dead
# path, Debian 12's package is not relocatable and cannot be read twice.

set(_ucx_oldest 1.13)

# Sets UCXX_UCX_PREFIX and UCXX_UCX_REASON in the caller when a wheel is there.
function(_ucxx_find_wheel)
  file(GLOB in_venv "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/libucx")
  if(in_venv AND NOT SKBUILD)
    list(GET in_venv 0 prefix)
    set(reason "the wheel in ./.venv")
  else()
    if(SKBUILD)
      set(UCXX_PYTHON3 "${Python_EXECUTABLE}")
    endif()
    find_program(UCXX_PYTHON3 python3)
    mark_as_advanced(UCXX_PYTHON3)
    if(UCXX_PYTHON3)
      execute_process(
        COMMAND "${UCXX_PYTHON3}" -c
                "import importlib.util as u; print(u.find_spec('libucx').submodule_search_locations[0])"
        OUTPUT_VARIABLE prefix ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    endif()
    set(reason "the wheel that ${UCXX_PYTHON3} imports")
  endif()
  if(prefix AND EXISTS "${prefix}/lib/libucp.so.0")
    set(UCXX_UCX_KIND wheel PARENT_SCOPE)
    set(UCXX_UCX_PREFIX "${prefix}" PARENT_SCOPE)
    set(UCXX_UCX_REASON "${reason}" PARENT_SCOPE)
  endif()
endfunction()

# Sets UCXX_UCX_{PREFIX,REASON,VERSION,INCLUDE_DIR,LIB_DIR} in the caller when there is one.
function(_ucxx_find_system)
  find_package(PkgConfig QUIET)
  if(NOT PKG_CONFIG_FOUND)
    return()
  endif()
  pkg_check_modules(_ucxx_pc_ucx QUIET ucx)
  if(_ucxx_pc_ucx_FOUND)
    pkg_get_variable(prefix ucx prefix)
    pkg_get_variable(include_dir ucx includedir)
    pkg_get_variable(lib_dir ucx libdir)
    set(UCXX_UCX_KIND system PARENT_SCOPE)
    set(UCXX_UCX_PREFIX "${prefix}" PARENT_SCOPE)
    set(UCXX_UCX_REASON "the system's, by pkg-config" PARENT_SCOPE)
    set(UCXX_UCX_VERSION "${_ucxx_pc_ucx_VERSION}" PARENT_SCOPE)
    set(UCXX_UCX_INCLUDE_DIR "${include_dir}" PARENT_SCOPE)
    set(UCXX_UCX_LIB_DIR "${lib_dir}" PARENT_SCOPE)
  endif()
endfunction()

# Fills in what a prefix tells by itself: where headers and libraries are, and the version.
macro(_ucxx_read_prefix)
  if(NOT UCXX_UCX_INCLUDE_DIR)
    set(UCXX_UCX_INCLUDE_DIR "${UCXX_UCX_PREFIX}/include")
    find_library(_ucp ucp PATHS "${UCXX_UCX_PREFIX}" NO_CACHE NO_DEFAULT_PATH
                 PATH_SUFFIXES lib lib64 lib/${CMAKE_LIBRARY_ARCHITECTURE})
    cmake_path(GET _ucp PARENT_PATH UCXX_UCX_LIB_DIR)
  endif()
  if(NOT UCXX_UCX_VERSION)
    set(PACKAGE_VERSION)
    include("${UCXX_UCX_LIB_DIR}/cmake/ucx/ucx-config-version.cmake" OPTIONAL)
    set(UCXX_UCX_VERSION "${PACKAGE_VERSION}")
  endif()
endmacro()

function(_ucxx_define_ucx_targets)
  foreach(name ucs ucp)
    add_library(ucx::${name} SHARED IMPORTED GLOBAL)
    set_target_properties(
      ucx::${name}
      PROPERTIES IMPORTED_LOCATION "${UCXX_UCX_LIB_DIR}/lib${name}.so"
                 INTERFACE_INCLUDE_DIRECTORIES "${UCXX_UCX_INCLUDE_DIR}")
  endforeach()
endfunction()

set(UCXX_UCX_KIND)
set(UCXX_UCX_VERSION)
set(UCXX_UCX_INCLUDE_DIR)
set(_wanted "${UCXX_UCX}")
if(NOT _wanted)
  set(_wanted auto)
endif()

if(TARGET ucx::ucp)
  set(UCXX_UCX_KIND project)
  set(UCXX_UCX_REASON "the enclosing project had found it")
  get_target_property(_location ucx::ucp IMPORTED_LOCATION)
  cmake_path(GET _location PARENT_PATH UCXX_UCX_LIB_DIR)
  cmake_path(GET UCXX_UCX_LIB_DIR PARENT_PATH UCXX_UCX_PREFIX)
  get_target_property(UCXX_UCX_INCLUDE_DIR ucx::ucp INTERFACE_INCLUDE_DIRECTORIES)
elseif(_wanted STREQUAL "auto")
  _ucxx_find_wheel()
  if(NOT UCXX_UCX_KIND)
    _ucxx_find_system()
  endif()
elseif(_wanted STREQUAL "wheel")
  _ucxx_find_wheel()
elseif(_wanted STREQUAL "system")
  _ucxx_find_system()
elseif(IS_ABSOLUTE "${_wanted}")
  set(UCXX_UCX_KIND prefix)
  set(UCXX_UCX_PREFIX "${_wanted}")
  set(UCXX_UCX_REASON "the prefix that was asked for")
else()
  message(FATAL_ERROR "UCXX_UCX=${_wanted}: must be auto, wheel, system or an absolute path")
endif()

if(UCXX_UCX_KIND)
  _ucxx_read_prefix()
endif()
if(NOT UCXX_UCX_KIND OR NOT EXISTS "${UCXX_UCX_INCLUDE_DIR}/ucp/api/ucp.h"
   OR NOT EXISTS "${UCXX_UCX_LIB_DIR}/libucp.so")
  message(
    FATAL_ERROR
      "No UCX found (UCXX_UCX=${_wanted}). One of these gives one:\n"
      "  ./dev build                                   installs the pinned wheel into ./.venv\n"
      "  pip install -r tools/requirements/ucx.txt     the same wheel, elsewhere\n"
      "  apt-get install libucx-dev                    the system's\n"
      "  cmake -DUCXX_UCX=/prefix ...                  your own, with headers")
endif()
if(UCXX_UCX_VERSION AND UCXX_UCX_VERSION VERSION_LESS _ucx_oldest)
  message(FATAL_ERROR "UCX ${UCXX_UCX_VERSION} in ${UCXX_UCX_PREFIX} is too old: "
                      "${_ucx_oldest} is the oldest supported")
endif()

if(NOT TARGET ucx::ucp)
  _ucxx_define_ucx_targets()
endif()
message(STATUS "UCX ${UCXX_UCX_VERSION} from ${UCXX_UCX_PREFIX} "
               "(UCXX_UCX=${_wanted}: ${UCXX_UCX_REASON})")

# For ucxx-info, which tells which UCX was chosen and why.
configure_file("${CMAKE_CURRENT_LIST_DIR}/ucx_build.h.in"
               "${PROJECT_BINARY_DIR}/generated/ucp/ucx_build.h" @ONLY)
