// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime as plugins/gpu sees it. Linked statically, so that the plugin loads where there is no driver.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "../gpu/device.hpp"
#include "fft.hpp"

namespace lumarch::cuda {

class Runtime {
public:
  using Event = cudaEvent_t;
  using Graph = cudaGraphExec_t;
  using Transform = gpu::LibraryTransform<CufftNames>;
  static constexpr const char* backend = "cuda";

  static int count(int* n) noexcept;
  static std::string why_none(int code);
  static int describe(int index, gpu::Properties* out);
  static std::string why_not(int index);
  static int current(int* index) noexcept { return cudaGetDevice(index); }
  static int make_current(int index) noexcept { return cudaSetDevice(index); }
  static const char* name(int code) noexcept { return cudaGetErrorName(static_cast<cudaError_t>(code)); }
  static const char* text(int code) noexcept { return cudaGetErrorString(static_cast<cudaError_t>(code)); }
  static gpu::Trouble trouble(int code) noexcept;
  static void clear_error() noexcept { (void)cudaGetLastError(); }
  static int launch_error() noexcept { return cudaGetLastError(); }

  int open(int index) noexcept;
  void close() noexcept;
  [[nodiscard]] cudaStream_t stream() const noexcept { return stream_; }
  [[nodiscard]] void* native_stream() const noexcept { return stream_; }

  int alloc(void** at, std::size_t bytes) noexcept;
  int free(void* at) noexcept;
  int free_memory(std::size_t* bytes) noexcept;
  int pin(void** at, std::size_t bytes) noexcept { return cudaMallocHost(at, bytes); }
  void unpin(void* at) noexcept { (void)cudaFreeHost(at); }
  int to_device(void* to, const void* from, std::size_t bytes) noexcept {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream_);
  }
  int to_host(void* to, const void* from, std::size_t bytes) noexcept {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_);
  }
  int on_device(void* to, const void* from, std::size_t bytes) noexcept {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_);
  }
  int copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                std::size_t rows) noexcept {
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, rows, cudaMemcpyDeviceToDevice, stream_);
  }
  int clear_rows(void* to, std::size_t pitch, std::size_t width, std::size_t rows) noexcept {
    return cudaMemset2DAsync(to, pitch, 0, width, rows, stream_);
  }
  int wait() noexcept { return cudaStreamSynchronize(stream_); }

  int make(Event* event) noexcept { return cudaEventCreateWithFlags(event, cudaEventDisableTiming); }
  void destroy(Event event) noexcept { (void)cudaEventDestroy(event); }
  int record(Event event) noexcept { return cudaEventRecord(event, stream_); }
  int wait_for(Event event) noexcept { return cudaEventSynchronize(event); }

  // Of this thread alone: others may allocate meanwhile.
  int begin_capture() noexcept { return cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal); }
  int end_capture(Graph* graph) noexcept;
  int replay(Graph graph) noexcept { return cudaGraphLaunch(graph, stream_); }
  void destroy(Graph graph) noexcept { (void)cudaGraphExecDestroy(graph); }

private:
  cudaStream_t stream_ = nullptr;
  cudaMemPool_t pool_ = nullptr;  // NULL where the driver has none for this device
};

}  // namespace lumarch::cuda

struct lm_plan : lumarch::gpu::Plan<lumarch::cuda::Runtime> {
  using Plan::Plan;
};
struct lm_device : lumarch::gpu::Device<lumarch::cuda::Runtime> {
  using Device::Device;
};

namespace lumarch::cuda {

// kernels.cu
lm_status register_kernels(const lm_registrar& to) noexcept;
lm_status run(lm_device* device, const lm_step* list, std::uint32_t n, const lm_members* members) noexcept;

}  // namespace lumarch::cuda
