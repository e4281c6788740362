// SPDX-License-Identifier: Apache-2.0
// bits.NAME: a device that claims REPRODUCIBLE gives a member the same bits alone, in any batch, at any thread count,
// called one by one and through `run`.
#include "compare.hpp"

namespace lumarch::conform {

namespace {

// The rows that the calls wrote for one member, and its numbers.
std::vector<double> written(const Scene& scene, const Left& left, std::uint32_t member) {
  std::vector<double> out;
  for (const CallSpec& call : scene.calls) {
    if (call.output < 0) continue;
    const Seen& seen = call.views[static_cast<std::size_t>(call.output)];
    const auto array = static_cast<std::size_t>(seen.array);
    const std::size_t width = scene.arrays[array].width();
    for (const std::size_t element : scene.rows(seen, member)) {
      const auto begin = left.images[array].begin() + static_cast<std::ptrdiff_t>(element * width);
      out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(width) * scene.samples(seen));
    }
  }
  const auto begin = left.numbers.begin() + static_cast<std::ptrdiff_t>(member * scene.members.n_numbers);
  out.insert(out.end(), begin, begin + scene.members.n_numbers);
  return out;
}

struct Way {
  std::string words;
  const OpenDevice* device;
  std::uint32_t batch;
  bool run;  // through `run`, not one by one
};

Left leave(const Way& way, const Scene& scene) {
  Live live(*way.device, scene);
  const lm_status status = way.run ? live.run() : live.each();
  if (status == LM_E_UNSUPPORTED) throw Skipped("it answers UNSUPPORTED");
  live.need(status);
  return left_by(live, scene.arrays.size());
}

void check(const std::vector<Way>& ways, const std::string& kernel, Shape shape) {
  std::vector<std::vector<double>> first(33);  // of each member, the first result
  for (const Way& way : ways) {
    fit(shape, *way.device);
    for (const std::uint32_t from :
         way.batch == 33 ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{0, 17}) {
      shape.batch = way.batch;
      shape.first_member = from;
      const Scene scene = scene_of(kernel, shape);
      const Left left = leave(way, scene);
      for (std::uint32_t m = 0; m < way.batch; ++m) {
        std::vector<double> mine = written(scene, left, m);
        std::vector<double>& known = first[from + m];
        if (known.empty()) {
          known = std::move(mine);
          continue;
        }
        for (std::size_t i = 0; i < mine.size(); ++i)
          expect(std::memcmp(&mine[i], &known[i], sizeof(double)) == 0,
                 "n " + std::to_string(shape.n) + ", variant " + std::to_string(shape.variant) + ", member " +
                     std::to_string(from + m) + ": other bits " + way.words + ", batch " + std::to_string(way.batch));
      }
    }
  }
}

void bits(const Context& context, const std::string& kernel) {
  const LoadedBackend& backend = context.candidate();
  if (!find_kernel(backend.table, kernel)) throw Skipped("it does not register " + kernel);
  if (!(capabilities(backend) & LM_CAP_REPRODUCIBLE)) throw Skipped("the device does not claim to be REPRODUCIBLE");
  std::deque<OpenDevice> devices;
  std::vector<Way> ways;
  for (const char* threads : {"1", "2", "3"}) {
    Options options = usual_options(backend, context.thorough);
    options.emplace_back("threads", threads);
    lm_device* probe = nullptr;
    std::string why;
    if (try_open(backend, options, &probe, why) != LM_OK) continue;
    backend.plugin->device->close(probe);
    devices.emplace_back(backend, options);
    ways.push_back({std::string("with threads = ") + threads, &devices.back(), 33, false});
  }
  if (devices.empty()) {
    devices.emplace_back(backend, usual_options(backend, context.thorough));
    ways.push_back({"", &devices.back(), 33, false});
  }
  std::vector<Way> all;
  for (const Way& way : ways)
    for (const std::uint32_t batch : {33u, 3u, 1u})
      for (const bool run : {false, true}) {
        if (run && !LM_HAS(&way.device->api(), run)) continue;
        all.push_back({way.words + (run ? ", through run" : ""), way.device, batch, run});
      }
  const std::vector<std::int64_t> some = {1, 64, 97, 1000},
                                  more = {1, 2, 3, 7, 64, 97, 127, 128, 1000, 1009, 1024, 4096};
  Shape shape;
  for (const std::int64_t n : context.thorough ? more : some)
    for (shape.variant = 0; shape.variant < variants_of(kernel); ++shape.variant) {
      shape.n = n;
      shape.seed = mix(context.seed, static_cast<std::uint64_t>(n * 8 + shape.variant));
      check(all, kernel, shape);
    }
}

}  // namespace

void add_bits_cases(std::vector<Case>& to) {
  for (const std::string& kernel : known_kernels())
    to.push_back({"bits." + kernel, 30, [kernel](const Context& context) { bits(context, kernel); }});
}

}  // namespace lumarch::conform
