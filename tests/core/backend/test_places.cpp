// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdlib>

#include "backend/places.hpp"
#include "plugin_folders.hpp"

using namespace lumarch;
using namespace lumarch::testing;

namespace {

class Variable {
public:
  explicit Variable(const std::string& value) { ::setenv("LUMARCH_BACKEND_PATH", value.c_str(), 1); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { ::unsetenv("LUMARCH_BACKEND_PATH"); }
};

}  // namespace

TEST_CASE("folders are searched in the documented order, each once, the current one never") {
  const Folder one, two;
  std::string said;
  const Variable variable(two.path() + "::relative:" + one.path());
  const std::vector<std::string> folders =
      search_folders({{one.path()}, [&](int, const std::string& text) { said += text; }});
  REQUIRE(folders.size() == 3);
  CHECK(folders[0] == one.path());
  CHECK(folders[1] == two.path());
  CHECK(folders[2] == std::filesystem::canonical(LUMARCH_BINARY_DIR).string() + "/lib/lumarch/backends");
  CHECK(contains(said, "relative is ignored: give an absolute path"));
}

TEST_CASE("a plugin's file is a place of its own") {
  const Folder folder;
  folder.write("liblumarch_backend_b.so", "");
  folder.write("libother.so", "");
  std::string said;
  const BackendSearch search{{folder.path("liblumarch_backend_b.so"), folder.path("libother.so")},
                             [&](int, const std::string& text) { said += text; }};
  const std::vector<Candidate> found = candidates_in(search_folders(search));
  REQUIRE(!found.empty());
  CHECK(found[0].path == folder.path("liblumarch_backend_b.so"));
  CHECK(found[0].name == "b");
  CHECK(
      contains(said, "libother.so, named by --backend-path, is neither a folder that can be read nor a plugin's file"));
  CHECK_FALSE(contains(said, "backend_b"));
}

TEST_CASE("a file's name says what it may be") {
  const Folder folder;
  for (const char* file : {"liblumarch_backend_b.so", "liblumarch_kernels_a.so", "liblumarch_backend_.so",
                           "liblumarch_backend_c.so.1", "libother.so", "liblumarch_backend_d.txt"}) {
    folder.write(file, "");
  }
  const std::vector<Candidate> found = candidates_in({folder.path(), folder.path("nowhere")});
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "");
  CHECK(found[1].name == "b");
  CHECK_FALSE(found[1].kernels_only);
  CHECK(found[2].name == "a");
  CHECK(found[2].kernels_only);
  CHECK(is_plugin_name("cpu_2"));
  CHECK_FALSE(is_plugin_name(""));
  CHECK_FALSE(is_plugin_name("CPU"));
  CHECK_FALSE(is_plugin_name("a.b"));
}

TEST_CASE("a link is judged also by where it leads") {
  const Folder open, closed;
  open.take("good", file_of("good"));
  std::filesystem::permissions(open.path(), std::filesystem::perms(0777));
  std::filesystem::create_symlink(open.path(file_of("good")), closed.path(file_of("good")));
  CHECK(contains(judge_place(closed.path(file_of("good"))).refusal, open.path()));
}
