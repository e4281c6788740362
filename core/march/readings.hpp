// SPDX-License-Identifier: Apache-2.0
// What is read of a state at a plane: sums of squares that are made where the state lies (docs/kernels.md, "Reads on
// the state"), so that numbers cross and no field.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

#include "backend/program.hpp"

namespace lumarch {

using Complex = std::complex<double>;

// Numbers of the nodes of a plane, [outer][inner]: 1 for those that an aperture lets through, 0 for the others.
using NodeMask = std::shared_ptr<const std::vector<double>>;

// What is wanted beside the spectrum. In space: of routes in free space alone.
struct ReadWants {
  bool power = true;
  bool nodes = false;               // the energy of each node of the state: modes, or k
  bool fluence = false;             // of each node in space
  bool peak = false;                // of each node in space, the largest intensity in time
  bool axis = false;                // the field on the axis, in time and in omega
  std::vector<NodeMask> far, near;  // apertures in k and in space: the spectrum and the power that pass
  bool operator==(const ReadWants&) const = default;
};

// The numbers. Rows over omega are in the order of the state, rows over time begin with the window.
struct PlaneRows {
  struct Through {
    std::vector<double> spectrum, power;
  };
  std::vector<double> spectrum;       // [omega] energy of a sample, J (fibres: sum abs(S)^2, W)
  std::vector<double> power;          // [time] W
  std::vector<double> nodes;          // [outer][inner] J
  std::vector<double> fluence;        // [outer][inner] J/m^2
  std::vector<double> peak;           // [outer][inner] W/m^2
  std::vector<double> axis_power;     // [time] abs(E)^2 on the axis, all components; of modes without a taper's scale
  std::vector<double> axis_real;      // [time] the square of the real part likewise
  std::vector<double> axis_spectrum;  // [omega] abs(S)^2 of the whole signal on the axis, components as above
  std::vector<Through> far, near;
};

// Where kernels put them; a view without a buffer is not wanted.
struct ReadViews {
  struct Through {
    lm_view spectrum{}, power{};
  };
  lm_view spectrum{}, power{}, nodes{}, fluence{}, peak{}, axis_power{}, axis_real{}, axis_spectrum{};
  std::vector<Through> far, near;
};

// The sizes of a reading: samples and nodes of the state, and times.
struct ReadShape {
  RowShape state;
  std::int64_t times = 0;
};

// All rows of a reading in one buffer, so that one crossing brings them. A map's rows lie apart by whole cache lines.
class ReadRows {
public:
  ReadRows() = default;
  ReadRows(Device& device, std::uint32_t members, const ReadShape& shape, const ReadWants& wants);
  [[nodiscard]] const ReadViews& views() const noexcept { return views_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return block_.buffer().bytes(); }
  [[nodiscard]] PlaneRows download(Device& device, std::uint32_t member) const;

private:
  [[nodiscard]] std::vector<double> unpacked(const lm_view& view, const std::vector<double>& all) const;
  RowBlock block_;
  ReadViews views_;
};

// Entries `first` to `first + n` of an axis of a view; of samples a multiple of 8 from the start, for rows lie on cache
// lines.
[[nodiscard]] lm_view part_of(lm_view view, int axis, std::int64_t first, std::int64_t n);

// How many of `most` items of so many bytes to read together: what stays in a cache, or keeps a wide device busy.
[[nodiscard]] std::int64_t read_together(const Device& device, std::int64_t most, std::uint64_t bytes);

}  // namespace lumarch
