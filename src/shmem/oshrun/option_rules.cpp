// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/option_rules.h"

#include <vector>

#include "shmem/oshrun/option_actions.h"

namespace ucxx::shmem::oshrun {
namespace {

struct OptionRule : OptionForm {
  Action act = nullptr;
  const char* text = "";  ///< for the action
};

constexpr int kByEquals = OptionForm::kByEquals;

/// Options of oshrun, under the names that they have in any launcher.
constexpr OptionRule kOwn[] = {
    {{"h help", 0}, setHelp},
    {{"V version", 0}, setVersion},
    {{"n np c", 1}, setPes},
    {{"N ppn perhost npernode", 1}, setNodePes},
    {{"pernode", 0}, setOneNodePe},
    {{"map-by", 1}, setMapping, "all PEs are on one machine; --bind-to says where they run"},
    {{"v verbose", 0}, setVerbose},
    {{"q quiet Q", 0}, setQuiet},
    {{"l tag-output prepend-rank label", 0}, setTagOutput},
    {{"timeout", 1}, setTimeout},
    {{"bind bind-to", 1}, setBinding},
    {{"bind-to-core", 0}, setNamedBinding, "core"},
    {{"bind-to-socket", 0}, setNamedBinding, "socket"},
    {{"bind-to-none", 0}, setNamedBinding, "none"},
    {{"report-bindings", 0}, setReportBindings},
    {{"nooversubscribe", 0}, setNoOversubscribe},
    {{"x", 1}, setVariable},
    {{"genv env", 2}, setVariableAndValue},
    {{"genvlist envlist", 1}, setVariableList},
    {{"wdir wd dir", 1}, setFolder},
    {{"host H hosts", 1}, checkHosts},
    {{"hostfile f machinefile default-hostfile", 1}, checkHostFile},
    {{"output", 1}, setOutput, "use tag, or write > FILE after the command for a file"},
    {{"display", 1}, setDisplay, "use -v, or --report-bindings"},
    {{"stdin", 1}, setInput, "use 0: PE 0 reads the standard input; for none, write < /dev/null"},
};

constexpr const char* kSetting = "a setting of another library";
constexpr const char* kNodes = "there is one machine, and nothing is started on others";
constexpr const char* kAlways = "oshrun always does so";
constexpr const char* kPlaces = "all PEs are on one machine; --bind-to says where they run";

/// Options that are accepted, and the reason why they have no meaning here.
constexpr OptionRule kAccepted[] = {
    {{"oversubscribe", 0}, accept, "PEs may always outnumber the processors"},
    {{"allow-run-as-root", 0}, accept, "oshrun runs as any user"},
    {{"mca gmca omca gomca prtemca gprtemca pmixmca gpmixmca", 2}, accept, kSetting},
    {{"am tune", 1}, accept, kSetting},
    {{"mpi", 1}, accept, "the PEs reach each other by oshrun"},
    {{"rank-by ranks-by m distribution", 1}, accept, kPlaces},
    {{"bynode bycore byslot bysocket use-hwthread-cpus", 0}, accept, kPlaces},
    {{"cpus-per-proc cpus-per-rank", 1}, accept, kPlaces},
    {{"prefix launcher bootstrap launcher-exec bootstrap-exec launch-agent rmk iface", 1},
     accept,
     kNodes},
    {{"noprefix novm do-not-resolve preload-binary s localonly", 0}, accept, kNodes},
    {{"preload-files", 1}, accept, kNodes},
    {{"display-map display-allocation display-devel-map display-topo", 0},
     accept,
     "-v and --report-bindings say what there is to say"},
    {{"debug-daemons leave-session-attached show-progress", 0}, accept, "oshrun has no daemons"},
    {{"forward-signals", 1}, accept, "SIGUSR1 and SIGUSR2 always go on to the PEs"},
    {{"get-stack-traces report-state-on-timeout", 0},
     accept,
     "at a timeout oshrun always says where the PEs were"},
    {{"disable-recovery abort-on-non-zero-status", 0}, accept, kAlways},
    {{"K kill-on-bad-exit", kByEquals}, accept, kAlways},
    {{"u unbuffered T", 0}, accept, "oshrun never holds output back for longer than a line"},
};

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

/// Options that have to be written in another way, and how. Their values are not looked at.
constexpr OptionRule kRefused[] = {
    {{"genvall envall", kByEquals}, refuse, kAllVariables},
    {{"genvnone envnone", kByEquals}, refuse, kNoVariables},
    {{"export", kByEquals}, refuse, "use -x NAME=VALUE; PEs have all variables of oshrun"},
    {{"e", kByEquals}, refuse, "use -x NAME=VALUE for a variable, and write 2> FILE for a file"},
    {{"ntasks pes", kByEquals}, refuse, kNumber},
    {{"ntasks-per-node", kByEquals}, refuse, "use -n N or -N N: all PEs are on this machine"},
    {{"npersocket ntasks-per-socket S", kByEquals}, refuse, kNumber},
    {{"cpu-bind cpu_bind cc bind-to-board bind-to-hwthread binding", kByEquals}, refuse, kBind},
    {{"cpu-set cpu-list slot-list rankfile rf", kByEquals}, refuse, kTaskset},
    {{"membind mem-bind mem_bind ss", kByEquals}, refuse, "write numactl before oshrun"},
    {{"d depth j cpus-per-task threads-per-core hint", kByEquals},
     refuse,
     "leave it out, and set OMP_NUM_THREADS for threads"},
    {{"nodes nodelist w exclude node-list L nolocal", kByEquals}, refuse, kLeaveOut},
    {{"p partition A account J job-name exclusive mem mem-per-cpu C constraint qos reservation "
      "jobid overlap gpus gres",
      kByEquals},
     refuse,
     kLeaveOut},
    {{"t time", kByEquals}, refuse, "use --timeout SECONDS"},
    {{"o error output-filename outfile-pattern errfile-pattern", kByEquals}, refuse, kFile},
    {{"i input", kByEquals}, refuse, "write < FILE after the command: PE 0 reads it"},
    {{"timestamp-output", kByEquals}, refuse, "write | ts after the command (Debian: moreutils)"},
    {{"merge-stderr-to-stdout", kByEquals}, refuse, "write 2>&1 after the command"},
    {{"prepend-pattern", kByEquals}, refuse, "use --tag-output, which begins each line with [PE]"},
    {{"xml", kByEquals}, refuse, "leave it out: oshrun writes plain text"},
    {{"D chdir", kByEquals}, refuse, "use --wdir FOLDER"},
    {{"path", kByEquals}, refuse, kAdd},
    {{"umask", kByEquals}, refuse, "write umask MASK; before oshrun"},
    {{"app configfile multi-prog", kByEquals}, refuse, kOne},
    {{"pty", kByEquals}, refuse, "leave it out: the PEs have the terminal of oshrun"},
    {{"xterm", kByEquals}, refuse, "use oshrun -n N xterm -e PROGRAM"},
    {{"debug debugger tv gtool", kByEquals}, refuse, kDebugger},
    {{"enable-recovery disable-auto-cleanup continuous max-restarts no-kill k", kByEquals},
     refuse,
     kNoRecovery},
    {{"do-not-launch", kByEquals}, refuse, "leave it out; -v says what oshrun does"},
};

template <std::size_t count>
void add(const OptionRule (&rules)[count], std::vector<const OptionForm*>& forms) {
  for (const OptionRule& rule : rules) forms.push_back(&rule);
}

}  // namespace

std::span<const OptionForm* const> optionForms() {
  static const std::vector<const OptionForm*> forms = [] {
    std::vector<const OptionForm*> all;
    add(kOwn, all);
    add(kAccepted, all);
    add(kRefused, all);
    return all;
  }();
  return forms;
}

void obey(const GivenOption& given, Options& options) {
  const auto& rule = static_cast<const OptionRule&>(*given.form);
  rule.act(given, rule.text, options);
}

}  // namespace ucxx::shmem::oshrun
