# SPDX-License-Identifier: BSD-3-Clause
# Copyright (c) 2026 the UCXX founders

include(GoogleTest)

# What UCX and the sanitizers are told in every GoogleTest case. Loading UCX 1.22 takes 0.4 s when it
# patches mmap and its like in place (the default), 3 ms when it replaces relocations; each case is
# a process. The wheel's UCX would then also replace malloc, with one that corrupts the heap: not that.
# Examples and installed programs run with UCX's defaults. They talk to the loopback only.
# With UCX 1.13 replaced relocations deadlock in its own malloc, under ThreadSanitizer they crash
# when a thread ends: there, none.
set(UCXX_TEST_HOOK_MODE reloc)
if(UCXX_UCX_VERSION VERSION_LESS 1.14 OR UCXX_SANITIZE STREQUAL "thread")
  set(UCXX_TEST_HOOK_MODE none)
endif()
set(UCXX_TEST_ENVIRONMENT "UCX_MEM_MMAP_HOOK_MODE=${UCXX_TEST_HOOK_MODE}" "UCX_MEM_MALLOC_RELOC=n"
                          "UCX_NET_DEVICES=lo" "UCX_TLS=tcp")
if(UCXX_SANITIZE)
  set(_supp "${PROJECT_SOURCE_DIR}/tests/sanitizers")
  list(
    APPEND
    UCXX_TEST_ENVIRONMENT
    "ASAN_OPTIONS=detect_stack_use_after_return=1:allocator_may_return_null=1"
    "LSAN_OPTIONS=suppressions=${_supp}/lsan.supp"
    "UBSAN_OPTIONS=print_stacktrace=1"
    "TSAN_OPTIONS=suppressions=${_supp}/tsan.supp:second_deadlock_stack=1:allocator_may_return_null=1")
endif()

# ucxx_add_tests(NAME SOURCES a_test.cpp ... [LABELS l...] [TIMEOUT seconds] [SERIAL] [PUBLIC|GROUND]
#                [CHANNELS] [COPIES filter] [REFUSED filter] [STANDARD 20|17] [LINK targets...]
#                [ENVIRONMENT NAME=value...])
#
# One GoogleTest executable, NAME_tests; each of its cases is a ctest test, NAME.Suite.Case.
# LABELS: unit (default), peers, slow, stress; with smoke, it also runs against the system's UCX.
# SERIAL: nothing runs beside it (for tests that measure). TIMEOUT: of each case; three times as
# long under a sanitizer. Those with the longest begin first.
# CHANNELS: all of them a second time without the local channel, as NAME_ucp.Suite.Case.
# COPIES: those of a GoogleTest filter once more, as NAME_copy.Suite.Case, with payloads that
# processes copy out of each other, and as NAME_ring.Suite.Case, through the ring. REFUSED: those as
# NAME_refused.Suite.Case, where the kernel refuses to copy (needs refuse_copies.cpp).
# PUBLIC: sees what a program sees, the shared library and its headers; GROUND: base, local and door,
# and loads no UCX; else also what is inside.
# The first is base, whose precompiled headers serve all.
function(ucxx_add_tests name)
  cmake_parse_arguments(arg "SERIAL;PUBLIC;GROUND;CHANNELS" "TIMEOUT;STANDARD;COPIES;REFUSED"
                        "SOURCES;LABELS;LINK;ENVIRONMENT" ${ARGN})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  if(UCXX_SANITIZE)
    math(EXPR arg_TIMEOUT "3 * ${arg_TIMEOUT}")
  endif()

  set(target ${name}_tests)
  add_executable(${target} ${arg_SOURCES})
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  if(arg_PUBLIC)
    target_link_libraries(${target} PRIVATE ucxx::ucxx)
  elseif(arg_GROUND)
    target_link_libraries(${target} PRIVATE ucxx_ground)
  else()
    target_link_libraries(${target} PRIVATE ucxx_internal)
  endif()
  if(NOT arg_STANDARD)
    set(arg_STANDARD 20)
  endif()
  set_target_properties(${target} PROPERTIES CXX_STANDARD ${arg_STANDARD})
  target_link_libraries(${target} PRIVATE ucxx_options ${UCXX_FMT} GTest::gtest_main
                                          ${arg_LINK})
  if(name STREQUAL base)
    ucxx_precompile(${target} <gtest/gtest.h>)
  elseif(arg_STANDARD EQUAL 20)
    target_precompile_headers(${target} REUSE_FROM base_tests)
  endif()
  if("smoke" IN_LIST arg_LABELS)
    add_dependencies(smoke ${target})
  endif()

  set(labels ${arg_LABELS})
  ucxx_register_cases(${target} ${name} "*" ${arg_ENVIRONMENT})
  if(arg_CHANNELS)
    ucxx_register_cases(${target} ${name}_ucp "*" ${arg_ENVIRONMENT} UCXX_LOCAL=off)
  endif()
  if(arg_COPIES)
    ucxx_register_cases(${target} ${name}_copy "${arg_COPIES}" ${arg_ENVIRONMENT}
                        UCXX_LOCAL_BULK=copy)
    # Nothing else takes the ring before the ninth payload of a link, where the kernel copies.
    ucxx_register_cases(${target} ${name}_ring "${arg_COPIES}" ${arg_ENVIRONMENT}
                        UCXX_LOCAL_BULK=ring)
  endif()
  if(arg_REFUSED)
    ucxx_register_cases(${target} ${name}_refused "${arg_REFUSED}" ${arg_ENVIRONMENT}
                        UCXX_LOCAL_BULK=copy UCXX_TEST_REFUSE_COPIES=1)
  endif()
endfunction()

# Part of ucxx_add_tests: the cases of `target` that `filter` names, as ctest tests
# PREFIX.Suite.Case.
function(ucxx_register_cases target prefix filter)
  # A case that skips itself is 'Skipped' for ctest, never 'Passed': see tools/dev/summary.py.
  gtest_discover_tests(
    ${target}
    TEST_PREFIX ${prefix}.
    TEST_LIST ${prefix}_cases
    TEST_FILTER "${filter}"
    NO_PRETTY_VALUES
    DISCOVERY_TIMEOUT 60
    PROPERTIES TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT} RUN_SERIAL ${arg_SERIAL})

  # Properties that are lists do not survive gtest_discover_tests: ctest sets them, when it starts.
  set(environment ${UCXX_TEST_ENVIRONMENT} ${ARGN})
  set(script "${CMAKE_CURRENT_BINARY_DIR}/${prefix}_properties.cmake")
  file(WRITE "${script}.new"
       "foreach(case IN LISTS ${prefix}_cases)\n"
       "  set_tests_properties(\"\${case}\" PROPERTIES LABELS \"${labels}\" "
       "ENVIRONMENT \"${environment}\")\n"
       "endforeach()\n")
  file(COPY_FILE "${script}.new" "${script}" ONLY_IF_DIFFERENT)
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${script}")
endfunction()

# ucxx_add_script_test(NAME COMMAND program args... [LABELS l...] [TIMEOUT seconds])
# Any program; exit status 77 means skipped.
function(ucxx_add_script_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "COMMAND;LABELS" ${ARGN})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND})
  set_tests_properties(
    ${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT} COST ${arg_TIMEOUT}
                       SKIP_RETURN_CODE 77)
endfunction()

# ucxx_add_fuzzer(NAME SOURCES fuzz_x.cpp): a libFuzzer target, fuzz_NAME, that ctest runs for
# UCXX_FUZZ_SECONDS. It starts from tests/fuzz/corpus/NAME; what it finds stays in the build folder.
set(UCXX_FUZZ_SECONDS 20 CACHE STRING "How long ctest runs each fuzz target")
function(ucxx_add_fuzzer name)
  cmake_parse_arguments(arg "" "" "SOURCES" ${ARGN})
  set(target fuzz_${name})
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE ucxx_internal ucxx_flags)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)

  set(found "${CMAKE_CURRENT_BINARY_DIR}/found/${name}")
  file(MAKE_DIRECTORY "${found}/corpus")
  set(seeds "${CMAKE_CURRENT_SOURCE_DIR}/corpus/${name}")
  if(NOT EXISTS "${seeds}")
    set(seeds "")
  endif()
  math(EXPR timeout "${UCXX_FUZZ_SECONDS} + 60")
  add_test(NAME fuzz.${name}
           COMMAND ${target} -max_total_time=${UCXX_FUZZ_SECONDS} -timeout=10 -rss_limit_mb=2048
                   -max_len=4096 -print_final_stats=1 "-artifact_prefix=${found}/"
                   "${found}/corpus" ${seeds})
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT ${timeout})
endfunction()
