// SPDX-License-Identifier: Apache-2.0
#include "runtime.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

namespace lumarch::hip {
namespace {

// Whether this build has code for "gfx90a:sramecc+:xnack-".
bool has_code(const char* architecture) {
  const std::string whole = architecture, of = LUMARCH_HIP_CODE;
  const std::string name = whole.substr(0, whole.find(':'));
  for (std::size_t at = 0; at < of.size();) {
    const std::size_t end = std::min(of.find(' ', at), of.size());
    const std::string one = of.substr(at, end - at);
    if (one == name || one == whole) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

int Runtime::count(int* n) noexcept {
  const hipError_t error = hipGetDeviceCount(n);
  (void)hipGetLastError();
  return error;
}

std::string Runtime::why_none(int code) {
  std::string text = "no AMD GPU: ";
  if (code == hipSuccess)
    text += "the driver is there and shows none";
  else
    text += gpu::words<Runtime>(code);
  if (code == hipSuccess || code == hipErrorNoDevice) {
    text += access("/dev/kfd", F_OK) != 0          ? "; there is no /dev/kfd: the amdgpu driver is not loaded"
            : access("/dev/kfd", R_OK | W_OK) != 0 ? "; /dev/kfd may not be used: join the groups render and video"
                                                   : "";
    for (const char* name : {"HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES"})
      if (const char* visible = std::getenv(name)) text += std::string("; ") + name + " = \"" + visible + "\"";
  }
  return text;
}

int Runtime::describe(int index, gpu::Properties* out) {
  hipDeviceProp_t properties{};
  if (const hipError_t error = hipGetDeviceProperties(&properties, index); error != hipSuccess) return error;
  out->name = properties.name;
  out->memory_bytes = properties.totalGlobalMem;
  out->cache_bytes = properties.l2CacheSize > 0 ? static_cast<std::uint64_t>(properties.l2CacheSize) : 0;
  out->fast_doubles = std::string(properties.gcnArchName).rfind("gfx9", 0) == 0;  // CDNA; no ratio can be asked for
  return hipSuccess;
}

std::string Runtime::why_not(int index) {
  hipDeviceProp_t properties{};
  if (hipGetDeviceProperties(&properties, index) != hipSuccess) {
    (void)hipGetLastError();
    return "";
  }
  if (has_code(properties.gcnArchName)) return "";
  return "device " + std::to_string(index) + " is a " + properties.gcnArchName + "; this build has code for " +
         LUMARCH_HIP_CODE + " (LUMARCH_HIP_ARCHITECTURES)";
}

gpu::Trouble Runtime::trouble(int code) noexcept {
  switch (static_cast<hipError_t>(code)) {
    case hipSuccess:
      return gpu::Trouble::none;
    case hipErrorOutOfMemory:
      return gpu::Trouble::memory;
    // After these the device answers nothing but the same error.
    case hipErrorIllegalAddress:
    case hipErrorLaunchFailure:
    case hipErrorLaunchTimeOut:
    case hipErrorAssert:
    case hipErrorECCNotCorrectable:
    case hipErrorContextIsDestroyed:
    case hipErrorUnknown:
      return gpu::Trouble::lost;
    default:
      return gpu::Trouble::other;
  }
}

int Runtime::open(int index) noexcept {
  index_ = index;
  if (const hipError_t error = hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking); error != hipSuccess)
    return error;
  int pools = 0;
  if (const hipError_t error = hipDeviceGetAttribute(&pools, hipDeviceAttributeMemoryPoolsSupported, index);
      error != hipSuccess)
    return error;
  if (!pools) return hipSuccess;
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location.type = hipMemLocationTypeDevice;
  properties.location.id = index;
  if (const hipError_t error = hipMemPoolCreate(&pool_, &properties); error != hipSuccess) return error;
  // What is freed stays with the pool at every wait for the stream: an attempt waits each time.
  std::uint64_t keep = UINT64_MAX;
  return hipMemPoolSetAttribute(pool_, hipMemPoolAttrReleaseThreshold, &keep);
}

void Runtime::close() noexcept {
  if (pool_) (void)hipMemPoolDestroy(pool_);
  if (stream_) (void)hipStreamDestroy(stream_);
  (void)hipGetLastError();
  pool_ = nullptr;
  stream_ = nullptr;
}

int Runtime::alloc(void** at, std::size_t bytes) noexcept {
  if (!pool_) return hipMalloc(at, bytes);
  hipError_t error = hipMallocFromPoolAsync(at, bytes, pool_, stream_);
  if (error != hipErrorOutOfMemory) return error;
  // Pieces that the pool keeps may not fit together: they go back to the driver before it is asked again.
  (void)hipGetLastError();
  if (error = hipStreamSynchronize(stream_); error != hipSuccess) return error;
  if (error = hipMemPoolTrimTo(pool_, 0); error != hipSuccess) return error;
  return hipMallocFromPoolAsync(at, bytes, pool_, stream_);
}

int Runtime::free(void* at) noexcept { return pool_ ? hipFreeAsync(at, stream_) : hipFree(at); }

int Runtime::free_memory(std::size_t* bytes) noexcept {
  std::size_t total = 0;
  if (const hipError_t error = hipMemGetInfo(bytes, &total); error != hipSuccess) return error;
  if (!pool_) return hipSuccess;
  std::uint64_t reserved = 0, used = 0;
  if (const hipError_t error = hipMemPoolGetAttribute(pool_, hipMemPoolAttrReservedMemCurrent, &reserved);
      error != hipSuccess)
    return error;
  if (const hipError_t error = hipMemPoolGetAttribute(pool_, hipMemPoolAttrUsedMemCurrent, &used); error != hipSuccess)
    return error;
  *bytes += reserved - used;
  return hipSuccess;
}

int Runtime::end_capture(Graph* graph) noexcept {
  hipGraph_t captured = nullptr;
  hipError_t error = hipStreamEndCapture(stream_, &captured);
  if (error == hipSuccess && graph) error = hipGraphInstantiate(graph, captured, nullptr, nullptr, 0);
  if (captured) (void)hipGraphDestroy(captured);
  return error;
}

}  // namespace lumarch::hip
