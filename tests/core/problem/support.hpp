// SPDX-License-Identifier: Apache-2.0
// A small valid problem to change, and what is found in a text.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>

namespace support {

inline const std::string kSmall = R"json({
  "lumarch": 1, "model": "gnlse", "wavelength": "835 nm",
  "time": { "window": "12.5 ps", "points": 8192 },
  "medium": { "type": "fibre", "length": "15 cm", "gamma": "0.11 1/(W m)",
              "dispersion": { "betas": ["-11.83 ps^2/km"] } },
  "responses": ["kerr"],
  "launch": [{ "shape": "sech", "fwhm": "50 fs", "peak_power": "10 kW" }]
})json";

// A dispersive wave in a capillary, and a beam in free space.
inline const std::string kCapillary = R"json({
  "lumarch": 1, "model": "uppe", "field": "real", "wavelength": "800 nm",
  "time": { "window": "1 ps", "band": ["160 nm", "3000 nm"] },
  "geometry": { "route": "modal", "modes": 4 },
  "medium": { "type": "capillary", "length": "3 m", "radius": "125 um", "gas": "argon", "pressure": "80 mbar" },
  "responses": ["kerr", "plasma"],
  "launch": [{ "shape": "gauss", "fwhm": "10 fs", "energy": "60 uJ" }]
})json";
inline const std::string kBeam = R"json({
  "lumarch": 1, "model": "uppe", "wavelength": "800 nm", "time": { "window": "1 ps", "points": 1024 },
  "geometry": { "route": "cartesian", "half_width": ["4 mm", "2 mm"], "points": [128, 64], "polarisations": 2 },
  "medium": { "type": "gas", "length": "60 cm", "gas": { "nitrogen": 0.8, "oxygen": 0.2 }, "pressure": "1.2 bar" },
  "responses": ["kerr", "raman"],
  "launch": [{ "shape": "sech", "fwhm": "20 fs", "energy": "1 pJ", "polarisation": "45 deg", "ellipticity": -0.5,
               "beam": { "waist": ["500 um", "400 um"], "focus": "-30 cm", "x": "1 mm", "y": "-0.1 mm",
                         "tilt_x": "1 mrad", "tilt_y": "-0.1 deg" } }]
})json";

using Sets = std::vector<lumarch::Override>;

inline lumarch::Problem with(const Sets& sets, const std::filesystem::path& folder = ".") {
  return lumarch::parse_problem(kSmall, sets, folder);
}

// "pointer: text" a line; empty where nothing is wrong.
inline std::string wrong(const Sets& sets, const std::filesystem::path& folder = ".",
                         const std::string& text = kSmall) {
  try {
    (void)lumarch::parse_problem(text, sets, folder);
  } catch (const lumarch::ProblemError& error) {
    return error.what();
  }
  return "";
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::string file_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// A folder of its own, gone afterwards.
class Folder {
public:
  explicit Folder(const std::string& name)
      : path_(std::filesystem::path(LUMARCH_BINARY_DIR) / "tests" / (name + "." + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code code;
    std::filesystem::remove_all(path_, code);
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

private:
  std::filesystem::path path_;
};

}  // namespace support
