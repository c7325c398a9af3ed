// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
// OpenSHMEM 1.3: initialise, say who one is, finalise.
#include <shmem.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  int major, minor;
  char name[SHMEM_MAX_NAME_LEN];
  shmem_init();
  shmem_info_get_version(&major, &minor);
  shmem_info_get_name(name);
  if (shmem_my_pe() == 0) printf("%s %d.%d with %d PEs\n", name, major, minor, shmem_n_pes());
  if (major != SHMEM_MAJOR_VERSION || minor != SHMEM_MINOR_VERSION || strlen(name) == 0)
    shmem_global_exit(1);
  shmem_finalize();
  return 0;
}
