// SPDX-License-Identifier: Apache-2.0
// What a stepper carries from attempt to attempt, taken out and put back.
#include <bit>
#include <cmath>

#include "march/stepper.hpp"

namespace lumarch {

namespace {

constexpr const char *down = "download checkpoint", *up = "upload checkpoint";

// A 64-bit sum in which every bit of every number counts, in their order.
std::uint64_t sum_of(const std::vector<Complex>& row) {
  std::uint64_t sum = 0x9e3779b97f4a7c15;
  const auto add = [&](double value) {
    sum = (sum ^ std::bit_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccd;
    sum ^= sum >> 32;
  };
  for (const Complex& value : row) {
    add(value.real());
    add(value.imag());
  }
  return sum;
}

}  // namespace

// Propagators are made anew. What the integrators keep: the state, its right-hand side where the next attempt begins
// with it, the two before that, the noise.
std::vector<const RowBlock*> Stepper::carried_rows() const {
  std::vector<const RowBlock*> rows = {&y_};
  if (options_.integrator != Integrator::low_storage) rows.push_back(&k1_);
  if (options_.integrator == Integrator::adams) rows.insert(rows.end(), {&k_[0], &k_[1]});
  if (options_.noise) rows.push_back(&noise_);
  return rows;
}

std::size_t Stepper::carried(Integrator integrator, bool noise) noexcept {
  return 1 + (integrator != Integrator::low_storage ? 1 : 0) + (integrator == Integrator::adams ? 2 : 0) +
         (noise ? 1 : 0);
}

StepperState Stepper::save(std::uint32_t member) const {
  const Loaded& loaded = loaded_[member];
  const Absorbed& absorbed = absorbed_[member];
  return {block_.parity[member], loaded.field2,  loaded.source2,
          absorbed.time,         absorbed.space, history_[member].values()};
}

void Stepper::save_row(std::uint32_t member, std::size_t row, std::vector<Complex>& out) {
  carried_rows().at(row)->download(device_, member, block_.parity[member], out, down);
}

void Stepper::restore(const std::vector<StepperState>& states, const TakeRow& row) {
  for (std::uint32_t m = 0; m < members(); ++m) {
    const StepperState& state = states[m];
    block_.parity[m] = state.parity & 1u;
    block_.status[m] = LM_RUNNING;
    block_.active[m] = m;
    loaded_[m] = {state.field2, state.source2, false};
    absorbed_[m] = {state.absorbed_time, state.absorbed_space};
    history_[m] = AdamsHistory(state.history);
    prepared_h_[m] = std::nan("");
    const std::vector<const RowBlock*> rows = carried_rows();
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i]->upload(device_, m, block_.parity[m], row(m, i), up);
  }
  block_.set_active(members());
}

std::uint64_t Stepper::fingerprint(std::uint32_t member, double z) {
  const bool passing = options_.integrator == Integrator::low_storage;  // its right-hand side lives within an attempt
  if (passing && members() > 1) return 0;
  const std::uint32_t bank = passing ? 0 : block_.parity[member];
  std::vector<Complex> kept, made;
  if (!passing) k1_.download(device_, member, bank, kept, down);
  const double before = block_.z[member];
  block_.z[member] = z;
  alone(member, 0, [&] { run_first(); });
  block_.z[member] = before;
  k1_.download(device_, member, bank, made, down);
  if (!passing) k1_.upload(device_, member, bank, kept, up);
  return sum_of(made);
}

}  // namespace lumarch
