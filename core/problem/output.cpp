// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <set>

#include "problem/aperture.hpp"
#include "problem/parts.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

namespace lumarch::problem {

namespace {

constexpr std::string_view kBand = "energy_band:", kFar = "far_field_";
constexpr std::int64_t kMany = 1000000;

// "200nm-300nm". A minus may also stand in an exponent, so each one is tried as the separator.
std::optional<std::pair<double, double>> band_of(std::string_view text) {
  for (std::size_t at = text.find('-'); at != std::string_view::npos; at = text.find('-', at + 1)) {
    std::string error;
    const auto shortest = parse_quantity(text.substr(0, at), {kLength, "200nm"}, error);
    const auto longest = parse_quantity(text.substr(at + 1), {kLength, "300nm"}, error);
    if (shortest && longest) return std::pair{*shortest, *longest};
  }
  return std::nullopt;
}

// The word's place in the enumeration: energy_band, which is no word of the choice, lies between them.
Quantity quantity_of(std::size_t index) {
  const bool before = index < static_cast<std::size_t>(Quantity::energy_band);
  return static_cast<Quantity>(before ? index : index + 1);
}

std::optional<StatisticRequest> read_statistic(const Node& node, const Problem& problem, const Sound& sound) {
  if (node.value->is_object())
    return read_statistic_object(node, problem,
                                 [&](const Node& named) { return read_statistic(named, problem, sound); });
  const auto name = string(node, "energy");
  if (!name) return std::nullopt;
  if (!name->starts_with(kBand)) {
    if (*name == "energy_band" || name->starts_with(kFar)) {
      node.find(*name == "energy_band"
                    ? "\"energy_band\" needs its two wavelengths, like \"energy_band:200nm-300nm\""
                    : in_quotes(*name) + " needs its aperture: {\"quantity\": \"" + name->substr(kFar.size()) +
                          "\", \"far_field\": {\"type\": \"circle\", \"radius\": \"2e5 1/m\"}}");
      return std::nullopt;
    }
    if (*name == "mode_reconstruction_error") {
      node.find(
          "mode_reconstruction_error is what an adaptive cubature over the cross-section leaves over, and there is "
          "none here: the nodes of a modal route are fixed, and their number is /geometry/radial_nodes; raise it "
          "and compare");
      return std::nullopt;
    }
    const auto index = choose(node, problem.uppe ? choices::statistics : choices::gnlse::statistics);
    if (!index) return std::nullopt;
    const std::string refusal = statistic_refusal(quantity_of(*index), problem, sound);
    if (!refusal.empty()) {
      node.find(refusal);
      return std::nullopt;
    }
    return StatisticRequest{*name, quantity_of(*index)};
  }
  const auto band = band_of(std::string_view(*name).substr(kBand.size()));
  if (!band || !(band->first > 0) || !(band->second > band->first)) {
    node.find(in_quotes(*name) + " is no band: two wavelengths, the shorter first, like \"energy_band:200nm-300nm\"");
    return std::nullopt;
  }
  return StatisticRequest{*name, Quantity::energy_band, band->first, band->second};
}

bool is_backend_name(std::string_view name) {
  const auto good = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'; };
  return !name.empty() && std::isalnum(static_cast<unsigned char>(name[0])) != 0 &&
         std::all_of(name.begin(), name.end(), good);
}

BackendRequest read_backend_string(const Node& node) {
  BackendRequest request;
  const auto& text = node.value->get_ref<const std::string&>();
  const std::size_t colon = text.find(':');
  const std::string name = text.substr(0, colon);
  bool good = is_backend_name(name);
  if (colon != std::string::npos) {
    const char* begin = text.data() + colon + 1;
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(begin, end, request.device);
    good = good && result.ec == std::errc{} && result.ptr == end && request.device >= 0 && request.device <= kMany;
  }
  if (!good) node.find(in_quotes(text) + " names no backend; write \"cpu\", or with a device \"cpu:0\"");
  request.name = name;
  return request;
}

}  // namespace

std::vector<StatisticRequest> usual_statistics(const Problem& problem) {
  const bool free = problem.uppe && in_free_space(problem.uppe->geometry.route);
  return {{"energy", Quantity::energy, 0, 0},
          free ? StatisticRequest{"peak_intensity", Quantity::peak_intensity, 0, 0}
               : StatisticRequest{"peak_power", Quantity::peak_power, 0, 0},
          {"fwhm_time", Quantity::fwhm_time, 0, 0},
          {"width_20db", Quantity::width_20db, 0, 0}};
}

std::vector<StatisticRequest> read_statistics(const Node& node, const Problem& problem, const Sound& sound) {
  std::vector<StatisticRequest> requests;
  if (!is_list(node, R"(["energy", "peak_power"])")) return requests;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const Node item = node.item(i);
    const auto request = read_statistic(item, problem, sound);
    if (!request) continue;
    if (!seen.insert(request->name).second) item.find(in_quotes(request->name) + " stands twice in the list");
    requests.push_back(*request);
  }
  return requests;
}

namespace {

// false, or how often.
std::optional<double> read_checkpoint(const Node& node, double usual) {
  if (*node.value == Json(false)) return std::nullopt;
  if (!node.value->is_object()) {
    node.find(shown(*node.value) + R"( is neither false nor how often; write for example {"every": "10 min"})");
    return usual;
  }
  const Object object(node, kinds::checkpoint);
  return quantity(object.get("every"), {kTime, "10 min"}, Sign::positive).value_or(usual);
}

}  // namespace

OutputRequest read_output(const Node& node) {
  OutputRequest request;
  const Object object(node, kinds::output);
  if (const auto file = object.get("file")) {
    request.file = string(*file, "result.h5").value_or("");
    const bool control =
        std::any_of(request.file.begin(), request.file.end(), [](unsigned char c) { return c < 0x20; });
    if (file->value->is_string() && (request.file.empty() || control)) {
      file->find(in_quotes(request.file) + " is no name of a file; write for example \"result.h5\"");
    }
  }
  if (const auto fields = object.get("fields")) {
    if (const auto index = choose(*fields, choices::fields)) request.fields = static_cast<Fields>(*index);
  }
  if (const auto level = object.get("compression")) {
    request.compression = static_cast<int>(integer(*level, 0, 9).value_or(0));
  }
  if (const auto checkpoint = object.get("checkpoint"))
    request.checkpoint_every = read_checkpoint(*checkpoint, *request.checkpoint_every);
  return request;
}

BackendRequest read_backend(const Node& node) {
  if (node.value->is_string()) return read_backend_string(node);
  BackendRequest request;
  const Object object(node, kinds::backend);
  if (const auto name = object.get("name")) {
    request.name = string(*name, "cpu").value_or("cpu");
    if (!is_backend_name(request.name)) name->find(in_quotes(request.name) + " names no backend; write \"cpu\"");
  }
  if (const auto device = object.get("device")) {
    request.device = static_cast<int>(integer(*device, 0, kMany).value_or(0));
  }
  if (const auto threads = object.get("threads")) {
    request.threads = static_cast<int>(integer(*threads, 0, kMany).value_or(0));
  }
  if (const auto plan = object.get("plan")) {
    if (const auto index = choose(*plan, choices::plan)) request.plan = choices::plan.words[*index];
  }
  return request;
}

}  // namespace lumarch::problem
