// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/usage.h"

namespace ucxx::shmem::oshrun {

const char* const kUsage =
    R"(usage: oshrun -n N [OPTION...] PROGRAM [ARGUMENT...]

Runs N PEs of an OpenSHMEM program on this machine, and ends with them.

  -n N, -np N, -c N   how many PEs
  -N N, -ppn N        how many PEs on each node at most; without -n: how many PEs
  --tag-output, -l    each line of output begins with its PE: [3]
  --timeout S         end the job after S seconds (exit status 124)
  --bind-to WHAT      each PE runs on: core: one processor, PE i on the i-th that
                      oshrun may use; socket, numa: the processors of a package, of a
                      NUMA node, in turn; none: any (also --bind WHAT)
  --report-bindings   say where each PE runs
  -x NAME[=VALUE]     a variable for the PEs; without a value: the one of oshrun
  -genv NAME VALUE    the same
  --wdir FOLDER       where the PEs run; a relative PROGRAM is looked for there first
  --host, --hostfile  the machines, as a list or in a file: this one alone
  --nooversubscribe   refuse more PEs than processors
  -v, --verbose       say what oshrun does, and which options have no meaning here
  -q, --quiet         no warnings
  -h, --help          this
  -V, --version       the version

One dash or two; --name=VALUE is --name VALUE; no name is abbreviated. Options of
other launchers that have no meaning here are accepted: --mca A B, --map-by X,
--oversubscribe, --allow-run-as-root and more. Others are refused, with what to write.

PE 0 reads the standard input. SIGUSR1 and SIGUSR2 go on to the PEs. When a PE fails,
the others are ended, and the exit status is that of the PE that failed first
(128 + N: signal N). Otherwise it is 0, or the status of shmem_global_exit; 2: wrong
options, 124: timeout, 126: PROGRAM is not executable, 127: PROGRAM is not found. The
memory of each PE: SHMEM_SYMMETRIC_SIZE=2G, for example.
)";

}  // namespace ucxx::shmem::oshrun
