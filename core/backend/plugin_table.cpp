// SPDX-License-Identifier: Apache-2.0
#include "backend/plugin_table.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include "backend/places.hpp"

namespace lumarch {

namespace {

// Of ABI 1.0, without the optional members at the end: what a table of any later minor has at least.
constexpr std::size_t smallest_plugin = offsetof(lm_plugin, score);
constexpr std::size_t smallest_device = offsetof(lm_device_api, preferred_members);

std::string hex(std::uint32_t value) {
  char text[12];
  std::snprintf(text, sizeof text, "%#x", value);
  return text;
}

std::string too_short(const char* what, std::uint32_t size, std::size_t least) {
  return std::string("has a short ") + what + " (struct_size " + std::to_string(size) + ", at least " +
         std::to_string(least) + "): set struct_size to sizeof and rebuild it with this lumarch's SDK";
}

// The first required member that is NULL. A member is named once, here.
const char* missing_in(const lm_device_api& device) {
#define LM_REQUIRE(member) \
  if (device.member == nullptr) return "device->" #member
  LM_REQUIRE(count);
  LM_REQUIRE(info);
  LM_REQUIRE(open);
  LM_REQUIRE(close);
  LM_REQUIRE(last_error);
  LM_REQUIRE(exec);
  LM_REQUIRE(alloc);
  LM_REQUIRE(free);
  LM_REQUIRE(upload);
  LM_REQUIRE(download);
  LM_REQUIRE(copy);
  LM_REQUIRE(sync);
  LM_REQUIRE(plan_fft);
  LM_REQUIRE(plan_propagator);
  LM_REQUIRE(plan_free);
  LM_REQUIRE(memory_available);
  LM_REQUIRE(workers);
#undef LM_REQUIRE
  return nullptr;
}

const char* missing_in(const lm_plugin& plugin) {
  if (plugin.name == nullptr) return "name";
  if (plugin.version == nullptr) return "version";
  if (plugin.build == nullptr) return "build";
  if (plugin.register_all == nullptr) return "register_all";
  if (plugin.shutdown == nullptr) return "shutdown";
  return nullptr;
}

}  // namespace

std::string head_fault(const std::byte* head) {
  struct Head {
    std::uint32_t magic;
    std::uint16_t major, minor;
    std::uint32_t size, layout;
  } h;
  static_assert(sizeof h == plugin_head_bytes);
  std::memcpy(&h, head, sizeof h);
  if (h.magic == __builtin_bswap32(LM_MAGIC)) return "has the other byte order: build it for this machine";
  if (h.magic != LM_MAGIC) {
    return "has a wrong magic number (" + hex(h.magic) + ", not " + hex(LM_MAGIC) + "): " + LM_PLUGIN_SYMBOL +
           " must be a constant lm_plugin that begins with LM_MAGIC";
  }
  if (h.major != LM_ABI_MAJOR) {
    return "speaks ABI " + std::to_string(h.major) + "." + std::to_string(h.minor) + ", this lumarch speaks " +
           std::to_string(LM_ABI_MAJOR) + "." + std::to_string(LM_ABI_MINOR) + ": rebuild it with this lumarch's SDK";
  }
  if (h.size < smallest_plugin) return too_short("plugin table", h.size, smallest_plugin);
  if (h.layout != LM_LAYOUT) {
    return "was built with another layout of the ABI's structs (" + hex(h.layout) + ", not " + hex(LM_LAYOUT) +
           "): rebuild it with this lumarch's SDK, without packing options";
  }
  return {};
}

std::string table_fault(const lm_plugin& plugin, const std::string& file_name, bool kernels_only) {
  const auto is_null = [](const char* member) {
    return std::string("lacks the required member ") + member + ": it must not be NULL";
  };
  if (const char* const member = missing_in(plugin); member != nullptr) return is_null(member);
  if (!is_plugin_name(plugin.name)) {
    return std::string("has the name \"") + plugin.name + "\": only a-z, 0-9 and _ are allowed";
  }
  if (plugin.name != file_name) {
    return std::string("calls itself \"") + plugin.name + "\" but its file says \"" + file_name +
           "\": rename the file or the plugin";
  }
  if (kernels_only) {
    if (plugin.device == nullptr) return {};
    return "has a device table, but its file name says that it only adds kernels: call it liblumarch_backend_" +
           file_name + ".so";
  }
  if (plugin.device == nullptr) {
    return "has no device table: a plugin that only adds kernels is called liblumarch_kernels_" + file_name + ".so";
  }
  if (plugin.device->struct_size < smallest_device) {
    return too_short("device table", plugin.device->struct_size, smallest_device);
  }
  if (const char* const member = missing_in(*plugin.device); member != nullptr) return is_null(member);
  return {};
}

const std::vector<std::string>& required_kernels() {
  static const std::vector<std::string> names = {"core.fill",     "core.lincomb",   "core.mul",
                                                 "fft.exec",      "lin.prepare",    "lin.apply",
                                                 "response.kerr", "response.raman", "reduce.error"};
  return names;
}

}  // namespace lumarch
