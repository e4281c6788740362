// SPDX-License-Identifier: Apache-2.0
#include "backend/described.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "problem/plugin_names.hpp"
#include "problem/text.hpp"
#include "problem/units.hpp"

namespace lumarch {

namespace {

constexpr std::uint32_t most_parameters = 64;  // a larger number is no number but a mistake

std::string in_quotes(const char* text) { return problem::in_quotes(text != nullptr ? text : ""); }

// Element i of an array that may have been built with a longer struct.
template <class T>
const T& element(const T* array, std::uint32_t i) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(array) + std::size_t{i} * array->struct_size);
}

template <class T>
bool right_array(const T* array, std::uint32_t n) {
  if (n == 0) return true;
  if (array == nullptr) return false;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t size = element(array, i).struct_size;
    if (size < sizeof(T) || size != array->struct_size || size % alignof(T) != 0) return false;
  }
  return true;
}

std::string parameter_fault(const lm_parameter_info& info) {
  if (info.name == nullptr || !problem::is_parameter_name(info.name))
    return "the parameter " + in_quotes(info.name) + ": a name is a-z, 0-9 and _, and begins with a letter";
  const std::string parameter = "the parameter " + in_quotes(info.name);
  std::string error;
  if (info.unit == nullptr || !problem::parse_unit(info.unit, error))
    return parameter + " in the unit " + in_quotes(info.unit) + " (" + (info.unit ? error : "it is missing") +
           "): write it as problem files do, \"1\" for a plain number";
  if (!(info.least <= info.most)) return parameter + " with a range in which there is no number";
  if (!std::isnan(info.standard) && !(info.standard >= info.least && info.standard <= info.most))
    return parameter + " with a standard value outside its range";
  return {};
}

std::optional<ResponseDescription> description(const lm_response_info& info, std::string& fault) {
  if (info.name == nullptr || !problem::is_plugin_response_name(info.name)) {
    fault = "the response " + in_quotes(info.name) + ": its name is response.<reverse domain>.<name>";
    return std::nullopt;
  }
  ResponseDescription out{info.name, info.version, info.text != nullptr ? info.text : "", {}};
  if (info.n_parameters > most_parameters || !right_array(info.parameters, info.n_parameters)) {
    fault = out.name + " with " + std::to_string(info.n_parameters) +
            " parameters, whose array is missing or has a wrong struct_size (at most " +
            std::to_string(most_parameters) + ")";
    return std::nullopt;
  }
  for (std::uint32_t i = 0; i < info.n_parameters; ++i) {
    const lm_parameter_info& parameter = element(info.parameters, i);
    fault = parameter_fault(parameter);
    const auto same = [&](const ParameterEntry& other) { return other.name == parameter.name; };
    if (fault.empty() && std::any_of(out.parameters.begin(), out.parameters.end(), same))
      fault = "the parameter " + in_quotes(parameter.name) + " twice";
    if (!fault.empty()) {
      fault = out.name + ": " + fault;
      return std::nullopt;
    }
    ParameterEntry& entry = out.parameters.emplace_back();
    entry.name = parameter.name;
    entry.unit = parameter.unit;
    if (!std::isnan(parameter.standard)) entry.standard = parameter.standard;
    entry.least = parameter.least;
    entry.most = parameter.most;
    entry.text = parameter.text != nullptr ? parameter.text : "";
  }
  return out;
}

}  // namespace

std::vector<ResponseDescription> described_by(const lm_plugin& plugin, std::string& fault) {
  std::vector<ResponseDescription> all;
  if (!LM_HAS(&plugin, extension)) return all;
  const auto* list = static_cast<const lm_response_list*>(plugin.extension(LM_EXT_RESPONSES));
  if (list == nullptr) return all;
  if (list->struct_size < sizeof(lm_response_list) || !right_array(list->responses, list->n)) {
    fault = "describes its responses by a list that is too short or has a wrong struct_size: set it to sizeof";
    return all;
  }
  for (std::uint32_t i = 0; i < list->n; ++i) {
    auto one = description(element(list->responses, i), fault);
    if (!one) {
      fault = "describes " + fault;
      return {};
    }
    const auto same = [&](const ResponseDescription& other) {
      return other.name == one->name && other.version == one->version;
    };
    if (std::any_of(all.begin(), all.end(), same)) {
      fault = "describes " + one->name + " version " + std::to_string(one->version) + " twice";
      return {};
    }
    all.push_back(std::move(*one));
  }
  return all;
}

}  // namespace lumarch
