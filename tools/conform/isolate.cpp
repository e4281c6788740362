// SPDX-License-Identifier: Apache-2.0
// fork() without exec: the parent never loads a plugin and has one thread, so the child starts as clean as a new
// program.
#include "isolate.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace lumarch::conform {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

[[noreturn]] void child(const Case& one, const Context& context, int pipe, pid_t parent) {
  ::setpgid(0, 0);                     // a plugin's own processes end with it
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // and it ends with us, however we end: nobody else would stop one that hangs
  if (::getppid() != parent) ::_exit(0);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);  // a crash is a result here
  const Outcome outcome = run_here(one, context);
  std::string message(1, static_cast<char>('0' + static_cast<int>(outcome.result)));
  message += outcome.text.substr(0, 60000);
  for (std::size_t sent = 0; sent < message.size();) {
    const ssize_t n = ::write(pipe, message.data() + sent, message.size() - sent);
    if (n <= 0) break;
    sent += static_cast<std::size_t>(n);
  }
  std::fflush(nullptr);
  ::_exit(0);  // static destructors of plugins are not this case's business
}

// What the child writes, until it closes the pipe or the time is over.
bool read_all(int pipe, Clock::time_point start, int seconds, std::string& message) {
  for (;;) {
    const double left = seconds - since(start);
    pollfd wait{pipe, POLLIN, 0};
    const int ready = left <= 0 ? 0 : ::poll(&wait, 1, static_cast<int>(left * 1000) + 1);
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    char part[4096];
    const ssize_t n = ::read(pipe, part, sizeof part);
    if (n <= 0) return true;
    message.append(part, static_cast<std::size_t>(n));
  }
}

}  // namespace

Outcome run_here(const Case& one, const Context& context) {
  const auto start = Clock::now();
  Outcome outcome;
  try {
    one.body(context);
  } catch (const Failed& failed) {
    outcome = {Result::fail, failed.what()};
  } catch (const Skipped& skipped) {
    outcome = {Result::skip, skipped.what()};
  } catch (const Warned& warned) {
    outcome = {Result::warn, warned.what()};
  } catch (const std::exception& other) {
    outcome = {Result::fail, other.what()};
  }
  outcome.seconds = since(start);
  return outcome;
}

Outcome run_apart(const Case& one, const Context& context) {
  const auto start = Clock::now();
  int ends[2];
  if (::pipe(ends) != 0) return {Result::fail, std::string("pipe: ") + std::strerror(errno)};
  std::fflush(nullptr);
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return {Result::fail, std::string("fork: ") + std::strerror(errno)};
  }
  if (pid == 0) {
    ::close(ends[0]);
    child(one, context, ends[1], parent);
  }
  ::setpgid(pid, pid);
  ::close(ends[1]);
  std::string message;
  const bool in_time = read_all(ends[0], start, one.seconds, message);
  ::close(ends[0]);
  if (!in_time) ::kill(-pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  Outcome outcome;
  if (!in_time) {
    outcome = {Result::timeout, "not ready after " + std::to_string(one.seconds) + " s"};
  } else if (WIFSIGNALED(status)) {
    outcome = {Result::crash, std::string("ended by ") + ::strsignal(WTERMSIG(status))};
  } else if (message.empty() || WEXITSTATUS(status) != 0) {
    outcome = {Result::crash, "the process ended with code " + std::to_string(WEXITSTATUS(status)) + " and no result"};
  } else {
    outcome = {static_cast<Result>(message[0] - '0'), message.substr(1)};
  }
  outcome.seconds = since(start);
  return outcome;
}

}  // namespace lumarch::conform
