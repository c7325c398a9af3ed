# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders
#
# What `./dev install PREFIX` (cmake --install) lays down:
#
#   include/ucxx/             public headers
#   lib/libucxx.so            and lib/cmake/ucxx, lib/pkgconfig/ucxx.pc
#   lib/ucxx/ucx/             the UCX, when it was a wheel's: a copy, so that the prefix lives without
#                             the wheel and can be moved; a UCX of the system or of another prefix
#                             is used where it is; none in a Python wheel, whose folder ucxx/ is the
#                             prefix: there libucx, another wheel, lies beside it
#   bin/                      ucxx-info, ucxx-perftest
#   include/shmem.h ...       and lib/libucxx_shmem.so, lib/pkgconfig/ucxx_shmem.pc, bin/oshrun,
#                             bin/oshcc, bin/oshc++
#
# In a Python wheel the prefix is the folder of the package, and what belongs on the path is with the
# scripts of the environment: oshrun itself, and oshcc and oshc++ by python/ucxx/cli/oshcc.py.
#
# Everything finds everything by $ORIGIN; only a UCX at another prefix is named by its path.

include(CMakePackageConfigHelpers)
set(_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ucxx")
set(_bundle "${CMAKE_INSTALL_LIBDIR}/ucxx/ucx")
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_FULL_BINDIR}"
           OUTPUT_VARIABLE _bin_to_lib)

# Run paths, and how a program finds the same UCX.
if(SKBUILD)
  set(_namelink NAMELINK_SKIP) # wheels hold no links
  set(_ucx_rpath "$ORIGIN/../../libucx/lib")
  set(_config_ucx_prefix "\${PACKAGE_PREFIX_DIR}/../libucx")
elseif(UCXX_UCX_KIND STREQUAL "wheel")
  include(cmake/install_ucx.cmake)
  set(_ucx_rpath "$ORIGIN/ucxx/ucx/lib")
  set(_tool_ucx_rpath "$ORIGIN/${_bin_to_lib}/ucxx/ucx/lib")
  set(_config_ucx_prefix "\${PACKAGE_PREFIX_DIR}/${_bundle}")
  set(_pc_ucx "\${libdir}/ucxx/ucx")
elseif(UCXX_UCX_KIND STREQUAL "system")
  set(_ucx_rpath "")
  set(_tool_ucx_rpath "")
  set(_config_ucx_prefix "")
else()
  set(_ucx_rpath "${UCXX_UCX_LIB_DIR}")
  set(_tool_ucx_rpath "${UCXX_UCX_LIB_DIR}")
  set(_config_ucx_prefix "${UCXX_UCX_PREFIX}")
  set(_pc_ucx "${UCXX_UCX_PREFIX}")
endif()
set_target_properties(ucxx PROPERTIES INSTALL_RPATH "${_ucx_rpath}")
get_property(_tools GLOBAL PROPERTY UCXX_TOOLS)
foreach(tool IN LISTS _tools)
  set_target_properties(${tool} PROPERTIES INSTALL_RPATH
                                           "$ORIGIN/${_bin_to_lib};${_tool_ucx_rpath}")
endforeach()

install(
  TARGETS ucxx ${_tools}
  EXPORT ucxx
  LIBRARY ${_namelink}
  FILE_SET HEADERS)

if(TARGET ucxx_shmem)
  install(
    TARGETS ucxx_shmem
    EXPORT ucxx_shmem
    LIBRARY ${_namelink}
    FILE_SET HEADERS)
  if(SKBUILD)
    install(TARGETS oshrun DESTINATION "${SKBUILD_SCRIPTS_DIR}")
    # What `-lucxx_shmem` finds: a text for the linker, in place of the link.
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/src/shmem/installed/libucxx_shmem.so"
         CONTENT "INPUT(libucxx_shmem.so.${UCXX_SOVERSION})\n")
    install(FILES "${PROJECT_BINARY_DIR}/src/shmem/installed/libucxx_shmem.so"
            DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  else()
    install(TARGETS oshrun EXPORT ucxx_shmem)
  endif()
  install(EXPORT ucxx_shmem NAMESPACE ucxx:: DESTINATION "${_cmake_dir}"
          FILE ucxx-shmem-targets.cmake)
  install(PROGRAMS "${PROJECT_BINARY_DIR}/src/shmem/installed/oshcc"
                   "${PROJECT_BINARY_DIR}/src/shmem/installed/oshc++"
          DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

# find_package(ucxx) -> ucxx::ucxx, ucxx::shmem; those of OpenSHMEM are exported by themselves, as
# they need no UCX
install(EXPORT ucxx NAMESPACE ucxx:: DESTINATION "${_cmake_dir}" FILE ucxx-targets.cmake)
configure_package_config_file(cmake/ucxx-config.cmake.in "${PROJECT_BINARY_DIR}/ucxx-config.cmake"
                              INSTALL_DESTINATION "${_cmake_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ucxx-config-version.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/ucxx-config.cmake"
              "${PROJECT_BINARY_DIR}/ucxx-config-version.cmake" DESTINATION "${_cmake_dir}")

if(SKBUILD)
  return() # pkg-config wants the link; pip lays down the licence
endif()

# pkg-config ucxx. It gives the run path as well: without it a program that calls ucp_* itself would
# load the system's UCX next to ours.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
           BASE_DIRECTORY "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" OUTPUT_VARIABLE _pc_to_prefix)
set(_pc_libs "-L\${libdir} -lucxx -Wl,-rpath,\${libdir}")
if(UCXX_UCX_KIND STREQUAL "system")
  set(_pc_requires "Requires: ucx >= 1.13\n")
else()
  cmake_path(RELATIVE_PATH UCXX_UCX_LIB_DIR BASE_DIRECTORY "${UCXX_UCX_PREFIX}"
             OUTPUT_VARIABLE _ucx_lib)
  set(_pc_ucx_dir "ucxdir=${_pc_ucx}\n")
  set(_pc_cflags " -I\${ucxdir}/include")
  string(APPEND _pc_libs " -L\${ucxdir}/${_ucx_lib} -lucp -lucs -Wl,-rpath,\${ucxdir}/${_ucx_lib}")
endif()
configure_file(cmake/ucxx.pc.in "${PROJECT_BINARY_DIR}/ucxx.pc" @ONLY)
configure_file(cmake/ucxx_shmem.pc.in "${PROJECT_BINARY_DIR}/ucxx_shmem.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/ucxx.pc" "${PROJECT_BINARY_DIR}/ucxx_shmem.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
