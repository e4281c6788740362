// SPDX-License-Identifier: Apache-2.0
// The device: what it says about itself, options, memory, limits of control groups.
#include <filesystem>
#include <fstream>

#include <lumarch/machine_memory.hpp>

#include "support.hpp"

using namespace cpu_tests;

namespace {
std::string refusal(const std::vector<lm_option>& options) {
  try {
    const driver::Host host;
    const driver::Device device(plugin(), host, options);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}
void write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}
}  // namespace

TEST_CASE("the device says what it is") {
  const driver::Host host;
  const lm_device_api& api = plugin().api();
  std::int32_t n = 0;
  char why[100] = "";
  CHECK(api.count(host.get(), &n, why, sizeof why) == LM_OK);
  CHECK(n == 1);
  lm_device_info info{};
  info.struct_size = sizeof info;
  CHECK(api.info(0, &info) == LM_OK);
  CHECK(std::string(info.id) == "cpu:0");
  CHECK(std::string(info.name).find("thread") != std::string::npos);
  CHECK(info.caps == (LM_CAP_FP64 | LM_CAP_HOST_MEMORY | LM_CAP_REPRODUCIBLE));
  CHECK(info.memory_bytes > (1u << 20));
  CHECK(api.info(1, &info) == LM_E_NO_DEVICE);
  const std::string build = plugin().get().build;
  CHECK(build.find("fftw-3") != std::string::npos);
  CHECK(build.find("2^a 3^b 5^c 7^d up to 2^20: own") != std::string::npos);
  CHECK(build.find("oneTBB 20") != std::string::npos);
  CHECK(plugin().get().score(host.get()) > 0);
  for (const char* name :
       {"core.fill", "core.lincomb", "core.mul", "fft.exec", "lin.prepare", "lin.apply", "response.kerr",
        "response.raman", "reduce.error", "step.combine", "response.kerr_raman", "rhs.fibre"})
    CHECK(plugin().has(name));
}

TEST_CASE("options are taken or refused in words") {
  CHECK(refusal({{"threads", "0"}, {"plan", "patient"}}).empty());
  CHECK(refusal({{"threads", "many"}}).find("threads") != std::string::npos);
  CHECK(refusal({{"threads", "-1"}}).find("threads") != std::string::npos);
  CHECK(refusal({{"threads", "100000"}}).find("threads") != std::string::npos);
  CHECK(refusal({{"plan", "quick"}}).find("estimate, measure or patient") != std::string::npos);
  CHECK(refusal({{"speed", "1"}}).find("unknown option") != std::string::npos);
  setenv("LUMARCH_CPU_TRANSFORMS", "mine", 1);
  CHECK(refusal({}).find("LUMARCH_CPU_TRANSFORMS=mine") != std::string::npos);
  unsetenv("LUMARCH_CPU_TRANSFORMS");
  setenv("LUMARCH_CPU_VARIANT", "v9", 1);
  CHECK(refusal({}).find("LUMARCH_CPU_VARIANT=v9") != std::string::npos);
  std::int32_t n = 1;
  char why[100] = "";
  const driver::Host host;
  CHECK(plugin().api().count(host.get(), &n, why, sizeof why) == LM_OK);
  CHECK(n == 0);
  CHECK(std::string(why).find("v9") != std::string::npos);
  unsetenv("LUMARCH_CPU_VARIANT");
}

TEST_CASE("threads, members and memory") {
  driver::Host host;
  const driver::Device device(plugin(), host, quick("3"));
  const lm_device_api& api = device.api;
  CHECK(api.workers(device.handle) == 3);
  CHECK(api.preferred_members(device.handle, std::uint64_t{1} << 40) == 3);
  CHECK(api.preferred_members(device.handle, 1) % 3 == 0);
  std::uint64_t free = 0, less = 0;
  device.check(api.memory_available(device.handle, &free));
  CHECK(free > 0);
  host.budget = 10000;
  const lm_buffer buffer = device.alloc(4000);
  device.check(api.memory_available(device.handle, &less));
  CHECK(less <= 6000);
  device.check(api.free(device.handle, buffer));
  CHECK(api.free(device.handle, buffer) == LM_E_ARG);
  const lm_buffer large = device.alloc(std::uint64_t{9} << 20), small = device.alloc(64);
  const std::vector<double> values = {1, 2, 3, 4};
  device.check(api.upload(device.handle, large, 1000, values.data(), 32));
  device.check(api.copy(device.handle, small, 8, large, 1008, 24));
  double got[3] = {};
  device.check(api.download(device.handle, small, 8, got, 24));
  CHECK(got[2] == 4.0);
}

TEST_CASE("limits of control groups, both versions, also of a group above") {
  const auto group_memory = lumarch::machine::of_groups;
  const Folder folder;
  write(folder.path + "/a/b/memory.max", "max\n");
  write(folder.path + "/a/b/memory.current", "50\n");
  write(folder.path + "/a/memory.max", "1000\n");
  write(folder.path + "/a/memory.current", "400\n");
  CHECK(group_memory(folder.path, "0::/a/b\n").available == 600);
  CHECK(group_memory(folder.path, "0::/a/b\n").total == 1000);
  CHECK(group_memory(folder.path, "0::/other\n").total == UINT64_MAX);
  write(folder.path + "/memory/job/memory.limit_in_bytes", "300\n");
  write(folder.path + "/memory/job/memory.usage_in_bytes", "500\n");
  CHECK(group_memory(folder.path, "3:cpu:/x\n4:hugetlb,memory:/job\n0::/\n").available == 0);
  write(folder.path + "/memory/free/memory.limit_in_bytes", "9223372036854771712\n");
  CHECK(group_memory(folder.path, "4:memory:/free\n").total == UINT64_MAX);
  CHECK(group_memory(folder.path, "nonsense").total == UINT64_MAX);
  // files that the system keeps in memory can go
  write(folder.path + "/a/memory.stat", "anon 7\ninactive_file 100\nactive_file 50\nkernel_stack 16\n");
  CHECK(group_memory(folder.path, "0::/a/b\n").available == 750);
}

TEST_CASE("free memory is the least that the machine, a control group and a limit on addresses leave") {
  const Folder folder;
  const lumarch::machine::Places places{folder.path + "/proc", folder.path + "/groups"};
  const std::uint64_t kib = 1024;
  CHECK(lumarch::machine::memory(places).available == UINT64_MAX);  // nothing is told
  write(places.proc + "/meminfo", "MemTotal:  9000 kB\nMemFree: 1 kB\nMemAvailable:    5000 kB\n");
  CHECK(lumarch::machine::memory(places).available == 5000 * kib);
  CHECK(lumarch::machine::memory(places).total == 9000 * kib);
  write(places.proc + "/self/cgroup", "0::/job\n");
  write(places.groups + "/job/memory.max", "4096000\n");
  write(places.groups + "/job/memory.current", "1024000\n");
  CHECK(lumarch::machine::memory(places).available == 3000 * kib);
  CHECK(lumarch::machine::memory(places).total == 4000 * kib);
  write(places.proc + "/self/status", "Name: x\nVmSize:     1500 kB\n");
  write(places.proc + "/self/limits",
        "Limit  Soft Limit  Hard Limit  Units\nMax address space         unlimited"
        "            unlimited            bytes\n");
  CHECK(lumarch::machine::memory(places).available == 3000 * kib);
  write(places.proc + "/self/limits", "Max address space         2048000              unlimited            bytes\n");
  CHECK(lumarch::machine::memory(places).available == 500 * kib);
}
