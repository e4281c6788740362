// SPDX-License-Identifier: Apache-2.0
// `lumarch plot OUT.h5`: pictures of a result, drawn by gnuplot.
#pragma once

#include <ostream>
#include <string>

namespace lumarch::tools {

struct PlotRequest {
  std::string file;
  std::string output;   // F.png, F.svg or F.pdf; empty: beside the file, OUT-evolution.png, OUT-spectrum.png, ...
  std::string what;     // kinds with commas between; empty: all but the spectrogram
  bool script = false;  // keep gnuplot's script and data beside the pictures; then gnuplot itself may be missing
};

// Returns the exit status; throws lumarch::Error.
int plot_command(const PlotRequest& request, std::ostream& out);

}  // namespace lumarch::tools
