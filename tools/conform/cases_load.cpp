// SPDX-License-Identifier: Apache-2.0
// load.*: what the file is and does while it is loaded, and open.*: devices that come and go.
#include <dlfcn.h>

#include <chrono>
#include <exception>
#include <thread>

#include "backend/process_watch.hpp"
#include "compare.hpp"
#include "exported.hpp"

namespace lumarch::conform {

namespace {

void exports(const Context& context) {
  std::string others;
  bool entry = false;
  for (const std::string& name : exported_names(context.path)) {
    if (name == LM_PLUGIN_SYMBOL)
      entry = true;
    else
      others += " " + name;
  }
  expect(entry, "it does not export " LM_PLUGIN_SYMBOL);
  expect(others.empty(), "it exports more than " LM_PLUGIN_SYMBOL ":" + others);
}

void loads(const Context& context) { (void)context.candidate(); }

void quiet(const Context& context) {
  ProcessWatch watch(ProcessWatch::Output::caught);
  std::exception_ptr refusal;
  try {
    const OpenDevice device(context.candidate(), {});
  } catch (...) {
    refusal = std::current_exception();
  }
  const std::string said = watch.finish();
  expect(said.empty(), "loaded and opened, it " + said);
  if (refusal) std::rethrow_exception(refusal);
}

// dlopen alone, in a process that has nothing of the plugin yet.
void load_time(const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  expect(::dlopen(context.path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE), "dlopen fails");
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (ms > 100) throw Warned("it takes " + std::to_string(ms) + " ms to load; 100 is much");
}

void second_load(const Context& context) {
  const LoadedBackend& first = context.candidate();
  expect(&context.candidate() == &first, "the second load is another backend");
  void* const again = ::dlopen(context.path.c_str(), RTLD_NOW | RTLD_LOCAL);
  expect(again && ::dlsym(again, LM_PLUGIN_SYMBOL) == first.plugin, "a second dlopen gives another table");
  ::dlclose(again);
  const OpenDevice device(first, {});
}

void many_opens(const Context& context) {
  const Options options = usual_options(context.candidate(), context.thorough);
  const int times = context.thorough ? 1000 : 200;
  for (int i = 0; i < times; ++i) {
    const OpenDevice device(context.candidate(), options);
    device.api().free(device.handle(), device.alloc(64));
    (void)device.alloc(4096);  // close frees what is left
  }
}

void two_threads(const Context& context) {
  const LoadedBackend& backend = context.candidate();
  const LoadedBackend& measure = context.reference();
  std::string said[2];
  const auto work = [&](std::size_t who) {
    try {
      const OpenDevice device(backend, usual_options(backend, context.thorough)), oracle(measure, {});
      Shape shape;
      shape.n = 256;
      shape.batch = 4;
      for (shape.seed = 0; shape.seed < 30; ++shape.seed) {
        fit(shape, device);
        const Scene scene = scene_of("response.raman", shape);
        fit(shape, oracle);
        check_scene(device, scene, oracle, scene_of("response.raman", shape));
      }
    } catch (const std::exception& failed) {
      said[who] = failed.what();
    }
  };
  std::thread other(work, 1);
  work(0);
  other.join();
  for (const std::string& text : said) expect(text.empty(), "two devices in two threads: " + text);
}

}  // namespace

void add_load_cases(std::vector<Case>& to) {
  to.push_back({"load.exports", 10, &exports});
  to.push_back({"load.loads", 10, &loads});
  to.push_back({"load.quiet", 10, &quiet});
  to.push_back({"load.time", 10, &load_time});
  to.push_back({"load.second", 10, &second_load});
}

void add_open_cases(std::vector<Case>& to) {
  to.push_back({"open.many", 30, &many_opens});
  to.push_back({"open.two_threads", 30, &two_threads});
}

}  // namespace lumarch::conform
