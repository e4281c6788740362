// SPDX-License-Identifier: Apache-2.0
// What the shells of kernels (lumarch/launch/platform.hpp) ask of a device, answered by a gpu::Device. Launcher has
// elements(stream, grid, body) and blocks(stream, grid, blocks, body): only nvcc and hipcc can write those.
#pragma once

#include <variant>

#include <lumarch/launch/table.hpp>

#include "device.hpp"

namespace lumarch::gpu {

template <class R, class Launcher>
struct Platform {
  using Grid = kernels::Grid;

  template <class Body>
  static void elements(lm_device& device, const Grid& grid, const Body& body) {
    launch(device, [&](R& runtime) { Launcher::elements(runtime, grid, body); });
  }
  template <class Body>
  static void blocks(lm_device& device, const Grid& grid, unsigned blocks, const Body& body) {
    launch(device, [&](R& runtime) { Launcher::blocks(runtime, grid, blocks, body); });
  }
  static void transform(lm_device& device, lm_plan& plan, const void* in, std::int64_t in_distance, void* out,
                        std::int64_t out_distance, std::int64_t count) {
    if (count == 0) return;
    Device<R>& self = of<R>(device);
    self.usable();
    const Current<R> here(self.index());
    auto* fft = std::get_if<FftPlan<R>>(&of<R>(plan).what);
    if (!fft) throw sdk::Fault(LM_E_ARG, "the plan is no transform");
    fft->run(self, const_cast<void*>(in), in_distance, out, out_distance, count);
  }
  static double* partials(lm_device& device, std::size_t doubles) {
    Device<R>& self = of<R>(device);
    self.usable();
    const Current<R> here(self.index());
    return self.memory().partials(doubles);
  }
  static std::uint32_t chunk(lm_device& device, std::uint64_t bytes) { return of<R>(device).chunk(bytes); }
  template <class Enqueue>
  static void replay(lm_device& device, const lm_step* list, std::uint32_t n, const lm_members& members,
                     const Enqueue& enqueue) {
    Device<R>& self = of<R>(device);
    self.usable();
    const Current<R> here(self.index());
    self.replay(list, n, members, enqueue);
  }
  static const lm_fft_desc* fft(const lm_device& device, const lm_plan& plan) {
    const Plan<R>& self = of<R>(plan);
    const auto* fft = std::get_if<FftPlan<R>>(&self.what);
    return fft && self.device == &of<R>(device) ? &fft->desc() : nullptr;
  }
  static const lm_propagator_desc* propagator(const lm_device& device, const lm_plan& plan) {
    const Plan<R>& self = of<R>(plan);
    return self.device == &of<R>(device) ? std::get_if<lm_propagator_desc>(&self.what) : nullptr;
  }
  static const lm_exec& exec(lm_device& device) { return of<R>(device).exec(); }
  static void note(lm_device& device, const char* text) noexcept { of<R>(device).note(text); }
  static std::string noted(lm_device& device) { return of<R>(device).noted(); }

private:
  // An error that someone else left behind in this thread is not taken for one of the launch.
  template <class Put>
  static void launch(lm_device& device, const Put& put) {
    Device<R>& self = of<R>(device);
    self.usable();
    const Current<R> here(self.index());
    R::clear_error();
    put(self.runtime());
    self.check(R::launch_error(), "a launch");
  }
};

}  // namespace lumarch::gpu
