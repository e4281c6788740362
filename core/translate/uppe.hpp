// SPDX-License-Identifier: Apache-2.0
// A uppe problem as tables of numbers for the kernels (docs/kernels.md; physics.md, 1 to 9).
#pragma once

#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <lumarch/abi_params.h>
#include <lumarch/problem.hpp>
#include <lumarch/sink.hpp>

#include "media/ionisation.hpp"
#include "translate/band_grid.hpp"
#include "translate/optics.hpp"
#include "translate/transverse.hpp"

namespace lumarch {

// A response with what its kernel gets. `scale` is what depends on z; absent where nothing does. `domains`: it jumps,
// and steps end at its jumps, so that a step takes its value from its own middle.
using UppeParams = std::variant<lm_p_kerr, lm_p_convolution, lm_p_plasma, lm_p_own_response>;
struct UppeResponse {
  std::string kernel;
  std::uint32_t version = 1;
  UppeParams params;
  std::uint32_t output = LM_POLARISATION;
  std::function<double(double z)> scale;
  bool domains = false;
  std::optional<RateTable> rates;     // response.plasma
  std::vector<double> delayed;        // response.convolution: h(t_j) dt, fine samples of it; or
  std::optional<RamanModel> silica;   // of a closed form, with unit area
  std::optional<PluginResponse> own;  // a plugin's; its kernel and values are the backend's to say
};

// The operator between two places: sum_r weight_r D_r. One D, and weight = their distance, where it is uniform.
struct UppeOperator {
  std::vector<std::vector<std::complex<double>>> D;  // [r][own component][outer][inner][omega], 1/m
  bool uniform = true, lossy = false;
  std::function<void(double from, double to, double* weights)> weights;
};

struct UppeTables {
  BandGrid grid;
  Route route = Route::mode_averaged;
  std::int64_t components = 1;  // of a state
  // That have an operator, a source and an energy of their own: 2 where x and y see other indices, else 1.
  std::int64_t own_components = 1;
  std::int64_t outer = 1, inner = 1;
  UppeOperator op;

  // To the nodes where responses are computed, and back: matrices [K][rows][columns] of modal and radial routes.
  std::int64_t space_components = 1, space_inner = 1;
  std::vector<double> to_space, to_state;
  std::int64_t matrix_components = 1;  // K
  std::vector<double> node_radius;     // modal: of each node, m

  std::vector<double> pre;                          // [omega]
  std::vector<std::complex<double>> post, current;  // [omega]
  std::vector<std::complex<double>> source;         // [own component][outer][inner][omega]; empty where post has it all
  std::function<double(double z)> pre_scale, post_scale;
  bool analytic = false;  // a response wants the analytic signal of a real field
  std::vector<UppeResponse> responses;

  // Reading: at which nodes the field in time is read, [rows][columns] (radial: with r = 0 first); empty: the nodes.
  std::int64_t reading_inner = 1;
  std::vector<double> to_reading;

  std::vector<double> walls;  // m, within the medium: where a response jumps

  // Absorbers in time and in space act at places a fixed distance apart (absorb_at, m), so that what they take does not
  // depend on the steps: factors of the field, [time] and [outer][inner]. Empty: there is none.
  std::vector<double> absorb_at, time_collar, space_collar;

  std::vector<double> energy;               // [own component][outer][inner][omega]: J per abs(S)^2
  double intensity = 0;                     // W/m^2 per abs(E)^2 of an envelope or analytic signal, at the reference
  std::vector<double> component_intensity;  // the same of x and y
  NodeAxes axes;
  std::shared_ptr<const Optics> optics;
  std::shared_ptr<const Transverse> transverse;   // free space
  std::vector<std::array<double, 2>> axis_field;  // modal: (e_x, e_y) of each mode on the axis at z = 0, V/(m sqrt(W))
  std::vector<std::string> notes;                 // what pins were found to be
  std::vector<std::string> warnings;

  [[nodiscard]] std::int64_t nodes() const { return components * outer * inner; }
  [[nodiscard]] std::size_t at(std::int64_t y, std::int64_t x, std::int64_t k) const {
    return static_cast<std::size_t>((y * inner + x) * grid.samples + k);
  }
};

[[nodiscard]] UppeTables translate_uppe(const Problem& problem);

// One for each part of the translation (uppe_operator.cpp, uppe_source.cpp, uppe_responses.cpp).
void translate_operator(const Problem& problem, UppeTables& tables);
void translate_source(const Problem& problem, UppeTables& tables);
void translate_responses(const Problem& problem, UppeTables& tables);
void translate_absorbers(const Problem& problem, UppeTables& tables);

inline constexpr double most_decay = 30;  // of an evanescent wave over the absorption length
// The length over which absorbers act, m.
[[nodiscard]] double absorption_length(const Problem& problem);
// exp(-alpha l/2), alpha = -2 ln(weight)/ell, at most 60/ell (physics.md, 9).
[[nodiscard]] double absorbed(double weight, double l, double ell);
// A k-space absorber's profile, over the outer tenth of the wave numbers of a node's axes.
[[nodiscard]] double k_window(const Transverse& nodes, std::int64_t outer, std::int64_t inner);

}  // namespace lumarch
