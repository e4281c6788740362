// SPDX-License-Identifier: Apache-2.0
// What load_backend gives, shares and refuses; kernels that other files add.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include <thread>

#include <lumarch/error.hpp>

#include "backend/plugin.hpp"
#include "plugin_folders.hpp"

using namespace lumarch;
using namespace lumarch::testing;
using State = BackendCandidate::State;

namespace {

std::string refusal(const std::string& name, const BackendSearch& search) {
  try {
    (void)load_backend(name, search);
  } catch (const Error& error) {
    CHECK(error.fault() == Fault::refused);
    return error.what();
  }
  return "was not refused";
}

bool has(const LoadedBackend& backend, const char* kernel, std::uint32_t version = 1) {
  return backend.table.find(kernel, version) != nullptr;
}

const std::string extra_file = "liblumarch_kernels_extra.so";

}  // namespace

TEST_CASE("a backend is loaded once, also from several threads") {
  const BackendSearch search{{built("good")}, {}};
  std::vector<const LoadedBackend*> got(8);
  {
    std::vector<std::jthread> threads;
    for (const LoadedBackend*& one : got) {
      threads.emplace_back([&one, &search] { one = &load_backend("good", search); });
    }
  }
  for (const LoadedBackend* one : got) CHECK(one == got.front());
  CHECK(got.front()->name == "good");
  CHECK(got.front()->path == std::filesystem::canonical(built("good") + "/" + file_of("good")));
  CHECK(has(*got.front(), "core.mul"));
  CHECK_FALSE(has(*got.front(), "core.mul", 2));
  CHECK_FALSE(has(*got.front(), "response.org.example.extra"));
}

TEST_CASE("the first folder that has a usable file of the name wins") {
  const Folder broken, first, second;
  broken.write(file_of("good"), "no library");
  first.take("good", file_of("good"));
  second.take("good", file_of("good"));
  const BackendSearch search{{broken.path(), first.path(), second.path()}, {}};
  CHECK(contains(load_backend("good", search).path, first.path()));
  const std::vector<BackendCandidate> all = explain_backends(search);
  REQUIRE(all.size() >= 3);
  CHECK(all[0].state == State::skipped);
  CHECK(all[1].state == State::loaded);
  CHECK(contains(all[2].reason, "is hidden by " + all[1].path));
}

TEST_CASE("a name that nobody has is refused with all that there is") {
  const Folder folder;
  folder.take("good", file_of("good"));
  folder.take("no_devices", file_of("no_devices"));
  folder.write(file_of("text"), "no library");
  const std::string text = refusal("nosuch", {{folder.path()}, {}});
  CHECK(contains(text, "no backend \"nosuch\""));
  CHECK(contains(text, "good (loaded) " + folder.path()));
  CHECK(contains(text, "no_devices (no device)"));
  CHECK(contains(text, "there is no driver"));
  CHECK(contains(text, "text (skipped)"));
  CHECK(contains(text, "not an ELF file"));
  CHECK(contains(text, "Looked in:\n  " + folder.path()));
  CHECK(contains(text, "/lumarch/backends"));
  CHECK(contains(refusal("../good", {{folder.path()}, {}}), "no backend"));
  CHECK(contains(refusal("", {{folder.path()}, {}}), "no backend"));
}

TEST_CASE("a backend that cannot be used is refused with its own reason alone") {
  const std::string text = refusal("wrong_major", {{built("wrong_major"), built("good")}, {}});
  CHECK(contains(text, "ABI 9.0"));
  CHECK_FALSE(contains(text, "good"));
  CHECK(contains(refusal("no_devices", {{built("no_devices")}, {}}), "has no device: there is no driver"));
}

TEST_CASE("only the named backend's code runs") {
  const Folder folder;
  folder.take("good", file_of("good"));
  const std::string other = folder.take("says_hello", file_of("says_hello"));
  (void)load_backend("good", {{folder.path()}, {}});
  CHECK_FALSE(contains(bytes_of("/proc/self/maps"), other));
  (void)load_backend("says_hello", {{folder.path()}, {}});
  CHECK(contains(bytes_of("/proc/self/maps"), other));
}

TEST_CASE("a plugin stays mapped even when someone closes it too often") {
  const Folder folder;
  const std::string path = folder.take("good", file_of("good"));
  (void)load_backend("good", {{folder.path()}, {}});
  void* const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(handle != nullptr);
  ::dlclose(handle);
  ::dlclose(handle);
  CHECK(contains(bytes_of("/proc/self/maps"), path));
}

TEST_CASE("a plugin's log reaches the search that loads it, and no later one") {
  const Folder folder;
  folder.take("says_hello", file_of("says_hello"));
  std::string said;
  const LoadedBackend& backend =
      load_backend("says_hello", {{folder.path()}, [&](int, const std::string& text) { said += text + "\n"; }});
  CHECK(contains(said, "hello by the log"));
  CHECK(contains(said, "backend says_hello 1.2 from " + folder.path()));
  said.clear();
  backend.host->log(backend.host->ctx, LM_LOG_INFO, "too late");
  CHECK(said.empty());
}

TEST_CASE("the host offers what abi.h promises") {
  const LoadedBackend& backend = load_backend("good", {{built("good")}, {}});
  const lm_host& host = *backend.host;
  CHECK(host.struct_size == sizeof(lm_host));
  CHECK(host.abi_major == LM_ABI_MAJOR);
  CHECK(host.poll(host.ctx, 0.5) == 0);
  CHECK(static_cast<const char*>(host.extension(host.ctx, LM_EXT_LIBRARY_DIRECTORY)) ==
        std::filesystem::canonical(built("good")).string());
  CHECK(contains(static_cast<const char*>(host.extension(host.ctx, LM_EXT_CACHE_DIRECTORY)), "/lumarch"));
  CHECK(host.extension(host.ctx, LM_EXT_MEMORY_BUDGET) == nullptr);
  CHECK(host.extension(host.ctx, "org.example.unknown/1") == nullptr);
  const auto* lock = static_cast<const lm_planner_lock*>(host.extension(host.ctx, LM_EXT_PLANNER_LOCK));
  REQUIRE(lock != nullptr);
  lock->lock(lock->ctx);
  lock->unlock(lock->ctx);
}

TEST_CASE("a file of kernels adds to another plugin's backend") {
  const Folder folder;
  const std::string good = folder.take("good", file_of("good")), extra = folder.take("kernels_extra", extra_file);
  const LoadedBackend& backend = load_backend("good", {{folder.path()}, {}});
  CHECK(has(backend, "response.org.example.extra"));
  CHECK(backend.table.kernels.at({"response.org.example.extra", 1}).from == extra);
  CHECK(backend.table.kernels.at({"core.mul", 1}).from == good);
  const BackendCandidate shown = explained({folder.path()}, "good"),
                         added = explained({folder.path()}, "extra", "liblumarch_kernels_");
  CHECK(std::any_of(shown.kernels.begin(), shown.kernels.end(),
                    [&](const KernelEntry& entry) { return entry.from == extra; }));
  CHECK(added.state == State::loaded);
  CHECK(added.reason == "");
  CHECK(contains(refusal("extra", {{folder.path()}, {}}), "no backend \"extra\""));
}

TEST_CASE("a kernel that another plugin has is refused, both named") {
  const Folder folder;
  const std::string good = folder.take("good", file_of("good")),
                    duplicate = folder.take("kernels_duplicate", "liblumarch_kernels_duplicate.so");
  std::string said;
  const LoadedBackend& backend =
      load_backend("good", {{folder.path()}, [&](int, const std::string& text) { said += text + "\n"; }});
  CHECK(backend.table.kernels.at({"core.mul", 1}).from == good);
  CHECK(contains(said, "was told LM_E_ARG"));
  CHECK(contains(said, duplicate + ": registers the kernel core.mul"));
  CHECK(contains(said, good + " has registered already"));
  CHECK(explained({folder.path()}, "duplicate", "liblumarch_kernels_").state == State::skipped);
}

TEST_CASE("two files of kernels that were good each for itself are not good together") {
  const Folder backend, one, other;
  backend.take("good", file_of("good"));
  const std::string first = one.take("kernels_extra", extra_file);
  other.take("kernels_extra_again", "liblumarch_kernels_extra_again.so");
  const std::string name = "response.org.example.extra";
  CHECK(has(load_backend("good", {{backend.path(), one.path()}, {}}), name.c_str()));
  CHECK(has(load_backend("good", {{backend.path(), other.path()}, {}}), name.c_str()));
  const BackendSearch all{{backend.path(), one.path(), other.path()}, {}};
  CHECK(load_backend("good", all).table.kernels.at({name, 1}).from == first);
  const BackendCandidate again = explained(all.folders, "extra_again", "liblumarch_kernels_");
  CHECK(again.state == State::skipped);
  CHECK(contains(again.reason, first + " has registered already"));
}

TEST_CASE("a file that was put right is tried again") {
  const Folder folder;
  folder.write(file_of("good"), "not yet");
  CHECK(explained({folder.path()}, "good").state == State::skipped);
  std::filesystem::remove(folder.path(file_of("good")));
  folder.take("good", file_of("good"));
  CHECK(explained({folder.path()}, "good").state == State::loaded);
}

TEST_CASE("odd files of kernels are refused or warned of") {
  const auto shown = [](const std::string& name) {
    return explained({built("good"), built("kernels_" + name)}, name, "liblumarch_kernels_");
  };
  const BackendCandidate plain = shown("plain_name"), own = shown("own"), device = shown("with_device");
  CHECK(plain.state == State::loaded);
  CHECK(contains(plain.reason, "warning: registers response.extra"));
  CHECK(contains(plain.reason, "response.<reverse domain>.<name>"));
  CHECK(own.state == State::skipped);
  CHECK(contains(own.reason, "name the backend that it is for"));
  CHECK(device.state == State::skipped);
  CHECK(contains(device.reason, "call it liblumarch_backend_with_device.so"));
  const BackendCandidate alone = explained({built("kernels_extra")}, "extra", "liblumarch_kernels_");
  CHECK(alone.state == State::loaded);
  CHECK(contains(alone.reason, "for the backend good, which is not loaded"));
}
