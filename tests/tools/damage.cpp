// SPDX-License-Identifier: Apache-2.0
// Files that a disk or a transfer damaged: they may be refused, but nothing crashes or hangs.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include <lumarch/error.hpp>
#include <lumarch/result_file.hpp>

#include "core/output/example_run.hpp"
#include "lumarch/info.hpp"

using namespace lumarch;

namespace {

// In a child with an alarm; returns its exit status, or -signal.
int look(const std::string& path) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(20);
    try {
      std::ostringstream out;
      tools::info_command(path, out);
      const ResultFile file(path);
      for (const std::int64_t plane : file.field_planes()) (void)file.field(plane);
    } catch (const Error& failure) {
      _exit(static_cast<int>(failure.fault()));
    } catch (...) {
      _exit(99);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

TEST_CASE("a damaged file is read or refused, and never crashes or hangs") {
  const example::Folder folder;
  example::write(folder / "out.h5", example::run_info(256, 11), 11);
  std::ostringstream read;
  read << std::ifstream(folder / "out.h5", std::ios::binary).rdbuf();
  const char* more = std::getenv("LUMARCH_TEST_SEEDS");
  const unsigned seeds = more == nullptr ? 300 : static_cast<unsigned>(std::atoi(more));
  int refused = 0;
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::string bytes = read.str();
    for (int change = 0; change < 60; ++change) bytes[random() % 30000] = static_cast<char>(random() & 0xff);
    std::ofstream(folder / "damaged.h5", std::ios::binary) << bytes;
    const int status = look(folder / "damaged.h5");
    CAPTURE(status);
    CHECK((status == 0 || status == 2));
    refused += status == 2;
  }
  MESSAGE(refused, " of ", seeds, " were refused");
}
