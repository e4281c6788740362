// SPDX-License-Identifier: Apache-2.0
#include "march/own_response.hpp"

#include <algorithm>
#include <cmath>

#include "problem/text.hpp"
#include "problem/units.hpp"

namespace lumarch {

namespace {

using problem::in_quotes;
using problem::short_number;

std::string list_of(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

[[noreturn]] void refuse(const LoadedBackend& backend, const std::string& what) {
  throw Error(Fault::refused, what + "\nLooked at:" + list_of(backend.looked_at) +
                                  "\n`lumarch backends -v` shows what each registers and describes, and why a file is "
                                  "not used");
}

// The newest version that is described.
const ResponseDescription& described(const LoadedBackend& backend, const std::string& name) {
  const ResponseDescription* found = nullptr;
  std::string silent;
  for (const auto& [key, entry] : backend.table.kernels) {
    if (key.first != name) continue;
    const auto at = backend.table.responses.find(key);
    if (at != backend.table.responses.end())
      found = &at->second;
    else
      silent = entry.from;
  }
  if (found != nullptr) return *found;
  if (!silent.empty())
    refuse(backend, "the response " + name + " of the " + backend.name + " backend is not described by " + silent +
                        ", which registers its kernel: without a description (LM_EXT_RESPONSES) a problem file cannot "
                        "name it.");
  std::string there;
  for (const auto& [key, response] : backend.table.responses) there += (there.empty() ? "" : ", ") + key.first;
  refuse(backend, "the " + backend.name + " backend has no kernel " + name + ", which this problem asks for; " +
                      (there.empty() ? "no plugin brings a response to it." : "there is " + there + "."));
}

std::string in_unit(double value, const std::string& unit) {
  return short_number(value) + (unit == "1" ? "" : " " + unit);
}

std::string range(const ParameterEntry& parameter) {
  if (std::isinf(parameter.least) && std::isinf(parameter.most)) return "any value";
  if (std::isinf(parameter.most)) return in_unit(parameter.least, parameter.unit) + " or more";
  if (std::isinf(parameter.least)) return in_unit(parameter.most, parameter.unit) + " or less";
  return in_unit(parameter.least, parameter.unit) + " to " + in_unit(parameter.most, parameter.unit);
}

std::string example(const ParameterEntry& parameter) {
  const double some = std::clamp(1.0, parameter.least, parameter.most);  // a number that a person would write
  const double value = parameter.standard.value_or(some);
  return parameter.unit == "1" ? short_number(value) : in_quotes(in_unit(value, parameter.unit));
}

// A quantity of a dimension with an article, as in "a power"; "a quantity in s^2/m" where the dimension has no name.
std::string named(const Dimension& dimension) {
  const std::string name = problem::name_of(dimension);
  return name.starts_with("in ") ? "a quantity " + name : name;
}

class Values {
public:
  Values(const PluginResponse& response, const ResponseDescription& description)
      : response_(response), description_(description) {}

  std::vector<double> all() {
    std::vector<double> values;
    for (const ParameterEntry& parameter : description_.parameters) values.push_back(value(parameter));
    for (const auto& [key, given] : response_.parameters) {
      const auto is_it = [&name = key](const ParameterEntry& parameter) { return parameter.name == name; };
      if (std::none_of(description_.parameters.begin(), description_.parameters.end(), is_it))
        find(given.pointer, key, "unknown parameter " + in_quotes(key) + " of " + response_.name + "; " + there_are());
    }
    if (!findings_.empty()) throw ProblemError(findings_);
    return values;
  }

private:
  double value(const ParameterEntry& parameter) {
    std::string error;
    const auto unit = problem::parse_unit(parameter.unit, error);  // it was judged when the plugin was loaded
    const double scale = unit ? unit->factor * std::pow(10.0, unit->decimal) : 1.0;
    const auto at = response_.parameters.find(parameter.name);
    if (at == response_.parameters.end()) {
      if (parameter.standard) return *parameter.standard * scale;
      find(response_.pointer, parameter.name,
           "the parameter " + in_quotes(parameter.name) + " of " + response_.name +
               " is missing; write for example \"" + parameter.name + "\": " + example(parameter));
      return 0;
    }
    const PluginResponse::Parameter& given = at->second;
    const Dimension needed = unit ? unit->dimension : Dimension{};
    const auto si = given.dimension ? problem::in_dimension(given.value, *given.dimension, needed) : given.value;
    if (!si) {
      find(given.pointer, parameter.name,
           named(needed) + " is needed for " + parameter.name + ", like " + example(parameter) + "; " +
               (*given.dimension == Dimension{} ? "it has no unit" : "it is " + named(*given.dimension)));
      return 0;
    }
    // The range is compared in SI, and a value that was written as its end is on its end whatever the rounding.
    const double slack = 1e-12 * std::abs(*si);
    if (std::isfinite(*si) && *si + slack >= parameter.least * scale && *si - slack <= parameter.most * scale)
      return *si;
    find(given.pointer, parameter.name,
         short_number(*si / scale) + (parameter.unit == "1" ? "" : " " + parameter.unit) +
             " is out of range: " + parameter.name + " may be " + range(parameter));
    return 0;
  }

  [[nodiscard]] std::string there_are() const {
    if (description_.parameters.empty()) return "it has none";
    std::string text;
    for (const ParameterEntry& parameter : description_.parameters)
      text += (text.empty() ? "there is " : ", ") + parameter.name + " (" + parameter.unit + ")";
    return text;
  }

  // A problem made in a program has no pointers: then the name says where.
  void find(const std::string& pointer, const std::string& parameter, const std::string& text) {
    findings_.push_back({pointer, pointer.empty() ? response_.name + ", " + parameter + ": " + text : text});
  }

  const PluginResponse& response_;
  const ResponseDescription& description_;
  std::vector<Finding> findings_;
};

}  // namespace

OwnResponse resolve(const LoadedBackend& backend, const PluginResponse& response) {
  const ResponseDescription& description = described(backend, response.name);
  const auto kernel = backend.table.kernels.find(KernelTable::Key{description.name, description.version});
  OwnResponse own;
  own.fn = kernel->second.fn;
  own.from = kernel->second.from;
  own.name = description.name;
  own.version = description.version;
  own.values = Values(response, description).all();
  return own;
}

}  // namespace lumarch
