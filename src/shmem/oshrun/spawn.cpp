// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026 the UCXX founders
#include "shmem/oshrun/spawn.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "shmem/joining/launch.h"
#include "shmem/oshrun/child_end.h"
#include "shmem/oshrun/environment.h"
#include "shmem/oshrun/program.h"
#include "shmem/oshrun/refusal.h"
#include "shmem/oshrun/shown.h"

namespace ucxx::shmem::oshrun {
namespace {

[[noreturn]] void refuseStart(int pe, const char* what, int error) {
  throw Refusal(kJobFailed, fmt::format("cannot start PE {}: {}: {}", pe, what,
                                        std::generic_category().message(error)));
}

base::FileDescriptor makeSocket(int pe, ChildEnd& child) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
    refuseStart(pe, "socketpair", errno);
  child.fd = ends[1];
  return base::FileDescriptor(ends[0]);
}

base::FileDescriptor makePipe(int pe, ChildEnd& child) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) refuseStart(pe, "pipe", errno);
  child.fd = ends[1];
  return base::FileDescriptor(ends[0]);
}

std::vector<char*> pointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Waits until the child is the program; 0, or why it is not.
int executionError(const base::FileDescriptor& report) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = ::read(report.get(), &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

}  // namespace

struct Spawner::Handed {
  ChildEnd socket, output, errors;
  ChildEnd report;  ///< closed when the program is executed, or says why it is not
};

Spawner::Spawner(const Options& options, const Signals& signals, const FileLimit& files)
    : options_(options),
      signals_(signals),
      files_(files),
      program_(findProgram(options)),
      environment_(environmentOf(options)),
      places_(placesOf(options.binding)) {}

/// The first PE is waited for until it is the program, so that what is wrong with it is said once.
Started Spawner::start(int pe) {
  Handed handed;
  Started started;
  base::FileDescriptor report;
  started.socket = makeSocket(pe, handed.socket);
  if (options_.tag_output) {
    started.output = makePipe(pe, handed.output);
    started.errors = makePipe(pe, handed.errors);
  }
  if (pe == 0) report = makePipe(pe, handed.report);
  const pid_t parent = ::getpid();
  started.pid = ::fork();
  if (started.pid < 0) refuseStart(pe, "fork", errno);
  if (started.pid == 0) become(pe, handed, parent);
  handed.report.reset();
  if (const int error = report ? executionError(report) : 0; error != 0)
    throw Refusal(error == ENOENT ? kNotFound : kNotExecutable,
                  fmt::format("{}: cannot be executed: {}", shown(program_),
                              std::generic_category().message(error)));
  return started;
}

void Spawner::become(int pe, const Handed& handed, pid_t parent) const {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kJobFailed);
  setUp(pe, handed);
  execute(pe, handed.socket.fd);
  const int error = errno;
  if (handed.report.fd < 0 || ::write(handed.report.fd, &error, sizeof error) != sizeof error)
    ::dprintf(STDERR_FILENO, "oshrun: PE %d: %s: cannot be executed: error %d\n", pe,
              program_.c_str(), error);
  ::_exit(kNotExecutable);
}

void Spawner::setUp(int pe, const Handed& handed) const {
  ::fcntl(handed.socket.fd, F_SETFD, 0);
  if (pe != 0) ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  if (options_.tag_output) {
    ::dup2(handed.output.fd, STDOUT_FILENO);
    ::dup2(handed.errors.fd, STDERR_FILENO);
  }
  if (!places_.empty()) bindTo(places_[static_cast<std::size_t>(pe) % places_.size()]);
  files_.restore();
  signals_.restore();
}

/// Returns only where it fails. What is not a binary and names no interpreter is given to a shell.
void Spawner::execute(int pe, int socket) const {
  std::vector<std::string> environment = environment_;
  environment.push_back(fmt::format("{}={}:{}:{}", kLaunchVariable, socket, pe, options_.pes));
  if (!options_.folder.empty() && ::chdir(options_.folder.c_str()) != 0) return;
  ::execvpe(program_.c_str(), pointersTo(options_.command).data(), pointersTo(environment).data());
}

}  // namespace ucxx::shmem::oshrun
