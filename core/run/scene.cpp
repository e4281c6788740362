// SPDX-License-Identifier: Apache-2.0
#include "run/scene.hpp"

#include <new>

#include "march/fibre_equation.hpp"
#include "march/route_equation.hpp"
#include "media/constants.hpp"
#include "reads/edge.hpp"
#include "reads/statistics.hpp"
#include "run/memory.hpp"
#include "run/stored_launch.hpp"
#include "translate/uppe_launch.hpp"

namespace lumarch {

namespace {

bool noise_in_operator(const Problem& problem) {
  return problem.noise && problem.noise->enters == Noise::Enters::nonlinear;
}

template <class... Rows>
std::uint64_t bytes_in(const Rows&... rows) {
  return (std::uint64_t{0} + ... + (rows.size() * sizeof(typename Rows::value_type)));
}

StepperOptions options_of(const Problem& problem, const RunWays& ways, std::vector<ReadWants> reads,
                          const EdgeReading& edge) {
  StepperOptions options{problem.march.integrator, noise_in_operator(problem), ways.fused, std::move(reads), {},
                         ways.reads_here};
  if (problem.edge.on) options.rim = edge.time_rim();
  return options;
}

void put_rims(const EdgeReading& edge, RunInfo& info) {
  info.rims = edge.names();
  info.strips = edge.strips();
}

class FibreScene final : public Scene {
public:
  explicit FibreScene(const Problem& problem) : problem_(problem), tables_(translate_fibre(problem)) {
    warnings_ = tables_.warnings;
  }
  void describe(RunInfo& info) const override {
    info.omega0 = tables_.grid.omega0;
    info.omega = tables_.grid.rising_omega();
    info.time = tables_.grid.times();
    if (problem_.edge.on) put_rims(EdgeReading(problem_, tables_.grid), info);
  }
  std::unique_ptr<Stepper> make_stepper(Device& device, const RunWays& ways) override {
    return std::make_unique<Stepper>(
        device, std::vector{tables_},
        options_of(problem_, ways, reads_of(problem_, nullptr), EdgeReading(problem_, tables_.grid)));
  }
  Launch launch(Device& device) override {
    return build_launch(problem_, tables_.grid, transforms(device), warnings_, stored_fields(problem_));
  }
  [[nodiscard]] Transforms transforms(Device& device) const override { return transforms_on(device, tables_.grid.n); }
  [[nodiscard]] Budget entrance(const Launch& launch) const override {
    const PlaneRows rows = squares_of(launch.state, {});
    return {energy(tables_.grid, rows.spectrum), photon_number(tables_.grid, rows.spectrum), 0};
  }
  std::unique_ptr<PlaneReader> reader(Stepper& stepper, Sink& sink) override {
    return read_fibre(problem_, tables_.grid, stepper, sink);
  }
  [[nodiscard]] bool lossy() const override { return !tables_.lossless; }
  [[nodiscard]] std::int64_t points() const override { return tables_.grid.n; }
  [[nodiscard]] std::uint64_t table_bytes() const override {
    const auto bytes = [](const auto& row) { return row ? bytes_in(*row) : 0; };
    return bytes(tables_.D) + bytes(tables_.unitary) + bytes(tables_.source) + bytes(tables_.pre) +
           bytes(tables_.raman);
  }

private:
  const Problem& problem_;
  FibreTables tables_;
};

class RouteScene final : public Scene {
public:
  explicit RouteScene(const Problem& problem)
      : problem_(problem), tables_(std::make_shared<UppeTables>(translate_uppe(problem))) {
    warnings_ = tables_->notes;
    warnings_.insert(warnings_.end(), tables_->warnings.begin(), tables_->warnings.end());
  }
  void describe(RunInfo& info) const override {
    info.omega0 = tables_->grid.omega0;
    info.omega = tables_->grid.rising_omega();
    info.time = tables_->grid.times_axis();
    info.nodes = tables_->axes;
    info.profiles = true;
    if (problem_.edge.on) put_rims(EdgeReading(problem_, *tables_), info);
  }
  std::unique_ptr<Stepper> make_stepper(Device& device, const RunWays& ways) override {
    const bool noise = noise_in_operator(problem_);
    return std::make_unique<Stepper>(
        device, std::make_unique<RouteEquation>(device, tables_, 1, noise),
        options_of(problem_, ways, reads_of(problem_, tables_.get()), EdgeReading(problem_, *tables_)));
  }
  Launch launch(Device& device) override {
    return build_launch(problem_, *tables_, transforms(device), warnings_, stored_fields(problem_));
  }
  [[nodiscard]] Transforms transforms(Device& device) const override {
    return transforms_on(device, tables_->grid.times);
  }
  [[nodiscard]] Budget entrance(const Launch& launch) const override {
    Budget found;
    const std::size_t plane = tables_->energy.size();
    const auto samples = static_cast<std::size_t>(tables_->grid.samples);
    for (std::size_t i = 0; i < launch.state.size(); ++i) {
      const double e = tables_->energy[i % plane] * std::norm(launch.state[i]);
      found.energy += e;
      if (e > 0) found.photons += e / (constants::hbar * tables_->grid.omega(static_cast<std::int64_t>(i % samples)));
    }
    return found;
  }
  std::unique_ptr<PlaneReader> reader(Stepper& stepper, Sink& sink) override {
    return read_route(problem_, *tables_, stepper, sink);
  }
  void put_places(MarchOptions& options) const override {
    options.walls = tables_->walls;
    options.absorb_at = tables_->absorb_at;
    options.approaches_end = !tables_->op.uniform && problem_.march.integrator == Integrator::erk43;
  }
  [[nodiscard]] bool half() const override { return tables_->grid.half(); }
  [[nodiscard]] bool lossy() const override { return tables_->op.lossy || !tables_->absorb_at.empty(); }
  [[nodiscard]] std::int64_t points() const override { return tables_->nodes() * tables_->grid.samples; }
  [[nodiscard]] std::uint64_t table_bytes() const override {
    const UppeTables& t = *tables_;
    std::uint64_t bytes = bytes_in(t.grid.weight, t.to_space, t.to_state, t.to_reading, t.pre, t.post, t.current,
                                   t.source, t.time_collar, t.space_collar, t.energy);
    for (const auto& D : t.op.D) bytes += bytes_in(D);
    return bytes;
  }

private:
  const Problem& problem_;
  std::shared_ptr<UppeTables> tables_;
};

}  // namespace

std::unique_ptr<Scene> translate(const Problem& problem) {
  refuse_unless_tables_fit(problem);
  try {
    if (problem.uppe) return std::make_unique<RouteScene>(problem);
    return std::make_unique<FibreScene>(problem);
  } catch (const std::bad_alloc&) {
    throw Error(Fault::refused, "the host has no memory for the tables of this problem; fewer points would help");
  }
}

}  // namespace lumarch
