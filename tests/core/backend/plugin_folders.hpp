// SPDX-License-Identifier: Apache-2.0
// Folders of plugins for a test: built ones, and ones that the test makes and that are gone after it.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <lumarch/backends.hpp>

namespace lumarch::testing {

inline std::string built(const std::string& folder) { return std::string(TEST_PLUGINS) + "/" + folder; }
inline std::string file_of(const std::string& name) { return "liblumarch_backend_" + name + ".so"; }

class Folder {
public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "lumarch-test-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string path(const std::string& file = {}) const {
    return file.empty() ? path_ : path_ + "/" + file;
  }

  // A copy of a built plugin; a copy is another file, so it is loaded anew.
  std::string take(const std::string& from_folder, const std::string& file) const {
    std::filesystem::copy_file(built(from_folder) + "/" + file, path(file));
    std::filesystem::permissions(path(file), std::filesystem::perms(0644));
    return path(file);
  }
  void write(const std::string& file, const std::string& bytes) const {
    std::ofstream(path(file), std::ios::binary) << bytes;
  }

private:
  std::string path_;
};

inline std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What explain_backends says of the one candidate of that name; the installed folder may hold others.
inline BackendCandidate explained(const std::vector<std::string>& folders, const std::string& name,
                                  const std::string& file_prefix = "liblumarch_backend_") {
  for (const BackendCandidate& candidate : explain_backends({folders, {}})) {
    if (candidate.path.find("/" + file_prefix + name + ".so") != std::string::npos) return candidate;
  }
  throw std::runtime_error("no candidate " + name);
}

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace lumarch::testing
