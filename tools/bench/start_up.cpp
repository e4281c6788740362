// SPDX-License-Identifier: Apache-2.0
// The time a user waits before anything moves: a fresh process, a run of one step at 2^12 points, the file written.
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <lumarch/examples.hpp>

#include "bench/bench.hpp"

namespace lumarch::bench {

namespace {

// A folder that goes when it goes.
class Scratch {
public:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "lumarch-bench-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Error(Fault::output, "no temporary folder could be made: " + name);
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

double timed_run(const Request& request, const Scratch& scratch, const std::string& cache) {
  std::vector<std::string> words = {"lumarch",
                                    "run",
                                    (scratch.path() / "p.json").string(),
                                    "-o",
                                    (scratch.path() / "p.h5").string(),
                                    "--force",
                                    "--backend",
                                    request.backend.name,
                                    "--set",
                                    "/time/points=4096",
                                    "--set",
                                    "/medium/length=1e-5",
                                    "--set",
                                    "/planes=2"};
  for (const std::string& folder : request.folders) words.insert(words.end(), {"--backend-path", folder});
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  std::string cache_home = "XDG_CACHE_HOME=" + cache;
  for (char** variable = environ; *variable; ++variable)
    if (std::string(*variable).rfind("XDG_CACHE_HOME=", 0) != 0) envp.push_back(*variable);
  if (!cache.empty()) envp.push_back(cache_home.data());
  envp.push_back(nullptr);

  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  posix_spawn_file_actions_addopen(&silent, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&silent, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  const auto start = std::chrono::steady_clock::now();
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/proc/self/exe", &silent, nullptr, argv.data(), envp.data());
  posix_spawn_file_actions_destroy(&silent);
  int status = 1;
  if (!failed) waitpid(child, &status, 0);
  if (failed || status != 0) throw Error(Fault::backend, "the run whose start is timed did not finish");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

StartUp start_up(const Request& request) {
  Scratch scratch;
  std::ofstream(scratch.path() / "p.json") << example_text("supercontinuum");
  const std::string cache = (scratch.path() / "cache").string();
  StartUp result;
  result.fresh = timed_run(request, scratch, cache);
  std::vector<double> kept;
  for (int i = 0; i < 9; ++i) kept.push_back(timed_run(request, scratch, cache));
  std::nth_element(kept.begin(), kept.begin() + 4, kept.end());
  result.kept = kept[4];
  return result;
}

}  // namespace lumarch::bench
