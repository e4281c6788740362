// SPDX-License-Identifier: Apache-2.0
// A picture as a gnuplot script with its data, and gnuplot itself.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace lumarch::tools {

struct Figure {
  std::string kind;
  double width = 12, height = 8;            // of the picture, in units of 100 pixels
  std::string script;                       // what follows the terminal and the output; @NAME@ is a data file's name
  std::map<std::string, std::string> data;  // NAME -> bytes
};

// In single quotes, as gnuplot reads them.
[[nodiscard]] std::string quoted(const std::string& text);
[[nodiscard]] std::string number(double value);

// Rows of float32 for `binary array`.
[[nodiscard]] std::string float_bytes(const std::vector<float>& values);

// "set palette ..." : inferno, whose luminance rises steadily, so that it reads in grey too.
[[nodiscard]] std::string palette();

// The whole script: terminal by the picture's suffix (png, svg, pdf), output, style, figure. Data files are named
// PREFIX + NAME, beside the script.
[[nodiscard]] std::string whole_script(const Figure& figure, const std::string& picture, const std::string& prefix);

// Whether a picture is there to its end.
[[nodiscard]] bool whole_picture(const std::string& picture);

// "" where there is none in PATH.
[[nodiscard]] std::string find_gnuplot();

// Runs a script (a path, from the folder) in a folder; returns gnuplot's words, and throws Error(Fault::output) with
// them where it says that it failed. It does not say so where the disk is full: look at the picture.
std::string run_gnuplot(const std::string& gnuplot, const std::string& folder, const std::string& script);

}  // namespace lumarch::tools
