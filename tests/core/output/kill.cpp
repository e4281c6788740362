// SPDX-License-Identifier: Apache-2.0
// A plane that was reported saved is on disk: after a kill at any moment the file opens.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <random>
#include <thread>

#include <lumarch/result_file.hpp>

#include "core/output/example_nodes.hpp"

using namespace lumarch;

namespace {

constexpr std::size_t planes = 800;

PlaneRecord record_of(const RunInfo& info, std::size_t index) {
  return info.profiles ? example::nodes_plane(info, index) : example::plane(info, index);
}

// Writes planes and says into the pipe how many it has handed over; a child of its own, so that it can be killed.
[[noreturn]] void write_planes(const std::string& path, const RunInfo& info, int pipe) {
  const auto sink = make_file_sink(path, true);
  sink->begin(info);
  for (std::size_t i = 0; i < planes; ++i) {
    sink->attempts(example::attempts(i, 40));
    sink->plane(record_of(info, i));
    const char mark = 1;
    if (write(pipe, &mark, 1) != 1) _exit(1);
  }
  sink->end(example::run_end(info));
  _exit(0);
}

// How many planes were handed over when it was killed.
std::size_t run_and_kill(const std::string& path, const RunInfo& info, std::chrono::microseconds after) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    close(ends[0]);
    write_planes(path, info, ends[1]);
  }
  close(ends[1]);
  std::this_thread::sleep_for(after);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  std::size_t handed = 0;
  for (char mark = 0; read(ends[0], &mark, 1) == 1;) ++handed;
  close(ends[0]);
  return handed;
}

// All that the file counts is there and right.
void check_planes(const std::string& path, const RunInfo& info, std::size_t handed, std::size_t& most) {
  const ResultFile file(path);
  CHECK(file.info().lumarch.size() > 0);
  CHECK(file.info().unread.empty());
  const auto written = static_cast<std::size_t>(file.info().planes_written);
  CHECK(written + 6 >= handed);  // those that waited, and the one being written
  most = std::max(most, written);
  for (std::size_t i = 0; i < written; ++i) {
    const PlaneRecord wanted = record_of(info, i);
    if (info.problem.output.fields == Fields::all) REQUIRE(file.field(wanted.index) == wanted.field);
    if (info.profiles) {
      REQUIRE(file.spectrum(wanted.index) == wanted.spectrum);
      REQUIRE(file.power(wanted.index) == wanted.power);
      REQUIRE(file.fluence(wanted.index) == wanted.fluence);
    } else {
      REQUIRE(file.info().statistics[0].values[i] == wanted.statistics[0][0]);
    }
  }
  if (written > 0) CHECK(file.info().march.size() + 40 >= 40 * written);
  for (std::size_t i = 0; i < file.info().march.size(); ++i) {
    REQUIRE(file.info().march[i].h == example::attempts(i / 40, 40)[i % 40].h);
  }
}

}  // namespace

TEST_CASE("after kill -9 the file opens, and all planes that it counts are right") {
  std::mt19937 random(20240607);
  std::size_t most = 0, opened = 0;
  constexpr int rounds = 40;
  for (int round = 0; round < rounds; ++round) {
    const example::Folder folder;
    const std::string path = folder / "out.h5";
    const RunInfo info = round % 4 == 3
                             ? example::nodes_info("cartesian", round % 8 == 3 ? Fields::none : Fields::all,
                                                   round % 8 == 3 ? 0 : 1, 2, round % 8 == 3 ? 2048 : 4, planes)
                             : example::run_info(2048, planes, Fields::all, round % 4 == 2 ? 1 : 0);
    const auto moment = std::chrono::microseconds(std::uniform_int_distribution<int>(1000, 180000)(random));
    const std::size_t handed = run_and_kill(path, info, moment);
    if (!std::filesystem::exists(path)) {
      CHECK(handed == 0);  // killed before the file was made
      continue;
    }
    ++opened;
    check_planes(path, info, handed, most);
    // A killed run's file is not locked.
    (void)make_file_sink(path, true);
  }
  MESSAGE("opened " << opened << " of " << rounds << ", at most " << most << " planes");
  CHECK(opened > 25);
}
