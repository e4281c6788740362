// SPDX-License-Identifier: Apache-2.0
// What a run was begun with, as its file keeps it, and what differs from that now.
#pragma once

#include <string>
#include <vector>

#include <lumarch/run.hpp>

#include "backend/device.hpp"

namespace lumarch {

// Digest of core's sources, without comments and white space.
[[nodiscard]] std::string core_sources();

// JSON: the program, the files that the problem names, the folder their names start from, the backend that was asked
// for, and where it was looked for.
[[nodiscard]] std::string request_json(const Problem& problem, const RunOptions& options);

struct Request {
  std::string version, sources;  // of lumarch
  std::string folder;
  std::vector<InputFile> files;
  BackendRequest backend;
  std::vector<std::string> folders;  // of backends
};
// Throws Error(Fault::problem) where it is not what request_json() made.
[[nodiscard]] Request request_of(const std::string& text);

// One line for each thing that is not as it was: what, before, now.
[[nodiscard]] std::vector<std::string> program_differences(const Request& before);
[[nodiscard]] std::vector<std::string> file_differences(const Request& before, const Problem& now);
[[nodiscard]] std::vector<std::string> backend_differences(const std::string& before, const std::string& now);

}  // namespace lumarch
