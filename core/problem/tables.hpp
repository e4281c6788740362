// SPDX-License-Identifier: Apache-2.0
// Files that a problem names: tables of numbers, digests of whole files.
#pragma once

#include <optional>
#include <string>

#include <lumarch/problem.hpp>

#include "problem/reader.hpp"

namespace lumarch::problem {

// A curve over frequency: x becomes a rising omega in rad/s, y is in SI of `need`, with the sign asked for.
[[nodiscard]] std::optional<Curve> read_curve(const Node& node, const Need& need, Sign sign);

// The index of a material, positive, and in a third column its extinction, not negative.
[[nodiscard]] std::optional<Material> read_material_table(const Node& node);

// Time, power and phase of a pulse; `owner` holds file, columns and units. `relative` says that power had the unit "1".
[[nodiscard]] std::optional<Pulse::Samples> read_samples(const Object& owner, bool& relative);

// The path of a file that a problem names, with the file's digest noted; none (and a finding) where it can't be read.
[[nodiscard]] std::optional<std::string> note_file(const Node& name);

// What a file holds, read whole; `error` says why not. Files of more than `most` bytes are refused.
[[nodiscard]] std::optional<std::string> read_whole(const std::filesystem::path& path, std::size_t most,
                                                    std::string& error);

}  // namespace lumarch::problem
