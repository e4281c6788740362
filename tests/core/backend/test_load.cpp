// SPDX-License-Identifier: Apache-2.0
// Each faulty plugin is refused for its own reason, in words that help.
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

#include "backend/device.hpp"
#include "backend/plugin_table.hpp"
#include "plugin_folders.hpp"

using namespace lumarch;
using namespace lumarch::testing;
using State = BackendCandidate::State;

namespace {

void refused(const std::string& name, const std::vector<std::string>& words) {
  CAPTURE(name);
  const BackendCandidate candidate = explained({built(name)}, name);
  CHECK(candidate.state == State::skipped);
  for (const std::string& part : words) {
    CAPTURE(part);
    CAPTURE(candidate.reason);
    CHECK(contains(candidate.reason, part));
  }
  CHECK(candidate.kernels.empty());
}

}  // namespace

TEST_CASE("a good plugin loads, with what it says of itself") {
  const BackendCandidate good = explained({built("good")}, "good");
  CHECK(good.state == State::loaded);
  CHECK(good.reason == "");
  CHECK(good.version == "1.2");
  CHECK(good.build == "by the tests");
  CHECK(good.abi_major == 1);
  CHECK(good.load_ms > 0);
  REQUIRE(good.devices.size() == 1);
  CHECK(good.devices[0] == "tiny:0 tiny test device, 1.5 GiB");
  CHECK(good.kernels.size() == required_kernels().size());
}

TEST_CASE("struct_size is a lower bound: older and newer tables of the same major load") {
  const BackendCandidate older = explained({built("good_small")}, "good_small");
  CHECK(older.state == State::loaded);
  CHECK(older.abi_minor == 0);
  const BackendCandidate newer = explained({built("good_newer")}, "good_newer");
  CHECK(newer.state == State::loaded);
  CHECK(newer.abi_minor == 7);
}

TEST_CASE("a plugin that was built from the frozen headers of ABI 1.0 loads and calculates") {
  const BackendCandidate frozen = explained({built("frozen")}, "frozen");
  CHECK(frozen.state == State::loaded);
  CHECK(frozen.reason == "");
  CHECK(frozen.abi_major == 1);
  CHECK(frozen.abi_minor == 0);
  CHECK(frozen.kernels.size() == required_kernels().size());
  BackendRequest request;
  request.name = "frozen";
  const Device device(load_backend("frozen", {{built("frozen")}, {}}), request);  // its first sum
  CHECK(device.info().caps == (LM_CAP_FP64 | LM_CAP_HOST_MEMORY));
}

TEST_CASE("a device that is none, has no way to its data, or says nothing, is refused in words") {
  const auto opened = [](const std::string& name) {
    BackendRequest request;
    request.name = name;
    try {
      const Device device(load_backend(name, {{built(name)}, {}}), request);
      return device.describe_json();
    } catch (const Error& error) {
      CHECK(error.fault() == Fault::refused);
      return std::string(error.what());
    }
  };
  CHECK(contains(opened("opens_nothing"), "leaves *device NULL"));
  CHECK(contains(opened("no_resolve"), "exec() of"));
  CHECK(contains(opened("says_nothing"), "core.lincomb, fails: it gives no reason"));
  CHECK(contains(opened("odd_name"), "\"device\":\"? [31m\""));  // and no bytes that JSON cannot hold
}

TEST_CASE("a link gives a file another name, and spoils neither") {
  const Folder folder;
  std::filesystem::copy_file(built("good") + "/liblumarch_backend_good.so", folder.path("liblumarch_backend_good.so"));
  for (const char* link : {"liblumarch_backend_a_link.so", "liblumarch_backend_z_link.so"})
    std::filesystem::create_symlink("liblumarch_backend_good.so", folder.path(link));
  const BackendSearch search{{folder.path()}, {}};
  std::string states;
  for (const BackendCandidate& candidate : explain_backends(search))
    if (contains(candidate.path, folder.path()))
      states += candidate.path.substr(candidate.path.rfind('/') + 1) + (candidate.state == State::loaded ? "+ " : "- ");
  CHECK(states == "liblumarch_backend_a_link.so- liblumarch_backend_good.so+ liblumarch_backend_z_link.so- ");
  CHECK(contains(explained({folder.path()}, "a_link").reason, "good"));
  // By its path it is asked for by the link's own name, and the answer names the file.
  CHECK_THROWS_WITH((void)load_backend("good", {{folder.path("liblumarch_backend_nowhere.so")}, {}}),
                    doctest::Contains("liblumarch_backend_nowhere.so (is not there)"));
}

TEST_CASE("a wrong head is refused") {
  refused("wrong_magic", {"magic", "0x12345678", "LM_MAGIC"});
  refused("other_byte_order", {"byte order"});
  refused("wrong_major", {"ABI 9.0", "speaks 1.3", "rebuild"});
  refused("short_table", {"short plugin table", "struct_size 24"});
  refused("other_layout", {"layout", "rebuild"});
}

TEST_CASE("a plugin that describes its responses wrongly is refused, with the response and what is wrong") {
  const auto says = [](const std::string& name, const std::string& words) {
    const BackendCandidate kernels = explained({built("kernels_" + name)}, name, "liblumarch_kernels_");
    CAPTURE(kernels.reason);
    CHECK(kernels.state == State::skipped);
    CHECK(contains(kernels.reason, words));
    CHECK(kernels.kernels.empty());
  };
  says("unknown_unit", "response.org.example.described: the parameter \"power\" in the unit \"Wat\"");
  says("standard_outside", "\"power\" with a standard value outside its range");
  says("empty_range", "\"power\" with a range in which there is no number");
  says("parameter_twice", "the parameter \"power\" twice");
  says("parameter_type", "the parameter \"type\"");
  says("short_parameter", "1 parameters, whose array is missing or has a wrong struct_size");
  says("describes_nothing", "describes response.org.example.nothing version 1 and registers no such kernel");
  says("describes_plain", "describes the response \"response.glow\"");
}

TEST_CASE("a described response is shown with its parameters") {
  const BackendCandidate kernels = explained({built("kernels_described")}, "described", "liblumarch_kernels_");
  CHECK(kernels.state == State::loaded);
  REQUIRE(kernels.kernels.size() == 1);
  const KernelEntry& response = kernels.kernels[0];
  CHECK(response.described);
  CHECK(response.text == "glows");
  REQUIRE(response.parameters.size() == 3);
  CHECK(response.parameters[0].name == "power");
  CHECK(response.parameters[0].unit == "W");
  CHECK_FALSE(response.parameters[0].standard);
  CHECK(response.parameters[0].least == 1e-3);
  CHECK(std::isinf(response.parameters[0].most));
  CHECK(response.parameters[0].text == "where it glows");
  CHECK(response.parameters[2].standard == 32.0);
  CHECK_FALSE(explained({built("kernels_extra")}, "extra", "liblumarch_kernels_").kernels[0].described);
}

TEST_CASE("a wrong table is refused") {
  refused("short_device", {"short device table", "struct_size 24"});
  refused("no_shutdown", {"lacks", "shutdown"});
  refused("no_sync", {"lacks", "device->sync"});
  refused("no_device_table", {"no device table", "liblumarch_kernels_no_device_table.so"});
  refused("wrong_name", {"somebody_else", "wrong_name", "rename"});
}

TEST_CASE("a file without an entry of its own is refused") {
  refused("no_entry", {"does not export lm_plugin_v1"});
  refused("entry_elsewhere", {"does not export lm_plugin_v1"});
}

TEST_CASE("a missing dependency is named") {
  refused("missing_dependency", {"needs liblumarch_test_gone.so", "not found", "LD_LIBRARY_PATH"});
}

TEST_CASE("a registration that fails commits nothing") {
  refused("register_fails", {"register_all", "LM_E_DRIVER"});
  refused("registers_twice", {"core.mul", "twice"});
  refused("bad_kernel_name", {"Core Mul", "lower-case"});
  refused("missing_kernel", {"required kernels (fft.exec", "docs/kernels.md"});
}

TEST_CASE("a plugin that cannot run here is skipped, one without a device is not refused") {
  refused("score_zero", {"score 0"});
  const BackendCandidate none = explained({built("no_devices")}, "no_devices");
  CHECK(none.state == State::no_device);
  CHECK(none.reason == "there is no driver");
  CHECK(none.devices.empty());
}

TEST_CASE("a plugin that changes the process is refused") {
  refused("flushes_to_zero", {"floating-point", "-ffast-math"});
  refused("rounds_up", {"floating-point"});
  refused("sets_locale", {"locale", "C.UTF-8"});
  refused("prints_at_load", {"stdout", "hello from the plugin", "lm_host.log"});
  refused("prints_at_registration", {"stderr", "registering now"});
}

TEST_CASE("a file that is no plugin is refused before any code runs") {
  const Folder folder;
  const std::string good = bytes_of(built("good") + "/" + file_of("good"));
  folder.write(file_of("text"), "not a library\n");
  folder.write(file_of("longtext"), std::string(5000, 'x'));
  folder.write(file_of("empty"), "");
  folder.write(file_of("cut"), good.substr(0, 5000));
  folder.write(file_of("stub"), good.substr(0, 20));
  std::string other = good;
  other[18] = static_cast<char>(0xf3);  // e_machine
  other[19] = 0;
  folder.write(file_of("machine"), other);
  std::filesystem::create_directory(folder.path(file_of("folder")));
  folder.write(file_of("Bad-Name"), good);
  const auto reason = [&](const std::string& name) {
    const BackendCandidate candidate = explained({folder.path()}, name);
    CHECK(candidate.state == State::skipped);
    return candidate.reason;
  };
  CHECK(contains(reason("text"), "not an ELF file"));
  CHECK(contains(reason("longtext"), "not an ELF file"));
  CHECK(contains(reason("empty"), "not an ELF file"));
  CHECK(contains(reason("cut"), "cut short"));
  CHECK(contains(reason("stub"), "cut short"));
  CHECK(contains(reason("machine"), "built for riscv"));
  CHECK(contains(reason("folder"), "is a directory"));
  CHECK(contains(reason("Bad-Name"), "other characters"));
}

TEST_CASE("a place that others may write to is refused or warned of") {
  const auto state_with = [](unsigned folder_mode, unsigned file_mode) {
    const Folder folder;
    const std::string path = folder.take("good", file_of("good"));
    std::filesystem::permissions(path, std::filesystem::perms(file_mode));
    std::filesystem::permissions(folder.path(), std::filesystem::perms(folder_mode));
    return explained({folder.path()}, "good");
  };
  const BackendCandidate folder = state_with(0777, 0644), file = state_with(0755, 0666);
  CHECK(folder.state == State::skipped);
  CHECK(contains(folder.reason, "folder that anyone may write to: chmod o-w"));
  CHECK(file.state == State::skipped);
  CHECK(contains(file.reason, "file that anyone may write to"));
  CHECK(state_with(01777, 0644).state == State::loaded);
  const BackendCandidate group = state_with(0775, 0644);
  CHECK(group.state == State::loaded);
  CHECK(contains(group.reason, "warning: lies in a folder that its group may write to"));
}

TEST_CASE("the required kernels are those of docs/kernels.md") {
  const std::string page = bytes_of(std::string(LUMARCH_SOURCE_DIR) + "/docs/kernels.md");
  const std::size_t from = page.find("## Required"), to = page.find("\n## ", from);
  std::istringstream section(page.substr(from, to - from));
  std::vector<std::string> names;
  for (std::string line; std::getline(section, line);) {
    if (line.starts_with("| `")) names.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  CHECK(names == required_kernels());
}
