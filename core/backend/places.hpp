// SPDX-License-Identifier: Apache-2.0
// Where plugins may lie, and which files there could be one. Opens nothing.
#pragma once

#include <string>
#include <vector>

#include <lumarch/backends.hpp>

namespace lumarch {

// The folders, and files of plugins, in search order, absolute: --backend-path, LUMARCH_BACKEND_PATH, then the one
// beside the core library. Never the current directory, unless the user names it on the command line. Says in the log
// what it leaves out.
[[nodiscard]] std::vector<std::string> search_folders(const BackendSearch& search);

// A file whose name is that of a plugin: liblumarch_backend_<name>.so opens devices, liblumarch_kernels_<name>.so adds
// kernels to other plugins' devices. The name alone says which, so that no unwanted code needs to run to find out.
struct Candidate {
  std::string path, name;
  bool kernels_only = false;
};
[[nodiscard]] std::vector<Candidate> candidates_in(const std::vector<std::string>& folders);

[[nodiscard]] bool is_plugin_name(const std::string& name);  // [a-z0-9_]+

// Who else could change the file: `refusal` where anyone could, `warning` where its group could.
struct PlaceVerdict {
  std::string refusal, warning;
};
[[nodiscard]] PlaceVerdict judge_place(const std::string& path);

}  // namespace lumarch
