// SPDX-License-Identifier: Apache-2.0
// What is marched, dy/dz = L y + N(y): the operator and the right-hand side of a batch of members on a device, as calls
// that a stepper puts into its programs. An equation has the tables and the scratch rows that these calls need.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "backend/program.hpp"
#include "march/readings.hpp"

namespace lumarch {

struct KernelUse {
  std::string name;
  std::uint32_t version = 1;
  std::string how;     // "fused", "stage", "plugin"
  std::string plugin;  // path of the plugin that brings a response by name
};

// Which kernels the programs call; each once.
class KernelsUsed {
public:
  void add(const std::string& name, const char* how, std::uint32_t version = 1) {
    const auto same = [&](const KernelUse& k) { return k.name == name && k.version == version; };
    if (std::none_of(list_.begin(), list_.end(), same)) list_.push_back({name, version, how, {}});
  }
  void add(KernelUse use) { list_.push_back(std::move(use)); }
  void clear() { list_.clear(); }
  [[nodiscard]] const std::vector<KernelUse>& list() const { return list_; }

private:
  std::vector<KernelUse> list_;
};

// Bytes of a row in a work area: n samples, on whole cache lines.
[[nodiscard]] inline std::uint64_t bytes_of(std::int64_t n, std::uint64_t sample) {
  return (static_cast<std::uint64_t>(n) * sample + 63) / 64 * 64;
}

// A sum of n terms, each as it is.
[[nodiscard]] inline lm_p_combine plain_sum(std::uint32_t n) {
  lm_p_combine p{};
  p.struct_size = sizeof(p);
  p.n = n;
  for (std::uint32_t j = 0; j < n; ++j) p.term[j] = {1, 0, 0};
  return p;
}

class Equation {
public:
  Equation() = default;
  Equation(const Equation&) = delete;
  Equation& operator=(const Equation&) = delete;
  virtual ~Equation() = default;

  [[nodiscard]] virtual std::uint32_t members() const = 0;
  [[nodiscard]] virtual RowShape shape() const = 0;  // of a member's state, c128

  // Looks its kernels up; before the first of the calls below, and again where a fused one turned out not to fit.
  virtual void build(bool fused, KernelsUsed& used) = 0;

  // out = N(in + noise) at a place in the step, as a fraction of its length. `in` is not changed; none is the other.
  virtual void add_rhs(Program& program, const lm_view& in, const lm_view& out, const lm_view* noise, double place) = 0;

  // E = exp of the integral of L from one place in the step to another; `unitary`: of its imaginary part alone.
  virtual void add_propagator(Program& program, const lm_view& E, double from, double to, bool unitary) = 0;
  // L does not depend on z, so that E depends on (to - from) h alone.
  [[nodiscard]] virtual bool uniform() const = 0;
  // Whether L has a real part, so that noise evolves under an operator of its own.
  [[nodiscard]] virtual bool lossy() const = 0;

  // What depends on z, for an attempt from z on over h: n_scales() numbers of the member block.
  [[nodiscard]] virtual std::uint32_t n_scales() const { return 0; }
  virtual void scales(std::uint32_t /*member*/, double /*z*/, double /*h*/, double* /*out*/) const {}

  // The field in time at every node (guided routes: of every mode), into `out`, whose shape is reading_shape().
  virtual void add_reading(Program& program, const lm_view& state, const lm_view& out) = 0;
  [[nodiscard]] virtual RowShape reading_shape() const = 0;

  // Sums over a state, made where it lies by read.samples and read.nodes; `spare` are rows of its shape.
  virtual void add_reads(Program& program, const lm_view& state, const lm_view& spare, const ReadWants& wants,
                         const ReadViews& out) = 0;

  // The parts of a state that lie in the outermost tenth of k along each axis across the beam: light there is light
  // that the nodes do not resolve. None where there are no such axes, or too few nodes on them to tell.
  [[nodiscard]] virtual std::vector<lm_view> rims(const lm_view& /*state*/) const { return {}; }

  // Absorbers that act on a state between steps, in place, and leave sum abs(S)^2 in the member's numbers: before them
  // (slot), after the one in time (slot + 2), after the one in space (slot + 4); each as reduce.error writes it.
  [[nodiscard]] virtual bool absorbs() const { return false; }
  virtual void add_absorbers(Program& /*program*/, const lm_view& /*state*/, std::uint32_t /*slot*/) {}

  // Names the responses of plugins as the end of a message; empty where there is none.
  [[nodiscard]] virtual std::string suspects() const { return {}; }
};

}  // namespace lumarch
