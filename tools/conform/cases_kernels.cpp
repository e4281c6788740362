// SPDX-License-Identifier: Apache-2.0
// Each kernel that the candidate registers, against the reference: kernel.NAME.*, and the fused names against what they
// are composed of, on the candidate itself: fused.NAME.
#include <algorithm>
#include <array>

#include "backend/device.hpp"
#include "compare.hpp"

namespace lumarch::conform {

namespace {

const std::vector<std::int64_t> sizes = {1, 2, 3, 7, 64, 97, 127, 128, 1000, 1009, 1024, 4096};

std::string words(const Shape& s) {
  std::string text = "n " + std::to_string(s.n) + ", batch " + std::to_string(s.batch) + ", variant " +
                     std::to_string(s.variant) + ", rows " + std::to_string(s.components * s.outer * s.inner);
  if (s.in_place) text += ", in place of view " + std::to_string(s.in_place);
  return text + ": ";
}

// Whose word the result is compared with.
enum class Measure { reference, itself };

class Bench {
public:
  Bench(const Context& context, std::string kernel, Measure measure = Measure::reference)
      : context_(context),
        kernel_(std::move(kernel)),
        candidate_(backend(context, kernel_), usual_options(context.candidate(), context.thorough)),
        oracle_(measure == Measure::itself ? context.candidate() : context.reference(),
                measure == Measure::itself ? usual_options(context.candidate(), context.thorough) : Options{}) {}

  void check(Shape shape) {
    shape.seed = mix(context_.seed, count_++);
    try {
      fit(shape, candidate_);
      const Scene scene = scene_of(kernel_, shape);
      fit(shape, oracle_);
      shape.scratch = false;  // the measure is each member's own row
      Scene measure = scene_of(kernel_, shape);
      if (is_optional(kernel_)) measure = composed(measure, shape.workers);
      check_scene(candidate_, scene, oracle_, measure);
    } catch (const Failed& failed) {
      throw Failed(words(shape) + failed.what());
    }
  }
  void check_variants(Shape shape) {
    for (shape.variant = 0; shape.variant < variants_of(kernel_); ++shape.variant) check(shape);
  }
  [[nodiscard]] const std::string& kernel() const { return kernel_; }
  // Members that have a SCRATCH row of their own in one call.
  [[nodiscard]] std::uint32_t scratch_rows() const {
    Shape shape;
    fit(shape, candidate_);
    return std::max(1u, shape.together);
  }

private:
  static const LoadedBackend& backend(const Context& context, const std::string& kernel) {
    if (!find_kernel(context.candidate().table, kernel)) throw Skipped("it does not register " + kernel);
    return context.candidate();
  }
  const Context& context_;
  std::string kernel_;
  OpenDevice candidate_, oracle_;
  std::uint64_t count_ = 0;
};

Shape shape(std::int64_t n, std::uint32_t batch) {
  Shape s;
  s.n = n;
  s.batch = batch;
  return s;
}

void lengths(Bench& bench) {
  for (const std::int64_t n : sizes) bench.check_variants(shape(n, 1));
}

void batches(Bench& bench) {
  for (const std::uint32_t batch : {1u, 3u, 33u})
    for (const std::int64_t n : {7, 64, 97}) {
      Shape s = shape(n, batch);
      s.gap = n == 64 ? 0 : 5;
      bench.check_variants(s);
    }
}

void nodes(Bench& bench) {
  if (!has_rows_of_nodes(bench.kernel())) throw Skipped("it is for one row a member");
  for (const auto& [components, outer, inner] : {std::array<int, 3>{2, 1, 1}, {1, 3, 1}, {1, 1, 4}, {2, 3, 2}}) {
    Shape s = shape(37, 3);
    s.components = components;
    s.outer = outer;
    s.inner = inner;
    bench.check_variants(s);
  }
}

void banks(Bench& bench) {
  for (const std::uint32_t batch : {1u, 9u}) {
    Shape s = shape(64, batch);
    s.banked = true;
    bench.check_variants(s);
    if (places_of(bench.kernel(), 0).empty()) continue;
    s.in_place = -1;
    bench.check_variants(s);
  }
}

void shared(Bench& bench) {
  if (!bench.kernel().starts_with("read.") && bench.kernel() != "core.mul" && bench.kernel() != "lin.prepare" &&
      bench.kernel() != "rhs.fibre" && bench.kernel() != "response.raman" && bench.kernel() != "response.kerr_raman" &&
      bench.kernel() != "core.mul.2" && bench.kernel() != "lin.prepare.2" && bench.kernel() != "fft.pad" &&
      bench.kernel() != "fft.crop" && bench.kernel() != "rhs.columns")
    throw Skipped("it has no tables");
  for (const std::uint32_t batch : {1u, 3u, 33u}) {
    Shape s = shape(100, batch);
    s.shared = true;
    bench.check_variants(s);
    s.components = has_rows_of_nodes(bench.kernel()) ? 2 : 1;
    bench.check_variants(s);
  }
}

void scratch(Bench& bench) {
  for (const std::uint32_t batch : {1u, 3u, 33u}) {
    Shape s = shape(64, batch);
    s.scratch = true;
    // Where one row stands for several members, what accumulates or overwrites its input would mix them.
    if (batch > bench.scratch_rows() &&
        (bench.kernel().starts_with("response.") || bench.kernel().starts_with("fft.") ||
         bench.kernel().starts_with("spatial.") || bench.kernel().starts_with("read.") || is_optional(bench.kernel())))
      continue;
    bench.check_variants(s);
  }
}

void in_place(Bench& bench) {
  bool any = false;
  Shape s = shape(130, 3);
  for (s.variant = 0; s.variant < variants_of(bench.kernel()); ++s.variant)
    for (const int place : places_of(bench.kernel(), s.variant)) {
      s.in_place = place;
      bench.check(s);
      any = true;
    }
  if (!any) throw Skipped("it has no in place");
}

void done(Bench& bench) {
  for (const std::uint32_t batch : {3u, 33u}) {
    Shape s = shape(65, batch);
    s.done = true;
    bench.check_variants(s);
    s.in_place = places_of(bench.kernel(), 0).empty() ? 0 : 1;
    if (s.in_place) bench.check_variants(s);
  }
}

void active(Bench& bench) {
  for (const std::uint32_t batch : {1u, 5u, 33u}) {
    Shape s = shape(33, batch);
    s.active = true;
    bench.check_variants(s);
    s.done = s.banked = true;
    bench.check_variants(s);
  }
}

void non_finite(Bench& bench) {
  if (bench.kernel() == "core.fill") throw Skipped("it has no input");
  for (const std::int64_t n : {7, 64, 97}) {
    Shape s = shape(n, 3);
    s.non_finite = true;
    bench.check_variants(s);
  }
}

// kernels.md says nothing of where rows may begin; core aligns all of them. A refusal is worth a word, not a failure.
void unaligned(Bench& bench) {
  for (const std::int64_t n : {7, 64, 97}) {
    Shape s = shape(n, 3);
    s.aligned = false;
    s.gap = 1;
    try {
      bench.check_variants(s);
    } catch (const Failed& failed) {
      const std::string text = failed.what();
      if (text.find(status_text(LM_E_ARG)) == std::string::npos &&
          text.find(status_text(LM_E_UNSUPPORTED)) == std::string::npos)
        throw;
      throw Warned("rows that do not begin at a multiple of 64 bytes are refused: " + text);
    }
  }
}

}  // namespace

void add_kernel_cases(std::vector<Case>& to) {
  const std::pair<const char*, void (*)(Bench&)> bodies[] = {
      {"lengths", &lengths}, {"batches", &batches},       {"nodes", &nodes},        {"banks", &banks},
      {"shared", &shared},   {"scratch", &scratch},       {"in_place", &in_place},  {"done", &done},
      {"active", &active},   {"non_finite", &non_finite}, {"unaligned", &unaligned}};
  for (const std::string& kernel : known_kernels())
    for (const auto& [name, body] : bodies)
      to.push_back({"kernel." + kernel + "." + name, 20, [kernel, body = body](const Context& context) {
                      Bench bench(context, kernel);
                      body(bench);
                    }});
  for (const std::string& kernel : known_kernels()) {
    if (!is_optional(kernel)) continue;
    to.push_back({"fused." + kernel, 20, [kernel](const Context& context) {
                    Bench bench(context, kernel, Measure::itself);
                    lengths(bench);
                    batches(bench);
                    banks(bench);
                    done(bench);
                  }});
  }
  to.push_back({"kernel.unknown", 10, [](const Context& context) {
                  std::string names;
                  for (const auto& [key, entry] : context.candidate().table.kernels) {
                    std::string name = key.first;
                    if (key.second != 1) name.append(".").append(std::to_string(key.second));
                    if (std::find(known_kernels().begin(), known_kernels().end(), name) == known_kernels().end())
                      names += (names.empty() ? "" : ", ") + key.first + " " + std::to_string(key.second);
                  }
                  if (!names.empty()) throw Skipped("not looked at: " + names);
                }});
}

}  // namespace lumarch::conform
