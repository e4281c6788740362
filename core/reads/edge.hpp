// SPDX-License-Identifier: Apache-2.0
// How much light stands at the rims of the grid's windows (physics.md, 9): what shows that a window is too small.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>
#include <lumarch/sink.hpp>

#include "march/edge_reader.hpp"
#include "march/readings.hpp"
#include "translate/grid.hpp"
#include "translate/uppe.hpp"

namespace lumarch {

// Whether a node is in the rim: u u >= ((1 - rim) h) ((1 - rim) h), u from the window's centre and h its half width,
// each product rounded by itself.
[[nodiscard]] bool in_rim(double u, double h, double rim);

// The rims of a problem's windows, and how they are read.
class EdgeReading {
public:
  EdgeReading(const Problem& problem, const Grid& grid);
  EdgeReading(const Problem& problem, const UppeTables& tables);

  [[nodiscard]] std::vector<std::string> names() const;
  // Sums over the state that a reading takes, beside its spectrum.
  [[nodiscard]] const ReadWants& wants() const { return wants_; }
  // In the order of names(). `time`: the rim of the window in time, where an edge reader has read it.
  [[nodiscard]] std::vector<EdgeRim> read(const PlaneRows& rows, const std::optional<EdgeRim>& time = {}) const;
  // What an edge reader may be asked for: of guided routes, whose field in time lies in one piece.
  [[nodiscard]] std::optional<TimeRim> time_rim() const;

  // Where the nodes of each rim lie in a plane's power, spectrum (omega rises), fluence or modes.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> strips() const;

  // A collar is what an absorber covers: light that stands there is what the absorber is for, and exceeds nothing.
  [[nodiscard]] static bool is_collar(const std::string& name);
  // For a warning: what the rim is of, and which key of the problem makes its window larger.
  [[nodiscard]] static std::string remedy(const std::string& name);

private:
  // Entries of a row or of a map that stand in a rim, and what an entry counts in a sum.
  struct Rim {
    std::string name;
    std::vector<double> PlaneRows::*numbers;
    std::vector<std::size_t> active{};  // of the numbers, those that are looked at
    std::vector<char> inside{};         // of the active ones
    std::vector<double> weight{};       // of the active ones; empty: 1
    std::vector<std::size_t> places{};  // of the active ones, in a file; empty: where they are in the numbers
    double unit = 1;                    // of a number in a strip
  };
  void add_time(const Problem& problem, std::int64_t times, double dt);
  template <class Grid>
  void add_band(const Grid& grid, std::int64_t samples, double unit, const std::vector<double>& weight);
  void add_space();
  void add_modes();
  void add_collars();

  double rim_;
  bool with_strips_;
  double dt_ = 0;
  double joules_ = 1;  // of a number of the spectrum
  const UppeTables* tables_ = nullptr;
  ReadWants wants_;
  std::vector<Rim> rims_;
};

}  // namespace lumarch
