// SPDX-License-Identifier: Apache-2.0
// Who may write a file, and what is left of a sink that nobody ends.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <lumarch/result_file.hpp>

#include "core/output/example_run.hpp"

using namespace lumarch;

namespace {

std::string fault_of(const std::string& path, bool force, Fault wanted) {
  try {
    (void)make_file_sink(path, force);
  } catch (const Error& failure) {
    CHECK(failure.fault() == wanted);
    return failure.what();
  }
  FAIL("nothing was thrown");
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t files_in(const example::Folder& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) count += entry.exists();
  return count;
}

}  // namespace

TEST_CASE("an existing file is replaced only when forced") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  example::write(path, example::run_info(16, 2), 2);
  CHECK(has(fault_of(path, false, Fault::problem), "--force"));
  const RunInfo info = example::run_info(32, 3);
  {
    const auto sink = make_file_sink(path, true);
    CHECK(ResultFile(path).info().omega.size() == 16);  // stays until the new one is whole
    sink->begin(info);
    CHECK(ResultFile(path).info().omega.size() == 32);
    CHECK(ResultFile(path).info().status == "running");
    sink->plane(example::plane(info, 0));
    sink->end(example::run_end(info));
  }
  CHECK(ResultFile(path).info().status == "done");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a file that a run is writing is refused, forced or not") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  const RunInfo info = example::run_info(16, 2);
  const auto first = make_file_sink(path, false);
  CHECK(has(fault_of(path, false, Fault::output), "a run is writing"));
  CHECK(has(fault_of(path, true, Fault::output), "a run is writing"));
  first->begin(info);
  CHECK(has(fault_of(path, false, Fault::output), "a run is writing"));
  CHECK(has(fault_of(path, true, Fault::output), "a run is writing"));
  first->plane(example::plane(info, 0));
  first->end(example::run_end(info));
  (void)make_file_sink(path, true);
  CHECK(ResultFile(path).info().status == "done");  // the second one never began
}

TEST_CASE("of many runs that make the same file at once one wins") {
  const example::Folder folder;
  for (const bool force : {false, true}) {
    const std::string path = folder / (force ? "forced.h5" : "new.h5");
    if (force) example::write(path, example::run_info(16, 2), 2);
    std::atomic<int> winners{0}, refused{0}, ready{0};
    std::vector<std::thread> runs;
    std::atomic<bool> all_done{false};
    for (int i = 0; i < 8; ++i) {
      runs.emplace_back([&] {
        ++ready;
        while (ready < 8) std::this_thread::yield();
        try {
          const auto sink = make_file_sink(path, force);
          const RunInfo info = example::run_info(32, 2);
          sink->begin(info);
          ++winners;
          while (!all_done) std::this_thread::yield();
          sink->plane(example::plane(info, 0));
          sink->end(example::run_end(info));
        } catch (const Error& failure) {
          CHECK(failure.fault() == Fault::output);
          ++refused;
        }
      });
    }
    while (winners + refused < 8) std::this_thread::yield();
    CHECK(winners == 1);
    all_done = true;
    for (std::thread& run : runs) run.join();
    CHECK(ResultFile(path).info().omega.size() == 32);
    CHECK(ResultFile(path).info().status == "done");
  }
  CHECK(files_in(folder) == 2);
}

TEST_CASE("two sinks write two files at once") {
  const example::Folder folder;
  const RunInfo info = example::run_info(512, 40);
  std::vector<std::thread> runs;
  for (int i = 0; i < 3; ++i) {
    runs.emplace_back([&, i] { example::write(folder / (std::to_string(i) + ".h5"), info, 40); });
  }
  for (std::thread& run : runs) run.join();
  for (int i = 0; i < 3; ++i) {
    const ResultFile file(folder / (std::to_string(i) + ".h5"));
    CHECK(file.info().planes_written == 40);
    CHECK(file.field(39) == example::plane(info, 39).field);
  }
}

TEST_CASE("places that cannot be written are refused with a remedy") {
  const example::Folder folder;
  CHECK(has(fault_of(folder / "missing/out.h5", false, Fault::output), "no folder"));
  CHECK(has(fault_of("/proc/out.h5", false, Fault::output), "/proc/out.h5"));
  if (geteuid() != 0) {
    chmod(folder.path().c_str(), 0500);
    CHECK(has(fault_of(folder / "out.h5", false, Fault::output), "not yours"));
    chmod(folder.path().c_str(), 0700);
  }
  CHECK(files_in(folder) == 0);
}

TEST_CASE("what is no file is a wrong name, forced or not") {
  const example::Folder folder;
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::filesystem::create_directory(folder / "folder.h5");
  std::filesystem::create_symlink("folder.h5", folder / "to-folder");
  for (const bool force : {false, true}) {
    for (const char* name : {"folder.h5", "to-folder"}) {
      CHECK(has(fault_of(folder / name, force, Fault::problem), "is a folder, not a file"));
    }
    for (const std::string& name : {std::string("/dev/null"), std::string("/dev/full"), folder / "pipe"}) {
      const std::string said = fault_of(name, force, Fault::problem);
      CHECK(has(said, name + ": is a device or a pipe, not a file"));
      CHECK(!has(said, "--force"));
    }
  }
  CHECK(files_in(folder) == 3);
}

TEST_CASE("a sink that never began leaves nothing") {
  const example::Folder folder;
  (void)make_file_sink(folder / "out.h5", false);
  CHECK(files_in(folder) == 0);
}

TEST_CASE("a sink thrown away leaves a failed run") {
  const example::Folder folder;
  const RunInfo info = example::run_info();
  try {
    const auto sink = make_file_sink(folder / "out.h5", false);
    sink->begin(info);
    sink->plane(example::plane(info, 0));
    throw std::runtime_error("the march broke");
  } catch (const std::runtime_error&) {
  }
  const ResultFile file(folder / "out.h5");
  CHECK(file.info().status == "failed");
  CHECK(file.info().planes_written == 1);
  CHECK(file.field(0) == example::plane(info, 0).field);
  CHECK(files_in(folder) == 1);
}

TEST_CASE("a link is followed") {
  const example::Folder folder;
  example::write(folder / "real.h5", example::run_info(16, 2), 2);
  std::filesystem::create_symlink(folder / "real.h5", folder / "link.h5");
  example::write(folder / "link.h5", example::run_info(32, 2), 2);
  CHECK(std::filesystem::is_symlink(folder / "link.h5"));
  CHECK(ResultFile(folder / "real.h5").info().omega.size() == 32);
}

TEST_CASE("a link to a file that is not there yet is followed, in steps and relative to its folder") {
  const example::Folder folder;
  std::filesystem::create_directory(folder / "data");
  std::filesystem::create_symlink("second.h5", folder / "first.h5");
  std::filesystem::create_symlink("data/real.h5", folder / "second.h5");
  (void)make_file_sink(folder / "first.h5", false);
  CHECK(!std::filesystem::exists(folder / "data/real.h5"));
  example::write(folder / "first.h5", example::run_info(16, 2), 2);
  CHECK(std::filesystem::is_symlink(folder / "first.h5"));
  CHECK(std::filesystem::is_symlink(folder / "second.h5"));
  CHECK(ResultFile(folder / "data/real.h5").info().status == "done");
  CHECK(has(fault_of(folder / "first.h5", false, Fault::problem), "--force"));
}

TEST_CASE("links that lead nowhere are refused in words") {
  const example::Folder folder;
  std::filesystem::create_symlink("missing/real.h5", folder / "lost.h5");
  std::filesystem::create_symlink("loop.h5", folder / "loop.h5");
  for (const bool force : {false, true}) {
    const std::string lost = fault_of(folder / "lost.h5", force, Fault::output);
    CHECK(has(lost, "lost.h5"));
    CHECK(has(lost, "no folder " + (folder / "missing")));
    const std::string loop = fault_of(folder / "loop.h5", force, Fault::output);
    CHECK(has(loop, "loop.h5"));
    CHECK(has(loop, "in a circle"));
  }
}
