// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/option_rules.h"

#include "shmem/oshrun/option_actions.h"

namespace ucxx::shmem::oshrun {
namespace {

using enum Takes;

constexpr OptionRule flag(std::string_view names, bool Options::*member) {
  return {names, Nothing, setFlag, "", member};
}

/// `why` it has no meaning here.
constexpr OptionRule accepted(std::string_view names, Takes takes, const char* why) {
  return {names, takes, accept, why};
}

/// An option that has to be written in another way. Its values are not looked at.
constexpr OptionRule refused(std::string_view names, const char* advice) {
  return {names, PerhapsValue, refuse, advice};
}

constexpr const char* kSetting = "a setting of another library";
constexpr const char* kNodes = "there is one machine, and nothing is started on others";
constexpr const char* kAlways = "oshrun always does so";
constexpr const char* kPlaces = "all PEs are on one machine; --bind-to says where they run";

constexpr const char* kAllVariables = "leave it out: PEs have all variables of oshrun";
constexpr const char* kNoVariables = "write env -i before oshrun: PEs have the variables of oshrun";
constexpr const char* kNumber = "use -n N, the number of PEs";
constexpr const char* kLeaveOut = "leave it out: oshrun runs on this machine, at once";
constexpr const char* kBind =
    "use --bind-to core, which gives each PE a processor, or socket, or numa";
constexpr const char* kTaskset = "write taskset -c LIST before oshrun, and --bind-to core";
constexpr const char* kFile = "write > FILE after the command, or --tag-output";
constexpr const char* kOne = "oshrun starts one program for all PEs; use oshrun -n N PROGRAM";
constexpr const char* kDebugger =
    "start the debugger as the program: oshrun -n 2 xterm -e gdb PROGRAM";
constexpr const char* kNoRecovery = "leave it out: a job of OpenSHMEM ends when a PE fails";
constexpr const char* kAdd = "write env PATH=FOLDER:$PATH before oshrun";

constexpr OptionRule kRules[] = {
    // Those of oshrun, under the names that they have in any launcher.
    {"h help", Nothing, setHelp},
    {"V version info", Nothing, setVersion},
    {"n np c", Value, setPes},
    {"N ppn perhost npernode", Value, setNodePes},
    {"pernode", Nothing, setOneNodePe},
    {"map-by", Value, setMapping, kPlaces},
    {"ppr", Value, setObjectPes, kPlaces},
    flag("v vv vvv verbose", &Options::verbose),
    flag("q quiet Q", &Options::quiet),
    flag("l tag-output prepend-rank label", &Options::tag_output),
    {"timeout", Value, setTimeout},
    {"bind bind-to", Value, setBinding},
    {"bind-to-core", Nothing, setNamedBinding, "core"},
    {"bind-to-socket", Nothing, setNamedBinding, "socket"},
    {"bind-to-numa", Nothing, setNamedBinding, "numa"},
    {"bind-to-none", Nothing, setNamedBinding, "none"},
    flag("report-bindings", &Options::report_bindings),
    {"nooversubscribe", Nothing, setNoOversubscribe},
    {"oversubscribe overcommit O", Nothing, setOversubscribe,
     "PEs may outnumber the processors anyway"},
    {"x", Value, setVariable},
    {"genv env", TwoValues, setVariableAndValue},
    {"genvlist envlist", Value, setVariableList},
    {"wdir wd dir", Value, setFolder},
    {"host H hosts", Value, checkHosts},
    {"hostfile f machinefile default-hostfile", Value, checkHostFile},
    {"output", Value, setOutput, "use tag, or write > FILE after the command for a file"},
    {"display", Value, setDisplay, "use -v, or --report-bindings"},
    {"stdin", Value, setInput, "use 0: PE 0 reads the standard input; for none, write < /dev/null"},
    {"K kill-on-bad-exit", PerhapsDigit, checkEnd, kNoRecovery},

    // Those without a meaning here.
    accepted("allow-run-as-root", Nothing, "oshrun runs as any user"),
    accepted("mca gmca omca gomca prtemca gprtemca pmixmca gpmixmca", TwoValues, kSetting),
    accepted("am tune pmixam personality", Value, kSetting),
    accepted("mpi", Value, "the PEs reach each other by oshrun"),
    accepted("rank-by ranks-by m distribution", Value, kPlaces),
    accepted("bynode bycore byslot bysocket loadbalance use-hwthread-cpus print-rank-map", Nothing,
             kPlaces),
    accepted("cpus-per-proc cpus-per-rank", Value, kPlaces),
    accepted("prefix launcher bootstrap launcher-exec bootstrap-exec launch-agent rmk iface "
             "localhost order-nodes",
             Value, kNodes),
    accepted("noprefix novm do-not-resolve preload-binary localonly use-regexp", Nothing, kNodes),
    accepted("exact overlap", Nothing, "oshrun starts one job, at once"),
    accepted("preload-files threads max-vm-size cf cartofile", Value, kNodes),
    accepted("topolib demux", Value, kSetting),
    accepted("usize", Value, "PEs start no more PEs"),
    accepted("tmpdir", Value, "oshrun writes no files"),
    accepted("display-map display-allocation display-devel-map display-devel-allocation "
             "display-diffable-map display-topo",
             Nothing, "-v and --report-bindings say what there is to say"),
    accepted("debug-daemons debug-daemons-file debug-devel leave-session-attached show-progress",
             Nothing, "oshrun has no daemons"),
    accepted("forward-signals", Value, "SIGUSR1 and SIGUSR2 always go on to the PEs"),
    accepted("get-stack-traces report-state-on-timeout", Nothing,
             "at a timeout oshrun always says where the PEs were"),
    accepted("disable-recovery abort-on-non-zero-status", Nothing, kAlways),
    accepted("W wait", Value, "when a PE fails oshrun ends the others at once"),
    accepted("print-all-exitcodes silent-abort", Nothing, "oshrun says which PE failed, and how"),
    accepted("u unbuffered", Nothing, "oshrun never holds output back for longer than a line"),

    // Those of other launchers that have another form here.
    refused("genvall envall", kAllVariables),
    refused("genvnone envnone", kNoVariables),
    refused("export", "use -x NAME=VALUE; PEs have all variables of oshrun"),
    refused("e", "use -x NAME=VALUE for a variable, and write 2> FILE for a file"),
    refused("ntasks pes", kNumber),
    refused("ntasks-per-node", "use -n N or -N N: all PEs are on this machine"),
    refused("npersocket ntasks-per-socket ntasks-per-core S", kNumber),
    refused("cpu-bind cpu_bind cc bind-to-board bind-to-hwthread binding", kBind),
    refused("cpu-set cpu-list slot-list rankfile rf", kTaskset),
    refused("membind mem-bind mem_bind ss", "write numactl before oshrun"),
    refused("d depth j cpus-per-task threads-per-core hint",
            "leave it out, and set OMP_NUM_THREADS for threads"),
    refused("nodes nodelist w exclude node-list L nolocal", kLeaveOut),
    refused("p partition A account J job-name exclusive mem mem-per-cpu C constraint qos "
            "reservation jobid gpus gpus-per-node gpus-per-task gpu-bind gres comment mail-type "
            "mail-user immediate I E propagate G F r a b T",
            kLeaveOut),
    refused("t time", "use --timeout SECONDS"),
    refused("o error output-filename outfile-pattern errfile-pattern", kFile),
    refused("i input", "write < FILE after the command: PE 0 reads it"),
    refused("timestamp-output", "write | ts after the command (Debian: moreutils)"),
    refused("merge-stderr-to-stdout", "write 2>&1 after the command"),
    refused("prepend-pattern", "use --tag-output, which begins each line with [PE]"),
    refused("xml xml-file", "leave it out: oshrun writes plain text"),
    refused("D chdir", "use --wdir FOLDER"),
    refused("path", kAdd),
    refused("umask", "write umask MASK; before oshrun"),
    refused("app configfile multi-prog", kOne),
    refused("pty", "leave it out: the PEs have the terminal of oshrun"),
    refused("xterm", "use oshrun -n N xterm -e PROGRAM"),
    refused("debug debugger tv gtool gdb gdba stop-on-exec stop-in-init stop-in-app", kDebugger),
    refused("enable-recovery disable-auto-cleanup continuous max-restarts no-kill k with-ft",
            kNoRecovery),
    refused("s",
            "write --preload-binary or --oversubscribe for what it is to Open MPI or Slurm; PE 0 "
            "alone reads the standard input"),
    refused("report-pid", "write oshrun ... & echo $!"),
    refused("report-uri report-events dvm hnp ompi-server",
            "leave it out: nothing connects to oshrun"),
    refused("signal", "leave it out: SIGUSR1 and SIGUSR2 that oshrun gets go on to the PEs"),
    refused("cpu-freq", "leave it out: PEs run at the frequency that the system chooses"),
    refused("do-not-launch", "leave it out; -v says what oshrun does"),
};

}  // namespace

std::span<const OptionRule> optionRules() { return kRules; }

}  // namespace ucxx::shmem::oshrun
