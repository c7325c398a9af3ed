// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#pragma once

/// OpenSHMEM 1.6, for C and C++: functions, types, constants; from C11 on the type-generic
/// macros, in C++ overloads of the same names.
#include <ucxx_shmem/functions.h>
#include <ucxx_shmem/types.h>

#if defined(__cplusplus)
#if __cplusplus >= 201103L
extern "C++" {  // old programs include this header in a block of extern "C"
#include <ucxx_shmem/overloads.h>
}
#endif
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#include <ucxx_shmem/generics.h>
#endif
