// SPDX-License-Identifier: Apache-2.0
// What the commands that march have in common.
#pragma once

#include <ostream>
#include <string>

#include <lumarch/sink.hpp>

#include "lumarch/commands.hpp"
#include "lumarch/report.hpp"
#include "lumarch/stop_signals.hpp"

namespace lumarch::cli {

inline constexpr int stopped_by_itself = 7;  // exit status: stopped, and no signal asked for it

[[nodiscard]] Reporter::Style style_of(bool json, const std::ostream& log);

// In single quotes where a shell would take it apart.
[[nodiscard]] std::string in_shell(const std::string& word);

[[nodiscard]] int status_of(Ended ended, const StopSignals& signals);

// The file to write; Error(Fault::problem) where it is one that the problem is read from.
[[nodiscard]] std::string output_of(const RunRequest& request, const Problem& problem);

// How long a stop took, that a signal came too late, and how it goes on.
void tell_of_stop(Ended ended, const std::string& file, const StopSignals& signals, std::ostream& out);

}  // namespace lumarch::cli
