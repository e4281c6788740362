// SPDX-License-Identifier: Apache-2.0
// Transforms of the emulated device, by the reference's plain one: a row has the same bits in any batch.
#include <algorithm>
#include <limits>

#include "device.hpp"

namespace lumarch::emulated {

using reference::Complex;

namespace {

// What a plan may overwrite is overwritten, with what shows where somebody relies on it.
void spoil(double* row, std::int64_t doubles) { std::fill_n(row, doubles, std::numeric_limits<double>::quiet_NaN()); }

struct Transform {
  std::shared_ptr<const lm_plan> plan;
  const std::byte* in;
  std::byte* out;
  std::int64_t in_step, out_step, count;  // bytes between rows

  void row(std::int64_t i) const {
    const auto& [desc, fft] = std::get<FftPlan>(plan->what);
    const std::byte* const from = in + i * in_step;
    std::byte* const to = out + i * out_step;
    if (desc.kind == LM_FFT_C2C) {
      fft.transform(reinterpret_cast<const Complex*>(from), reinterpret_cast<Complex*>(to));
      if (desc.destroys_input && from != to) spoil(reinterpret_cast<double*>(const_cast<std::byte*>(from)), 2 * desc.n);
    } else if (desc.kind == LM_FFT_R2C) {
      to_spectrum(desc, fft, reinterpret_cast<const double*>(from), reinterpret_cast<Complex*>(to));
      if (desc.destroys_input) spoil(reinterpret_cast<double*>(const_cast<std::byte*>(from)), desc.n);
    } else {
      to_real(desc, fft, reinterpret_cast<const Complex*>(from), reinterpret_cast<double*>(to));
      spoil(reinterpret_cast<double*>(const_cast<std::byte*>(from)), 2 * (desc.n / 2 + 1));
    }
  }

  static void to_spectrum(const lm_fft_desc& desc, const reference::Fft& fft, const double* from, Complex* to) {
    std::vector<Complex> row(from, from + desc.n);
    fft.transform(row.data(), row.data());
    std::copy_n(row.begin(), desc.n / 2 + 1, to);
  }

  // The imaginary parts of what must be real in a real row's spectrum are not looked at.
  static void to_real(const lm_fft_desc& desc, const reference::Fft& fft, const Complex* from, double* to) {
    const auto n = static_cast<std::size_t>(desc.n), half = n / 2 + 1;
    std::vector<Complex> row(n);
    for (std::size_t k = 0; k < n; ++k) row[k] = k < half ? from[k] : std::conj(from[n - k]);
    row[0] = row[0].real();
    if (n % 2 == 0) row[n / 2] = row[n / 2].real();
    fft.transform(row.data(), row.data());
    for (std::size_t s = 0; s < n; ++s) to[s] = row[s].real();
  }
};

}  // namespace

void put_transform(lm_device& device, const lm_plan& plan, const void* in, std::int64_t in_distance, void* out,
                   std::int64_t out_distance, std::int64_t count) {
  Transform work;
  work.plan = device.find(plan);
  if (!work.plan) throw sdk::Fault(LM_E_ARG, "no plan of this device");
  const lm_fft_desc& desc = std::get<FftPlan>(work.plan->what).desc;
  work.in = device_address(static_cast<const std::byte*>(in));
  work.out = device_address(static_cast<std::byte*>(out));
  work.in_step = in_distance * (desc.kind == LM_FFT_R2C ? 8 : 16);
  work.out_step = out_distance * (desc.kind == LM_FFT_C2R ? 8 : 16);
  work.count = count;
  device.queue.put(Kind::transform, typeid(Transform),
                   [&device, work] { device.launcher.rows(work.count, [&](std::int64_t i) { work.row(i); }); });
}

}  // namespace lumarch::emulated
