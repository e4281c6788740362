// SPDX-License-Identifier: Apache-2.0
// Small files that are there whole or not at all.
#pragma once

#include <string>

namespace lumarch::tools {

// Throws Error(Fault::problem) where a folder, a device or a pipe is.
void refuse_other_than_file(const std::string& path);

// What a path names in the end, links followed, whether there is a file yet or not.
[[nodiscard]] std::string followed(const std::string& path);

// A name beside a file for what is to take its place, with the file's suffix.
[[nodiscard]] std::string part_beside(const std::string& path);

// Throws Error(Fault::output) with the system's reason and what to do.
[[noreturn]] void refuse_place(const std::string& path, int error);

// Writes `part`, then puts it in the place of `path`. Throws Error(Fault::output); what was at the path stays then.
void write_whole(const std::string& path, const std::string& bytes);
void take_place(const std::string& part, const std::string& path);

// Throws as write_whole() where `bytes` bytes cannot be written beside the path; leaves nothing.
void try_place(const std::string& path, std::size_t bytes);

}  // namespace lumarch::tools
