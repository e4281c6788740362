// SPDX-License-Identifier: Apache-2.0
// A disk that fills up, played by a limit on the size of a file: the write fails as on a full disk.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include <lumarch/result_file.hpp>

#include "core/output/example_run.hpp"

using namespace lumarch;

namespace {

// In a child, since a limit cannot be lifted again for its own process; returns its exit status, or -signal.
int in_child(rlim_t limit, const std::function<void()>& act) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const rlimit limits{limit, limit};
    setrlimit(RLIMIT_FSIZE, &limits);
    try {
      act();
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

TEST_CASE("a disk too small is found before the march, and the old file stays") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  CHECK(in_child(1 << 20, [&] { example::write(path, example::run_info(4096, 100), 100); }) == 6);
  CHECK(std::filesystem::is_empty(folder.path()));
  example::write(path, example::run_info(16, 2), 2);
  CHECK(in_child(1 << 20, [&] { example::write(path, example::run_info(4096, 100), 100); }) == 6);
  CHECK(ResultFile(path).info().status == "done");
  CHECK(ResultFile(path).info().omega.size() == 16);
}

TEST_CASE("a disk with no room at all") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  for (const rlim_t limit : {0, 1000, 70000}) {
    CHECK(in_child(limit, [&] { example::write(path, example::run_info(4096, 100), 100); }) == 6);
    CHECK(std::filesystem::is_empty(folder.path()));
  }
}

TEST_CASE("a disk that fills up during the march leaves what was written, marked as failed") {
  for (const int compression : {0, 1}) {
    const example::Folder folder;
    const std::string path = folder / "out.h5";
    const RunInfo info = example::run_info(1024, 60, Fields::all, compression);
    const rlim_t limit = compression > 0 ? 1200000 : 2000000;
    const int status = in_child(limit, [&] {
      const auto sink = make_file_sink(path, false);
      sink->begin(info);
      for (std::size_t i = 0; i < 60; ++i) {
        sink->attempts(example::attempts(i, 3000));
        sink->plane(example::plane(info, i));
      }
      sink->end(example::run_end(info));
    });
    CHECK(status == 6);
    const ResultFile file(path);
    CHECK(file.info().unread.empty());
    CHECK(file.info().status == "failed");
    INFO(file.info().provenance.at("reason"));
    CHECK(file.info().provenance.at("reason").find("File too large") != std::string::npos);
    CHECK(file.info().planes_written > 0);
    CHECK(file.info().planes_written < 60);
    CHECK(file.info().march.size() > 0);
    for (const std::int64_t plane : file.field_planes()) {
      CHECK(file.field(plane) == example::plane(info, static_cast<std::size_t>(plane)).field);
    }
  }
}
