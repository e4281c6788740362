// SPDX-License-Identifier: Apache-2.0
#include "backend/process_watch.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <clocale>
#include <cstdio>
#include <iostream>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace lumarch {

namespace {

// Rounding, flush to zero, traps and precision; not the sticky flags of past operations, which anyone may raise.
std::uint64_t control_words() {
#if defined(__x86_64__)
  std::uint16_t x87 = 0;
  __asm__ volatile("fnstcw %0" : "=m"(x87));
  return (std::uint64_t{x87} << 32) | (_mm_getcsr() & ~0x3fu);
#else
  std::uint64_t fpcr = 0;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  return fpcr;
#endif
}

std::string locale_now() {
  const char* const name = std::setlocale(LC_ALL, nullptr);
  return name != nullptr ? name : "";
}

void flush_all() {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
}

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

void ProcessWatch::Caught::begin(int fd) {
  saved = ::dup(fd);
  memory = ::memfd_create("lumarch-plugin-output", MFD_CLOEXEC);
  if (saved >= 0 && memory >= 0 && ::dup2(memory, fd) >= 0) target = fd;  // a closed descriptor stays closed
}

std::string ProcessWatch::Caught::end() {
  std::string text;
  if (target >= 0) {
    ::dup2(saved, target);
    char buffer[400];
    const ssize_t n = ::pread(memory, buffer, sizeof buffer, 0);
    if (n > 0) text.assign(buffer, static_cast<std::size_t>(n));
  }
  if (saved >= 0) ::close(saved);
  if (memory >= 0) ::close(memory);
  *this = Caught{};
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

ProcessWatch::ProcessWatch(Output output) : control_(control_words()), locale_(locale_now()) {
  std::fegetenv(&environment_);
  if (output == Output::caught) {
    flush_all();
    out_.begin(STDOUT_FILENO);
    err_.begin(STDERR_FILENO);
  }
}

ProcessWatch::~ProcessWatch() { (void)finish(); }

std::string ProcessWatch::finish() {
  if (done_) return {};
  done_ = true;
  std::string text;
  const auto say = [&text](const std::string& clause) { text += (text.empty() ? "" : "; and ") + clause; };

  if (const std::uint64_t now = control_words(); now != control_) {
    std::fesetenv(&environment_);
    say("changes the floating-point control of the process (" + hex(control_) + " -> " + hex(now) +
        "): link it without -ffast-math and -Ofast");
  }
  if (const std::string now = locale_now(); now != locale_) {
    std::setlocale(LC_ALL, locale_.c_str());
    say("changes the locale of the process (" + locale_ + " -> " + now + "): take its setlocale out");
  }
  if (out_.target >= 0 || err_.target >= 0) flush_all();  // what it printed by stdio must not come out later
  const std::string printed_out = out_.end(), printed_err = err_.end();
  if (!printed_out.empty()) say("prints on stdout (\"" + printed_out + "\"): let it use lm_host.log");
  if (!printed_err.empty()) say("prints on stderr (\"" + printed_err + "\"): let it use lm_host.log");
  return text;
}

}  // namespace lumarch
