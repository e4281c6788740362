// SPDX-License-Identifier: Apache-2.0
#include "runtime.hpp"

#include <cstdint>
#include <cstdlib>

namespace lumarch::cuda {
namespace {

// 13000 is 13.0.
std::string version(int number) { return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10); }

}  // namespace

int Runtime::count(int* n) noexcept {
  const cudaError_t error = cudaGetDeviceCount(n);
  (void)cudaGetLastError();
  return error;
}

std::string Runtime::why_none(int code) {
  int driver = 0;
  const bool known = cudaDriverGetVersion(&driver) == cudaSuccess;
  (void)cudaGetLastError();
  // Without a driver the runtime calls it too old; its version is then 0.
  if (known && driver == 0)
    return "no NVIDIA driver: libcuda.so.1 was not found; install NVIDIA's driver " + version(CUDART_VERSION) +
           " or newer (the toolkit alone is not enough)";
  if (code == cudaErrorInsufficientDriver)
    return "the NVIDIA driver is too old: it serves CUDA " + version(driver) + ", and this backend needs " +
           version(CUDART_VERSION) + "; install a newer driver";
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (code == cudaSuccess || code == cudaErrorNoDevice)
    return std::string("no NVIDIA GPU: the driver is there and shows none") +
           (visible ? " (CUDA_VISIBLE_DEVICES = \"" + std::string(visible) + "\")" : std::string());
  return "no NVIDIA GPU can be used: " + gpu::words<Runtime>(code);
}

int Runtime::describe(int index, gpu::Properties* out) {
  cudaDeviceProp properties{};
  if (const cudaError_t error = cudaGetDeviceProperties(&properties, index); error != cudaSuccess) return error;
  out->name = properties.name;
  out->memory_bytes = properties.totalGlobalMem;
  out->cache_bytes = properties.l2CacheSize > 0 ? static_cast<std::uint64_t>(properties.l2CacheSize) : 0;
  int ratio = 1;
  if (const cudaError_t error = cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, index);
      error != cudaSuccess)
    return error;
  out->fast_doubles = ratio <= 4;
  return cudaSuccess;
}

std::string Runtime::why_not(int index) {
  int major = 0, minor = 0;
  if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, index) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, index) != cudaSuccess) {
    (void)cudaGetLastError();
    return "";
  }
  if (major * 10 + minor >= LUMARCH_CUDA_LEAST) return "";
  return "device " + std::to_string(index) + " has compute capability " + std::to_string(major) + "." +
         std::to_string(minor) + "; this build has code for " + std::to_string(LUMARCH_CUDA_LEAST / 10) + "." +
         std::to_string(LUMARCH_CUDA_LEAST % 10) + " and newer (CMAKE_CUDA_ARCHITECTURES)";
}

gpu::Trouble Runtime::trouble(int code) noexcept {
  switch (static_cast<cudaError_t>(code)) {
    case cudaSuccess:
      return gpu::Trouble::none;
    case cudaErrorMemoryAllocation:
      return gpu::Trouble::memory;
    // After these the context answers nothing but the same error.
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
#if CUDART_VERSION >= 13000
    case cudaErrorContained:
#endif
    case cudaErrorDevicesUnavailable:
    case cudaErrorMpsRpcFailure:
    case cudaErrorUnknown:
      return gpu::Trouble::lost;
    default:
      return gpu::Trouble::other;
  }
}

int Runtime::open(int index) noexcept {
  if (const cudaError_t error = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking); error != cudaSuccess)
    return error;
  int pools = 0;
  if (const cudaError_t error = cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, index);
      error != cudaSuccess)
    return error;
  if (!pools) return cudaSuccess;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = index;
  if (const cudaError_t error = cudaMemPoolCreate(&pool_, &properties); error != cudaSuccess) return error;
  // What is freed stays with the pool at every wait for the stream: an attempt waits each time.
  std::uint64_t keep = UINT64_MAX;
  return cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep);
}

void Runtime::close() noexcept {
  if (pool_) (void)cudaMemPoolDestroy(pool_);
  if (stream_) (void)cudaStreamDestroy(stream_);
  (void)cudaGetLastError();
  pool_ = nullptr;
  stream_ = nullptr;
}

int Runtime::alloc(void** at, std::size_t bytes) noexcept {
  if (!pool_) return cudaMalloc(at, bytes);
  cudaError_t error = cudaMallocFromPoolAsync(at, bytes, pool_, stream_);
  if (error != cudaErrorMemoryAllocation) return error;
  // Pieces that the pool keeps may not fit together: they go back to the driver before it is asked again.
  (void)cudaGetLastError();
  if (error = cudaStreamSynchronize(stream_); error != cudaSuccess) return error;
  if (error = cudaMemPoolTrimTo(pool_, 0); error != cudaSuccess) return error;
  return cudaMallocFromPoolAsync(at, bytes, pool_, stream_);
}

int Runtime::free(void* at) noexcept { return pool_ ? cudaFreeAsync(at, stream_) : cudaFree(at); }

int Runtime::free_memory(std::size_t* bytes) noexcept {
  std::size_t total = 0;
  if (const cudaError_t error = cudaMemGetInfo(bytes, &total); error != cudaSuccess) return error;
  if (!pool_) return cudaSuccess;
  std::uint64_t reserved = 0, used = 0;
  if (const cudaError_t error = cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved);
      error != cudaSuccess)
    return error;
  if (const cudaError_t error = cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used);
      error != cudaSuccess)
    return error;
  *bytes += reserved - used;
  return cudaSuccess;
}

int Runtime::end_capture(Graph* graph) noexcept {
  cudaGraph_t captured = nullptr;
  cudaError_t error = cudaStreamEndCapture(stream_, &captured);
  if (error == cudaSuccess && graph) error = cudaGraphInstantiate(graph, captured, 0);
  if (captured) (void)cudaGraphDestroy(captured);
  return error;
}

const char* CufftNames::name(Result result) {
  switch (result) {
#define LUMARCH_NAME(x) \
  case x:               \
    return #x
    LUMARCH_NAME(CUFFT_SUCCESS);
    LUMARCH_NAME(CUFFT_INVALID_PLAN);
    LUMARCH_NAME(CUFFT_ALLOC_FAILED);
    LUMARCH_NAME(CUFFT_INVALID_TYPE);
    LUMARCH_NAME(CUFFT_INVALID_VALUE);
    LUMARCH_NAME(CUFFT_INTERNAL_ERROR);
    LUMARCH_NAME(CUFFT_EXEC_FAILED);
    LUMARCH_NAME(CUFFT_SETUP_FAILED);
    LUMARCH_NAME(CUFFT_INVALID_SIZE);
    LUMARCH_NAME(CUFFT_UNALIGNED_DATA);
    LUMARCH_NAME(CUFFT_INVALID_DEVICE);
    LUMARCH_NAME(CUFFT_NO_WORKSPACE);
    LUMARCH_NAME(CUFFT_NOT_IMPLEMENTED);
    LUMARCH_NAME(CUFFT_NOT_SUPPORTED);
#if CUFFT_VERSION >= 12000
    LUMARCH_NAME(CUFFT_MISSING_DEPENDENCY);
    LUMARCH_NAME(CUFFT_NVRTC_FAILURE);
    LUMARCH_NAME(CUFFT_NVJITLINK_FAILURE);
    LUMARCH_NAME(CUFFT_NVSHMEM_FAILURE);
#endif
#undef LUMARCH_NAME
    default:
      return "an unknown error";
  }
}

}  // namespace lumarch::cuda
