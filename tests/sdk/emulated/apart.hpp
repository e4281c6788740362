// What a child process ends by: for what must fault.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace lumarch::test {

// The signal that ends body(), 0 where it returns. Sanitizers would report the fault in place of it: they are set
// aside.
template <class Body>
int signal_of(Body&& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    for (const int signal : {SIGSEGV, SIGBUS}) std::signal(signal, SIG_DFL);
    body();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

// A read that no compiler leaves out.
inline void look(const void* at) { (void)*static_cast<const volatile unsigned char*>(at); }
inline void touch(void* at) { *static_cast<volatile unsigned char*>(at) = 1; }

}  // namespace lumarch::test
