// SPDX-License-Identifier: Apache-2.0
// The HIP runtime as plugins/gpu sees it.
#pragma once

#include <hip/hip_runtime_api.h>

#include <string>

#include "../gpu/device.hpp"
#ifdef LUMARCH_HIPFFT
#include "fft_hipfft.hpp"
#else
#include "fft_vkfft.hpp"
#endif

namespace lumarch::hip {

class Runtime {
public:
  using Event = hipEvent_t;
  using Graph = hipGraphExec_t;
#ifdef LUMARCH_HIPFFT
  using Transform = gpu::LibraryTransform<HipfftNames>;
#else
  using Transform = VkfftTransform;
#endif
  static constexpr const char* backend = "hip";

  static int count(int* n) noexcept;
  static std::string why_none(int code);
  static int describe(int index, gpu::Properties* out);
  static std::string why_not(int index);
  static int current(int* index) noexcept { return hipGetDevice(index); }
  static int make_current(int index) noexcept { return hipSetDevice(index); }
  static const char* name(int code) noexcept { return hipGetErrorName(static_cast<hipError_t>(code)); }
  static const char* text(int code) noexcept { return hipGetErrorString(static_cast<hipError_t>(code)); }
  static gpu::Trouble trouble(int code) noexcept;
  static void clear_error() noexcept { (void)hipGetLastError(); }
  static int launch_error() noexcept { return hipGetLastError(); }

  int open(int index) noexcept;
  void close() noexcept;
  [[nodiscard]] int index() const noexcept { return index_; }
  [[nodiscard]] hipStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] void* native_stream() const noexcept { return stream_; }

  int alloc(void** at, std::size_t bytes) noexcept;
  int free(void* at) noexcept;
  int free_memory(std::size_t* bytes) noexcept;
  int pin(void** at, std::size_t bytes) noexcept { return hipHostMalloc(at, bytes, hipHostMallocDefault); }
  void unpin(void* at) noexcept { (void)hipHostFree(at); }
  int to_device(void* to, const void* from, std::size_t bytes) noexcept {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyHostToDevice, stream_);
  }
  int to_host(void* to, const void* from, std::size_t bytes) noexcept {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToHost, stream_);
  }
  int on_device(void* to, const void* from, std::size_t bytes) noexcept {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDeviceToDevice, stream_);
  }
  int copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                std::size_t rows) noexcept {
    return hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows, hipMemcpyDeviceToDevice, stream_);
  }
  int clear_rows(void* to, std::size_t pitch, std::size_t width, std::size_t rows) noexcept {
    return hipMemset2DAsync(to, pitch, 0, width, rows, stream_);
  }
  int wait() noexcept { return hipStreamSynchronize(stream_); }

  int make(Event* event) noexcept { return hipEventCreateWithFlags(event, hipEventDisableTiming); }
  void destroy(Event event) noexcept { (void)hipEventDestroy(event); }
  int record(Event event) noexcept { return hipEventRecord(event, stream_); }
  int wait_for(Event event) noexcept { return hipEventSynchronize(event); }

  // Of this thread alone: others may allocate meanwhile.
  int begin_capture() noexcept { return hipStreamBeginCapture(stream_, hipStreamCaptureModeThreadLocal); }
  int end_capture(Graph* graph) noexcept;
  int replay(Graph graph) noexcept { return hipGraphLaunch(graph, stream_); }
  void destroy(Graph graph) noexcept { (void)hipGraphExecDestroy(graph); }

private:
  int index_ = 0;
  hipStream_t stream_ = nullptr;
  hipMemPool_t pool_ = nullptr;  // NULL where the device has none
};

}  // namespace lumarch::hip

struct lm_plan : lumarch::gpu::Plan<lumarch::hip::Runtime> {
  using Plan::Plan;
};
struct lm_device : lumarch::gpu::Device<lumarch::hip::Runtime> {
  using Device::Device;
};

namespace lumarch::hip {

// kernels.hip
lm_status register_kernels(const lm_registrar& to) noexcept;
lm_status run(lm_device* device, const lm_step* list, std::uint32_t n, const lm_members* members) noexcept;

}  // namespace lumarch::hip
