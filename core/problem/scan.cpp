// SPDX-License-Identifier: Apache-2.0
// The part "scan" of a problem file: its axes, and the problem of each point.
#include <lumarch/scan.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "problem/parts.hpp"
#include "problem/sha256.hpp"
#include "problem/tables.hpp"
#include "problem/text.hpp"

namespace lumarch {

namespace {

using namespace problem;

constexpr std::int64_t kMostScanPoints = 10'000'000;
constexpr std::int64_t kMostParallel = 4096;

// A number and the unit that was written behind it.
struct Written {
  double number = 0;
  std::string unit;
};

std::optional<Written> written(const Node& node) {
  if (node.value->is_number()) return Written{node.value->get<double>(), ""};
  if (!node.value->is_string()) {
    node.find("a number or a quantity is needed here, like 3 or \"3 kW\", not " + type_of(*node.value) + " (" +
              shown(*node.value) + ")");
    return std::nullopt;
  }
  const auto& text = node.value->get_ref<const std::string&>();
  std::string error;
  if (!parse_amount(text, error)) {
    node.find(error + "; an axis has numbers or quantities, like 3 or \"3 kW\"");
    return std::nullopt;
  }
  std::string_view rest = text;
  while (!rest.empty() && (rest.front() == ' ' || rest.front() == '+')) rest.remove_prefix(1);
  Written out;
  const auto [end, bad] = std::from_chars(rest.data(), rest.data() + rest.size(), out.number);
  if (bad != std::errc{}) {
    node.find(in_quotes(text) + " is beyond what a double holds");
    return std::nullopt;
  }
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  while (!rest.empty() && rest.back() == ' ') rest.remove_suffix(1);
  out.unit = rest;
  return out;
}

std::string digits(double value) {
  char text[40];
  const auto [end, bad] = std::to_chars(text, text + sizeof text, value);
  return bad == std::errc{} ? std::string(text, end) : "nan";
}

// A number as it is put into the problem; 1024 stays an integer, for the keys that need one.
std::string json_text(double number, const std::string& unit) {
  if (!unit.empty()) return Json(digits(number) + " " + unit).dump();
  const double most_exact = 9007199254740992.0;
  if (number == std::trunc(number) && std::abs(number) < most_exact)
    return Json(static_cast<std::int64_t>(number)).dump();
  return Json(number).dump();
}

bool one_unit(const Node& list, const std::vector<Written>& values) {
  for (const Written& value : values) {
    if (value.unit == values.front().unit) continue;
    list.find("the values of an axis have one unit; here are " + in_quotes(values.front().unit) + " and " +
              in_quotes(value.unit));
    return false;
  }
  return true;
}

std::vector<Written> read_values(const Node& list) {
  std::vector<Written> values;
  if (!is_list(list, R"(["1 kW", "2 kW"])")) return {};
  for (std::size_t i = 0; i < list.value->size(); ++i) {
    const auto value = written(list.item(i));
    if (!value) return {};
    values.push_back(*value);
  }
  if (values.empty()) list.find("the list is empty; an axis has at least one value");
  return one_unit(list, values) ? values : std::vector<Written>{};
}

// [from, to, how many], both ends in.
std::vector<Written> read_space(const Node& list, bool geometric) {
  const std::string example = geometric ? R"(["1 kW", "100 kW", 5])" : R"(["1 kW", "5 kW", 5])";
  if (!is_list(list, example)) return {};
  if (list.value->size() != 3) {
    list.find("two ends and how many values are needed, like " + example);
    return {};
  }
  const auto from = written(list.item(0)), to = written(list.item(1));
  const auto count = integer(list.item(2), 2, kMostScanPoints);
  if (!from || !to || !count || !one_unit(list, {*from, *to})) return {};
  if (geometric && !(from->number * to->number > 0)) {
    list.find("a geometric row has ends of one sign, and none of them is 0; \"linspace\" has any");
    return {};
  }
  std::vector<Written> values;
  for (std::int64_t i = 0; i < *count; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(*count - 1);
    double value = from->number + share * (to->number - from->number);
    if (geometric) value = from->number * std::pow(to->number / from->number, share);
    if (i == *count - 1) value = to->number;
    values.push_back({value, from->unit});
  }
  return values;
}

void check_target(const Node& path, const Json& base, const std::string& pointer) {
  const auto steps = steps_of(pointer);
  if (!steps) {
    path.find(in_quotes(pointer) + " is no JSON pointer; write for example \"/launch/0/peak_power\"");
    return;
  }
  const Json* target = find_at(base, *steps);
  if (target == nullptr) {
    path.find("there is nothing at " + in_quotes(pointer) +
              " in this problem: write a value there, which the points then replace");
    return;
  }
  std::string ignored;
  const bool number =
      target->is_number() || (target->is_string() && parse_amount(target->get_ref<const std::string&>(), ignored));
  if (!number)
    path.find("what is at " + in_quotes(pointer) + " is no number but " + type_of(*target) + " (" + shown(*target) +
              "): an axis changes numbers and quantities");
}

std::optional<ScanAxis> read_axis(const Node& node, const Json& base) {
  const Object object(node, kinds::scan_axis);
  if (!object.valid()) return std::nullopt;
  const auto path = object.need("path", "\"/launch/0/peak_power\"");
  const auto pointer = path ? string(*path, "/launch/0/peak_power") : std::nullopt;
  if (pointer) check_target(*path, base, *pointer);
  std::vector<std::string> given;
  for (const char* key : {"values", "linspace", "geomspace"})
    if (object.has(key)) given.emplace_back(key);
  if (given.size() != 1) {
    node.find(given.empty() ? "an axis needs its values: \"values\": [1, 2], \"linspace\": [1, 5, 9] or \"geomspace\": "
                              "[1, 100, 5]"
                            : "an axis has one of values, linspace and geomspace, not " + listed(given));
    return std::nullopt;
  }
  const Node list = *object.get(given[0]);
  const std::vector<Written> values =
      given[0] == "values" ? read_values(list) : read_space(list, given[0] == "geomspace");
  if (values.empty() || !pointer) return std::nullopt;
  ScanAxis axis{*pointer, {}, values.front().unit, {}};
  std::set<double> seen;
  for (const Written& value : values) {
    if (!std::isfinite(value.number) || !seen.insert(value.number).second) {
      list.find(digits(value.number) +
                (std::isfinite(value.number) ? " is there twice: a point is marched once" : " is no finite number"));
      return std::nullopt;
    }
    axis.numbers.push_back(value.number);
    axis.values.push_back(json_text(value.number, value.unit));
  }
  return axis;
}

// Two axes must not change the same number, nor one a part of what another one replaces.
void check_apart(const std::vector<ScanAxis>& axes, const Node& list) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (axes[i].pointer == axes[j].pointer)
        list.item(i).find("the axis " + in_quotes(axes[i].pointer) + " is there twice");
}

ScanRequest read_request(const Node& node, const Json& base) {
  ScanRequest request;
  const Object object(node, kinds::scan);
  if (!object.valid()) return request;
  if (const auto mode = object.get("mode"))
    if (const auto index = choose(*mode, choices::scan_mode)) request.mode = static_cast<ScanRequest::Mode>(*index);
  if (const auto layout = object.get("layout"))
    if (const auto index = choose(*layout, choices::scan_layout))
      request.layout = static_cast<ScanRequest::Layout>(*index);
  if (const auto executor = object.get("executor")) {
    const Object how(*executor, kinds::executor);
    if (const auto type = how.need("type", "\"local\""))
      if (const auto index = choose(*type, choices::executor))
        request.executor = static_cast<ScanRequest::Executor>(*index);
    if (const auto parallel = how.get("parallel"))
      request.parallel = static_cast<int>(integer(*parallel, 1, kMostParallel).value_or(0));
  }
  const auto axes = object.need("axes", R"([{"path": "/launch/0/peak_power", "values": ["1 kW", "2 kW"]}])");
  if (!axes || !is_list(*axes, R"([{"path": "/launch/0/peak_power", "values": ["1 kW", "2 kW"]}])")) return request;
  if (axes->value->empty()) axes->find("the list is empty; a scan has at least one axis");
  const std::size_t before = node.context->count();
  for (std::size_t i = 0; i < axes->value->size(); ++i)
    if (auto axis = read_axis(axes->item(i), base)) request.axes.push_back(std::move(*axis));
  if (node.context->count() != before) return request;
  check_apart(request.axes, *axes);
  double points = 1;
  for (const ScanAxis& axis : request.axes) {
    points *= static_cast<double>(axis.values.size());
    if (request.mode == ScanRequest::Mode::zip && axis.values.size() != request.axes.front().values.size()) {
      axes->find("zipped axes have as many values each; here are " +
                 std::to_string(request.axes.front().values.size()) + " and " + std::to_string(axis.values.size()));
      break;
    }
  }
  if (request.mode == ScanRequest::Mode::grid && points > static_cast<double>(kMostScanPoints))
    axes->find("the axes make " + short_number(points) + " points; at most " + std::to_string(kMostScanPoints) +
               " are possible");
  return request;
}

}  // namespace

std::size_t Scan::points() const {
  if (request_.axes.empty()) return 1;
  if (request_.mode == ScanRequest::Mode::zip) return request_.axes.front().values.size();
  std::size_t count = 1;
  for (const ScanAxis& axis : request_.axes) count *= axis.values.size();
  return count;
}

std::vector<std::size_t> Scan::place(std::size_t point) const {
  std::vector<std::size_t> at(request_.axes.size(), point);
  if (request_.mode == ScanRequest::Mode::zip) return at;
  for (std::size_t axis = at.size(); axis-- > 0;) {
    at[axis] = point % request_.axes[axis].values.size();
    point /= request_.axes[axis].values.size();
  }
  return at;
}

std::string Scan::label(std::size_t point) const {
  const std::vector<std::size_t> at = place(point);
  std::string text;
  for (std::size_t i = 0; i < at.size(); ++i) {
    const ScanAxis& axis = request_.axes[i];
    text += (i > 0 ? ", " : "") + axis.pointer + " = " + digits(axis.numbers[at[i]]) +
            (axis.unit.empty() ? "" : " " + axis.unit);
  }
  return text;
}

Problem Scan::problem(std::size_t point) const {
  const std::vector<std::size_t> at = place(point);
  std::vector<Override> overrides;
  for (std::size_t i = 0; i < at.size(); ++i)
    overrides.push_back({request_.axes[i].pointer, request_.axes[i].values[at[i]]});
  Problem problem = parse_problem(base_, overrides, folder_);
  problem.files.insert(problem.files.begin(), files_.begin(), files_.end());
  return problem;
}

void Scan::check() const {
  std::vector<Finding> findings;
  std::size_t bad = 0;
  for (std::size_t i = 0; i < points(); ++i) {
    try {
      (void)problem(i);
    } catch (const ProblemError& error) {
      ++bad;
      for (const Finding& f : error.findings())
        if (findings.size() < kMostFindings)
          findings.push_back(
              {f.pointer, is_scan() ? "at point " + std::to_string(i) + " (" + label(i) + "): " + f.text : f.text});
    }
  }
  if (bad == 0) return;
  if (bad > 1)
    findings.push_back({"/scan", std::to_string(bad) + " of " + std::to_string(points()) + " points are wrong"});
  throw ProblemError(std::move(findings));
}

Scan parse_scan(const std::string& text, const std::vector<Override>& overrides, const std::filesystem::path& folder) {
  Context context(folder);
  auto tree = parse_json(text, context);
  if (!tree) context.raise();
  apply(overrides, *tree, context);
  context.raise();
  Scan scan;
  scan.folder_ = folder;
  scan.text_ = tree->dump(2);
  Json base = *tree;
  if (base.is_object()) base.erase("scan");
  scan.base_ = base.dump(2);
  const bool has_scan = tree->is_object() && tree->contains("scan");
  if (has_scan) scan.request_ = read_request({&(*tree)["scan"], "/scan", &context}, base);
  context.raise();
  Sha256 sum;
  sum.add(scan.text_);
  scan.digest_ = sum.hex();
  return scan;
}

Scan read_scan(const std::filesystem::path& file, const std::vector<Override>& overrides) {
  std::string error;
  const auto text = read_whole(file, kMostText, error);
  if (!text) throw ProblemError({{"", error}});
  Scan scan = parse_scan(*text, overrides, file.parent_path());
  scan.files_.push_back(file.string());
  return scan;
}

}  // namespace lumarch
