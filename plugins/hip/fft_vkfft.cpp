// SPDX-License-Identifier: Apache-2.0
#include "fft_vkfft.hpp"

#include <clocale>
#include <string>

#include <lumarch/sdk/fault.hpp>

#include "runtime.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wunused-function"
#define VKFFT_BACKEND 2
#include <vkFFT.h>
#pragma GCC diagnostic pop

namespace lumarch::hip {

// VkFFT keeps pointers to what it was configured with.
struct VkfftTransform::Application {
  VkFFTApplication vkfft = {};
  hipDevice_t device = 0;
  hipStream_t stream = nullptr;
  bool made = false;

  ~Application() {
    if (made) deleteVkFFT(&vkfft);
  }
};

namespace {

// VkFFT sets the locale of the process while it writes a kernel, and does not always put it back.
class KeptLocale {
public:
  KeptLocale() {
    const char* now = std::setlocale(LC_ALL, nullptr);
    before_ = now ? now : "C";
  }
  ~KeptLocale() { std::setlocale(LC_ALL, before_.c_str()); }
  KeptLocale(const KeptLocale&) = delete;
  KeptLocale& operator=(const KeptLocale&) = delete;

private:
  std::string before_;
};

void check_vkfft(VkFFTResult result, const std::string& what) {
  if (result == VKFFT_SUCCESS) return;
  const bool memory = result == VKFFT_ERROR_MALLOC_FAILED || result == VKFFT_ERROR_FAILED_TO_ALLOCATE;
  throw sdk::Fault(memory ? LM_E_NOMEM : LM_E_DRIVER, "VkFFT's error " + std::to_string(static_cast<int>(result)) +
                                                          " (VkFFTResult in vkFFT.h) in " + what);
}

}  // namespace

VkfftTransform::VkfftTransform(Runtime& runtime, const lm_fft_desc& desc, std::int64_t in_distance,
                               std::int64_t out_distance, std::int64_t count)
    : desc_(desc),
      in_distance_(in_distance),
      out_distance_(out_distance),
      count_(count),
      application_(std::make_unique<Application>()) {
  Application& app = *application_;
  app.device = runtime.index();
  app.stream = runtime.stream();
  VkFFTConfiguration wanted = {};
  wanted.FFTdim = 1;
  wanted.size[0] = static_cast<std::uint64_t>(desc.n);
  wanted.device = &app.device;
  wanted.stream = &app.stream;
  wanted.num_streams = 1;
  wanted.numberBatches = static_cast<std::uint64_t>(count);
  wanted.doublePrecision = 1;
  wanted.performR2C = desc.kind != LM_FFT_C2C;
  // Complex elements between rows, of the side where the rows are transformed; the reals of a row lie in its place.
  const auto row = static_cast<std::uint64_t>(desc.kind == LM_FFT_C2R ? in_distance : out_distance);
  wanted.bufferStride[0] = row;
  wanted.bufferStride[1] = wanted.bufferStride[2] = row * static_cast<std::uint64_t>(count);
  wanted.makeForwardPlanOnly = desc.direction == LM_FFT_FORWARD;
  wanted.makeInversePlanOnly = desc.direction == LM_FFT_BACKWARD;
  std::uint64_t bytes = row * static_cast<std::uint64_t>(count) * 16;
  wanted.bufferSize = &bytes;
  const KeptLocale locale;
  check_vkfft(initializeVkFFT(&app.vkfft, wanted),
              "planning " + std::to_string(count) + " transforms of " + std::to_string(desc.n) + " samples");
  app.made = true;
}

VkfftTransform::~VkfftTransform() = default;

void VkfftTransform::run(Runtime& runtime, void*, void* in, void* out) {
  const auto check = [](int code) {
    if (code != 0) throw sdk::Fault(LM_E_DRIVER, gpu::words<Runtime>(code) + " in a transform");
  };
  const auto n = static_cast<std::size_t>(desc_.n), rows = static_cast<std::size_t>(count_);
  const auto in_row = static_cast<std::size_t>(in_distance_), out_row = static_cast<std::size_t>(out_distance_);
  void* rows_at = out;
  if (desc_.kind == LM_FFT_C2R)
    rows_at = in;
  else if (desc_.kind == LM_FFT_R2C)
    check(runtime.copy_rows(out, 16 * out_row, in, 8 * in_row, 8 * n, rows));
  else if (in != out)
    check(runtime.copy_rows(out, 16 * out_row, in, 16 * in_row, 16 * n, rows));
  VkFFTLaunchParams launch = {};
  launch.buffer = &rows_at;
  check_vkfft(VkFFTAppend(&application_->vkfft, desc_.direction == LM_FFT_FORWARD ? -1 : 1, &launch), "a transform");
  if (desc_.kind == LM_FFT_C2R) check(runtime.copy_rows(out, 8 * out_row, in, 16 * in_row, 8 * n, rows));
}

}  // namespace lumarch::hip
