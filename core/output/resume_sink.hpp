// SPDX-License-Identifier: Apache-2.0
// The sink of a run that goes on in the file that it began.
#pragma once

#include <memory>
#include <string>

#include <lumarch/sink.hpp>

namespace lumarch {

// Holds the file from here on; begin() is the first to change it. Throws Error, Fault::output where another run writes
// it.
[[nodiscard]] std::unique_ptr<Sink> make_resume_sink(const std::string& path);

}  // namespace lumarch
