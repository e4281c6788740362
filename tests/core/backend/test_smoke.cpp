// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "backend/smoke_test.hpp"
#include "plugin_folders.hpp"

using namespace lumarch;
using namespace lumarch::testing;

namespace {

std::string smoke(const std::string& name) {
  const LoadedBackend& backend = load_backend(name, {{built(name)}, {}});
  const lm_device_api& api = *backend.plugin->device;
  lm_device* device = nullptr;
  char why[64] = {};
  REQUIRE(api.open(backend.host, 0, nullptr, 0, &device, why, sizeof why) == LM_OK);
  const std::string text = smoke_test(backend, device);
  api.close(device);
  return text;
}

}  // namespace

TEST_CASE("a right device passes its first test") { CHECK(smoke("good") == ""); }
TEST_CASE("a device that is off in the last bits fails it") {
  CHECK(contains(smoke("wrong_numbers"), "core.lincomb gives wrong numbers"));
}
