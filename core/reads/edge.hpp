// SPDX-License-Identifier: Apache-2.0
// How much light stands at the rims of the grid's windows (physics.md, 9): what shows that a window is too small.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <lumarch/problem.hpp>
#include <lumarch/sink.hpp>

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
  // In the order of names().
  [[nodiscard]] std::vector<EdgeRim> read(const PlaneRows& rows) const;

  // For a warning: what the rim is of, and which key of the problem makes its window larger.
  [[nodiscard]] static std::string remedy(const std::string& name);

private:
  // Entries of a row or of a map that stand in a rim, and what an entry counts in a sum.
  struct Rim {
    std::string name;
    std::vector<double> PlaneRows::*numbers;
    std::vector<std::size_t> active;  // of the numbers, those that are looked at
    std::vector<char> inside;         // of the active ones
    std::vector<double> weight;       // of the active ones; empty: 1
  };
  void add_time(const Problem& problem, std::int64_t times, double dt);
  void add_band(std::vector<std::size_t> rising);
  void add_space();
  void add_modes();

  double rim_;
  double joules_ = 1;  // of a number of the spectrum
  const UppeTables* tables_ = nullptr;
  ReadWants wants_;
  std::vector<Rim> rims_;
};

}  // namespace lumarch
