// SPDX-License-Identifier: Apache-2.0
// Folders and files that are another user's. Root may write everywhere, so a child becomes nobody first.
#include <doctest/doctest.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>

#include <lumarch/result_file.hpp>

#include "core/output/example_run.hpp"

using namespace lumarch;

namespace {

constexpr unsigned nobody = 65534;

// What a child that is nobody was refused with: the fault and its words; empty where it was not.
std::string as_nobody(const std::function<void()>& act) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::string said;
    try {
      if (geteuid() == 0 && (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0)) _exit(98);
      act();
    } catch (const Error& failure) {
      said = std::to_string(static_cast<int>(failure.fault())) + " " + failure.what();
    } catch (...) {
      _exit(99);
    }
    const bool written = write(ends[1], said.data(), said.size()) == static_cast<ssize_t>(said.size());
    _exit(written ? 0 : 97);
  }
  close(ends[1]);
  std::string said;
  char part[512];
  for (ssize_t n = 0; (n = read(ends[0], part, sizeof part)) > 0;) said.append(part, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
  return said;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

void open_up(const std::string& path, mode_t mode) { REQUIRE(chmod(path.c_str(), mode) == 0); }

}  // namespace

TEST_CASE("a folder without permission is an output error that names it and the remedy, and nothing is left in it") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  open_up(folder.path(), 0555);
  const std::string said = as_nobody([&] { (void)make_file_sink(path, false); });
  CAPTURE(said);
  CHECK(said.rfind("6 ", 0) == 0);
  CHECK(has(said, path.c_str()));
  CHECK(has(said, "is not yours to write in: name a file elsewhere with -o"));
  CHECK(std::filesystem::is_empty(folder.path()));
  open_up(folder.path(), 0755);
}

TEST_CASE("another user's file is not replaced in a folder that is not ours, forced or not") {
  const example::Folder folder;
  const std::string path = folder / "out.h5";
  example::write(path, example::run_info(16, 2), 2);
  open_up(folder.path(), 0555);
  CHECK(has(as_nobody([&] { (void)make_file_sink(path, false); }), "exists already"));
  CHECK(has(as_nobody([&] { (void)make_file_sink(path, true); }), "6 "));
  open_up(path, 0000);
  const std::string unread = as_nobody([&] { (void)make_file_sink(path, true); });
  CAPTURE(unread);
  CHECK(unread.rfind("6 ", 0) == 0);
  CHECK(has(as_nobody([&] { (void)ResultFile(path).info(); }), path.c_str()));  // reading it is refused in words too
  open_up(path, 0644);
  CHECK(ResultFile(path).info().status == "done");
  open_up(folder.path(), 0755);
}
