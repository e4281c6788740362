// SPDX-License-Identifier: Apache-2.0
#include "lumarch/gnuplot.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <lumarch/error.hpp>

extern char** environ;

namespace lumarch::tools {

namespace fs = std::filesystem;

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\'';
    out += c == '\n' ? ' ' : c;
  }
  return out + "'";
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

std::string float_bytes(const std::vector<float>& values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::string palette() {
  constexpr std::array colours{"000004", "0c0826", "240c4f", "420a68", "5d126e", "781c6d", "932667", "ae305c",
                               "c73e4c", "dd513a", "ed6925", "f8850f", "fca50a", "fac62d", "f2e661", "fcffa4"};
  std::string text = "set palette defined (";
  for (std::size_t i = 0; i < colours.size(); ++i) {
    text += (i > 0 ? ", " : "") + std::to_string(i) + " '#" + colours[i] + "'";
  }
  return text + ")\n";
}

std::string whole_script(const Figure& figure, const std::string& picture, const std::string& prefix) {
  const std::string suffix = fs::path(picture).extension().string();
  std::ostringstream out;
  const double w = figure.width, h = figure.height;
  if (suffix == ".png") {
    out << "set terminal pngcairo size " << 100 * w << "," << 100 * h << " font 'DejaVu Sans,13' linewidth 1.5\n";
  } else if (suffix == ".svg") {
    out << "set terminal svg size " << 100 * w << "," << 100 * h
        << " font 'DejaVu Sans,15' linewidth 1.5 background 'white'\n";
  } else {
    out << "set terminal pdfcairo size " << 0.8 * w << "," << 0.8 * h << " font 'DejaVu Sans,11' linewidth 1.5\n";
  }
  out << "set encoding utf8\nset output " << quoted(picture) << "\nset tics out nomirror\nset border linewidth 0.8\n"
      << palette();
  std::string script = figure.script;
  for (const auto& [name, bytes] : figure.data) {
    const std::string mark = "@" + name + "@";
    for (auto at = script.find(mark); at != std::string::npos; at = script.find(mark, at)) {
      script.replace(at, mark.size(), quoted(prefix + name));
    }
  }
  out << script << "unset output\n";
  return out.str();
}

bool whole_picture(const std::string& picture) {
  constexpr std::streamoff tail = 64;
  std::ifstream file(picture, std::ios::binary | std::ios::ate);
  const std::streamoff size = file.tellg();
  if (!file || size <= 0) return false;
  std::string end(static_cast<std::size_t>(std::min(size, tail)), '\0');
  file.seekg(-static_cast<std::streamoff>(end.size()), std::ios::end);
  file.read(end.data(), static_cast<std::streamsize>(end.size()));
  const std::string suffix = fs::path(picture).extension().string();
  const char* last = suffix == ".png" ? "IEND" : suffix == ".svg" ? "</svg>" : "%%EOF";
  return file && end.find(last) != std::string::npos;
}

std::string find_gnuplot() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string candidate = (folder.empty() ? "." : folder) + "/gnuplot";
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0)
      return fs::absolute(candidate).string();
  }
  return "";
}

std::string run_gnuplot(const std::string& gnuplot, const std::string& folder, const std::string& script) {
  const std::string words = (fs::path(folder) / (script + ".log")).string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, words.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  std::array<std::string, 3> texts{"gnuplot", "-d", script};  // -d: the user's own start file is not read
  std::array<char*, 4> arguments{texts[0].data(), texts[1].data(), texts[2].data(), nullptr};
  pid_t child = 0;
  const int error = posix_spawn(&child, gnuplot.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw Error(Fault::output, gnuplot + " cannot be started: " + std::generic_category().message(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::ostringstream said;
  said << std::ifstream(words).rdbuf();
  std::error_code ignored;
  fs::remove(words, ignored);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) throw Error(Fault::output, "gnuplot failed: " + said.str());
  return said.str();
}

}  // namespace lumarch::tools
