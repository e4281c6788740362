// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <lumarch/problem.hpp>

#include "problem/parts.hpp"
#include "problem/sha256.hpp"
#include "problem/tables.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch {

namespace {

using namespace problem;

constexpr std::int64_t kUsualPlanes = 101;

// Of another version or model nothing else can be judged: one finding, not a hundred that mislead.
bool ours(const Node& root) {
  if (!root.value->is_object()) {
    root.find("a problem is an object like {\"lumarch\": 1, ...}, not " + type_of(*root.value));
    return false;
  }
  const auto version = root.value->find("lumarch");
  const Node place{version == root.value->end() ? nullptr : &*version, "/lumarch", root.context};
  if (place.value != nullptr && *place.value != Json(1)) {
    place.find(shown(*place.value) + " is no version that is known here; this lumarch reads version 1: \"lumarch\": 1");
    return false;
  }
  const auto model = root.value->find("model");
  if (model != root.value->end() && model->is_string()) {
    const auto& later = choices::model.later;
    if (std::find(later.begin(), later.end(), model->get<std::string>()) != later.end()) {
      (void)choose({&*model, "/model", root.context}, choices::model);
      return false;
    }
  }
  return true;
}

void check_gamma(const Problem& problem, const Object& object, Context& context) {
  if (problem.responses.empty()) return;
  const auto medium = object.get("medium");
  if (!medium || !medium->value->is_object()) return;
  if (medium->value->contains("gamma") || medium->value->contains("n2") || medium->value->contains("effective_area")) {
    return;
  }
  const auto type = medium->value->find("type");
  if (type == medium->value->end() || *type != Json("fibre")) return;
  context.add("/medium/gamma",
              "the key \"gamma\" is missing and the responses need it; write for example \"gamma\": "
              "\"0.11 1/(W m)\", or n2 with effective_area");
}

// Whether `read` found nothing wrong.
template <class Read>
bool sound(Context& context, Read read) {
  const std::size_t before = context.count();
  read();
  return context.count() == before;
}

void read_head(const Object& object, Problem& problem, Sound& parts) {
  (void)object.need("lumarch", "1");
  if (const auto title = object.get("title")) problem.title = string(*title, "A soliton").value_or("");
  if (const auto model = object.need("model", "\"gnlse\"")) (void)choose(*model, choices::model);
  if (const auto field = object.get("field")) {
    const auto index = choose(*field, problem.uppe ? choices::field : choices::gnlse::field);
    if (problem.uppe && index) problem.uppe->field = static_cast<FieldKind>(*index);
    parts.field = index.has_value();
  }
  if (const auto wavelength = object.need("wavelength", "\"835 nm\"")) {
    problem.wavelength = read_wavelength(*wavelength).value_or(0);
  }
}

void read_fibre(const Object& object, Problem& problem) {
  if (const auto medium = object.need("medium", R"({"type": "fibre", "length": "15 cm", ...})")) {
    problem.medium = read_medium(*medium);
  }
}

void read_uppe(const Object& object, Problem& problem, Sound& parts, Context& context) {
  Uppe& uppe = *problem.uppe;
  parts.geometry = sound(context, [&] {
    if (const auto geometry = object.need("geometry", R"({"route": "mode-averaged"})"))
      uppe.geometry = read_geometry(*geometry);
  });
  parts.medium = sound(context, [&] {
    if (const auto medium = object.need("medium", R"({"type": "capillary", "length": "1 m", ...})")) {
      if (auto read = read_uppe_medium(*medium, problem.medium.length)) uppe.medium = std::move(*read);
    }
  });
}

void read_parts(const Object& object, Problem& problem, Sound& parts, Context& context) {
  const bool uppe = problem.uppe.has_value();
  if (const auto responses = object.need("responses", uppe ? R"(["kerr"])" : R"(["kerr", "raman"])")) {
    problem.responses = read_responses(*responses, problem, parts);
  }
  if (!uppe) check_gamma(problem, object, context);
  const std::size_t before = context.count();
  if (const auto noise = object.get("noise")) problem.noise = read_noise(*noise);
  if (const auto launch = object.need("launch", R"([{"shape": "sech", "fwhm": "50 fs", "peak_power": "10 kW"}])")) {
    problem.launch = read_launch(*launch, problem);
    if (context.count() == before) check_light(problem, context);
  }
  const Extent extent{problem.medium.length, uppe ? "medium" : "fibre"};
  if (const auto march = object.get("march")) problem.march = read_march(*march, extent);
  if (const auto boundary = object.get("boundary")) {
    const Boundary read = read_boundary(*boundary, uppe, problem.edge);
    if (uppe) problem.uppe->boundary = read;
  }
  const auto planes = object.get("planes");
  problem.planes = planes ? read_planes(*planes, extent) : even_planes(kUsualPlanes, extent.length);
  const auto statistics = object.get("statistics");
  problem.statistics = statistics ? read_statistics(*statistics, problem, parts) : usual_statistics(problem);
  if (const auto output = object.get("output")) problem.output = read_output(*output);
  if (const auto backend = object.get("backend")) problem.backend = read_backend(*backend);
  if (const auto scan = object.get("scan"))
    scan->find("this is a scan of several points where one problem is needed (read_scan() reads scans)");
}

Problem read_tree(const Json& tree, Context& context) {
  Problem problem;
  const Node root{&tree, "", &context};
  if (!ours(root)) return problem;
  const bool uppe = tree.contains("model") && tree["model"] == Json("uppe");
  if (uppe) problem.uppe.emplace();
  const Object object(root, uppe ? kinds::problem : kinds::gnlse::problem);
  Sound parts;
  read_head(object, problem, parts);
  parts.time = sound(context, [&] {
    if (const auto time = object.need("time", R"({"window": "12.5 ps", "points": 8192})")) {
      problem.time = read_time(*time, uppe);
    }
  });
  if (uppe) {
    read_uppe(object, problem, parts, context);
  } else {
    read_fibre(object, problem);
  }
  read_parts(object, problem, parts, context);
  check_whole(problem, context, parts);
  return problem;
}

std::string digest_of(const std::string& text, const Context& context) {
  Sha256 sum;
  sum.add(text);
  // Names are part of the text; a zero byte keeps the text and the list apart.
  for (const auto& [name, digest] : context.files) sum.add('\0' + name + '\0' + digest);
  return sum.hex();
}

}  // namespace

Problem parse_problem(const std::string& text, const std::vector<Override>& overrides,
                      const std::filesystem::path& folder) {
  Context context(folder);
  auto tree = parse_json(text, context);
  if (!tree) context.raise();
  apply(overrides, *tree, context);
  Problem problem = read_tree(*tree, context);
  context.raise();
  problem.text = tree->dump(2);
  problem.digest = digest_of(problem.text, context);
  for (const auto& [name, digest] : context.files) {
    problem.files.push_back((folder / name).string());
    problem.inputs.push_back({name, digest});
  }
  std::error_code unknown;
  problem.folder = std::filesystem::absolute(folder.empty() ? "." : folder, unknown).lexically_normal().string();
  return problem;
}

Problem read_problem(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  std::string error;
  const auto text = read_whole(file, kMostText, error);
  if (!text) throw ProblemError({{"", error}});
  Problem problem = parse_problem(*text, overrides, file.parent_path());
  problem.files.insert(problem.files.begin(), file.string());
  return problem;
}

}  // namespace lumarch
