// SPDX-License-Identifier: Apache-2.0
// What a plugin of this kind registers, and how it runs a list.
#pragma once

#include <algorithm>
#include <cstring>

#include <lumarch/launch/columns.hpp>
#include <lumarch/launch/media.hpp>
#include <lumarch/launch/reads.hpp>
#include <lumarch/launch/rhs.hpp>
#include <lumarch/launch/scaled.hpp>
#include <lumarch/launch/spatial.hpp>

namespace lumarch::launch {

// Registers all kernels; the first refusal is returned.
template <class P>
lm_status register_kernels(const lm_registrar& to) noexcept {
  const struct {
    const char* name;
    lm_kernel_fn fn;
    std::uint32_t version = 1;
  } all[] = {
      {"core.fill", &core_fill<P>},
      {"core.lincomb", &core_lincomb<P>},
      {"core.mul", &core_mul<P>},
      {"fft.exec", &fft_exec<P>},
      {"lin.prepare", &lin_prepare<P>},
      {"lin.apply", &lin_apply<P>},
      {"response.kerr", &response_kerr<P>},
      {"response.raman", &response_raman<P>},
      {"reduce.error", &reduce_error<P>},
      {"step.combine", &step_combine<P>},
      {"response.kerr_raman", &response_kerr_raman<P>},
      {"rhs.fibre", &rhs_fibre<P>},
      {"core.lincomb", &core_lincomb_2<P>, 2},
      {"reduce.error", &reduce_error_2<P>, 2},
      {"core.mul", &core_mul_2<P>, 2},
      {"spatial.fft", &spatial_fft<P>},
      {"spatial.matrix", &spatial_matrix<P>},
      {"fft.pad", &fft_pad<P>},
      {"fft.crop", &fft_crop<P>},
      {"lin.prepare", &lin_prepare_2<P>, 2},
      {"response.kerr", &response_kerr_2<P>, 2},
      {"response.convolution", &response_convolution<P>},
      {"response.plasma", &response_plasma<P>},
      {"response.chi2", &response_chi2<P>},
      {"rhs.columns", &rhs_columns<P>},
      {"read.samples", &read_samples<P>},
      {"read.nodes", &read_nodes<P>},
  };
  for (const auto& kernel : all)
    if (const lm_status status = to.kernel(to.ctx, nullptr, kernel.name, kernel.version, kernel.fn); status != LM_OK)
      return status;
  return LM_OK;
}

// How many entries every SCRATCH view and work area of a list has a row for.
inline std::uint32_t rows_of_list(const lm_step* list, std::uint32_t n, std::uint32_t n_active) {
  std::int64_t least = std::max(1u, n_active);
  const auto look = [&](const lm_view* view) {
    if (view && view->buffer && view->flags & LM_VIEW_SCRATCH && view->pitch[LM_AXIS_MEMBER] != 0)
      least = std::min(least, view->extent[LM_AXIS_MEMBER]);
  };
  for (std::uint32_t i = 0; i < n; ++i) {
    look(list[i].call->work);
    for (std::uint32_t v = 0; list[i].call->views && v < list[i].call->n_views; ++v) look(&list[i].call->views[v]);
  }
  return static_cast<std::uint32_t>(std::max<std::int64_t>(1, least));
}

// All of the list for the members of a piece.
template <class P>
void enqueue_piece(lm_device& device, const lm_step* list, std::uint32_t n, const lm_members& piece,
                   const lm_exec& exec) {
  for (std::uint32_t i = 0; i < n; ++i) {
    lm_call call{};
    std::memcpy(&call, list[i].call, std::min<std::size_t>(list[i].call->struct_size, sizeof call));
    call.struct_size = std::min<std::uint32_t>(list[i].call->struct_size, sizeof call);
    call.members = &piece;
    call.exec = &exec;
    P::note(device, "");
    const lm_status status = list[i].fn(&device, &call);
    if (status == LM_OK) continue;
    const std::string said = P::noted(device);
    throw Fault(status, said.empty() ? sdk::silent("kernel", i, status) : said);
  }
}

// Puts a list into the queue: all of it for as many members as have SCRATCH rows, then the next ones.
template <class P>
lm_status run_list(lm_device* device, const lm_step* list, std::uint32_t n, const lm_members* members) noexcept {
  if (!device) return LM_E_ARG;
  const auto put = [&] {
    sdk::check_list(list, n, members);
    const lm_members all = sdk::copy_of(*members);
    const auto enqueue = [&] {
      lm_exec exec = P::exec(*device);
      exec.worker = 0;
      exec.n_workers = rows_of_list(list, n, all.n_active);
      lm_members piece = all;
      const std::uint32_t end = all.first + all.n_active;
      for (; piece.first < end; piece.first += piece.n_active) {
        piece.n_active = std::min(exec.n_workers, end - piece.first);
        enqueue_piece<P>(*device, list, n, piece, exec);
      }
    };
    P::replay(*device, list, n, all, enqueue);
  };
  return sdk::fence([&](const char* text) { P::note(*device, text); }, put);
}

}  // namespace lumarch::launch
