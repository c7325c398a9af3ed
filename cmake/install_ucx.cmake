# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# Copies the wheel's UCX into the installed prefix: headers, shared libraries, transport modules,
# CMake package, ucx_info and ucx_perftest (these two want LD_LIBRARY_PATH, as in the wheel), and
# its licences. Left out: static libraries, and what needs the CUDA runtime. Each library is
# there once, with the link that wheels cannot hold, and without debug symbols: 10 MB, not 150.

set(_lib "${_bundle}/lib")
file(GLOB _libraries "${UCXX_UCX_LIB_DIR}/libuc*.so.0" "${UCXX_UCX_PREFIX}/../libucx_*.libs/libgomp*")
file(GLOB _modules "${UCXX_UCX_LIB_DIR}/ucx/libu*.so.0")
list(FILTER _modules EXCLUDE REGEX "perftest_cuda")
file(GLOB _licences "${UCXX_UCX_PREFIX}/../libucx_*.dist-info/licenses/*")

install(DIRECTORY "${UCXX_UCX_INCLUDE_DIR}/" DESTINATION "${_bundle}/include")
install(DIRECTORY "${UCXX_UCX_LIB_DIR}/cmake" DESTINATION "${_lib}")
install(PROGRAMS ${_libraries} DESTINATION "${_lib}")
install(PROGRAMS ${_modules} DESTINATION "${_lib}/ucx")
install(PROGRAMS "${UCXX_UCX_PREFIX}/bin/ucx_info" "${UCXX_UCX_PREFIX}/bin/ucx_perftest"
        DESTINATION "${_bundle}/bin")
install(FILES ${_licences} DESTINATION "${_bundle}/licenses")

install(
  CODE "
  set(bundle \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${_bundle}\")
  set(strip \"${CMAKE_STRIP}\")"
  CODE [[
  file(GLOB files "${bundle}/lib/*.so.*" "${bundle}/lib/ucx/*.so.*" "${bundle}/bin/*")
  foreach(file IN LISTS files)
    if(strip)
      execute_process(COMMAND "${strip}" --strip-debug "${file}")
    endif()
    if(file MATCHES "/libu[^/]+\\.so\\.0$")
      string(REGEX REPLACE "\\.0$" "" link "${file}")
      cmake_path(GET file FILENAME name)
      file(CREATE_LINK "${name}" "${link}" SYMBOLIC)
    endif()
  endforeach()]])
