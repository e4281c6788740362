// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "problem/parts.hpp"
#include "problem/plugin_names.hpp"
#include "problem/text.hpp"

namespace lumarch::problem {

namespace {

// A name with dots is reverse-domain: a response that a plugin brings.
bool is_of_a_plugin(const Json& name) {
  return name.is_string() && name.get_ref<const std::string&>().find('.') != std::string::npos;
}

// A quantity of any dimension: which one is wanted, only the plugin's description says.
std::optional<PluginResponse::Parameter> read_parameter(const Node& node) {
  if (node.value->is_number()) return PluginResponse::Parameter{node.value->get<double>(), std::nullopt, node.pointer};
  if (!node.value->is_string()) {
    node.find("a parameter is a quantity like \"20 kW\" or a number in SI, not " + type_of(*node.value) + " (" +
              shown(*node.value) + ")");
    return std::nullopt;
  }
  std::string error;
  const auto amount = parse_amount(node.value->get_ref<const std::string&>(), error);
  if (!amount) {
    node.find(error + "; a parameter is a quantity like \"20 kW\" or a number in SI");
    return std::nullopt;
  }
  return PluginResponse::Parameter{amount->value, amount->dimension, node.pointer};
}

// `place` is the response's, `type` that of its name: the same where it has no parameters.
std::optional<Response> read_plugin_response(const Node& place, const Node& type) {
  PluginResponse response;
  response.name = type.value->get<std::string>();
  response.pointer = place.pointer;
  bool whole = is_plugin_response_name(response.name);
  if (!whole) {
    type.find(in_quotes(response.name) +
              " is no name of a plugin's response: that is response.<reverse domain>.<name>, words of a-z, 0-9 and _ "
              "like \"response.org.example.saturable_kerr\"; without a plugin there is " +
              listed(choices::response.words));
  }
  if (!place.value->is_object()) return whole ? std::optional<Response>(response) : std::nullopt;
  for (const auto& [key, value] : place.value->items()) {
    if (key == "type") continue;
    const Node node{&value, place.pointer + step(printable(key)), place.context};
    if (!is_parameter_name(key)) {
      node.find("the parameter " + in_quotes(key) + " cannot be: its name is a-z, 0-9 and _, and begins with a letter");
      whole = false;
    } else if (auto parameter = read_parameter(node)) {
      response.parameters.emplace(key, std::move(*parameter));
    } else {
      whole = false;
    }
  }
  return whole ? std::optional<Response>(response) : std::nullopt;
}

std::optional<Response> read_response(const Node& node) {
  if (node.value->is_string()) {
    if (is_of_a_plugin(*node.value)) return read_plugin_response(node, node);
    const auto type = choose(node, choices::response);
    if (!type) return std::nullopt;
    if (*type == 0) return Kerr{};
    if (*type == 1) return SelfSteepening{};
    return Raman{};
  }
  // What belongs to a response that is not built yet is not called unknown.
  if (node.value->is_object() && node.value->contains("type")) {
    const Node type{&(*node.value)["type"], node.pointer + "/type", node.context};
    if (is_of_a_plugin(*type.value)) return read_plugin_response(node, type);
    if (!choose(type, choices::response)) return std::nullopt;
  }
  if (!node.value->is_object()) {
    node.find("a response is a name like \"kerr\" or an object like {\"type\": \"raman\"}, not " +
              type_of(*node.value) + " (" + shown(*node.value) + ")");
    return std::nullopt;
  }
  const Object object(node, kinds::response);
  const auto type = object.need("type", "\"raman\"");
  if (!type) return std::nullopt;
  const std::string name = type->value->get<std::string>();
  if (name == "raman") {
    Raman raman;
    if (const auto model = object.get("model")) {
      if (const auto index = choose(*model, choices::raman)) raman.model = static_cast<RamanModel>(*index);
    }
    if (const auto fraction = object.get("fraction")) {
      raman.fraction = quantity(*fraction, {kNumber, "0.18"});
      if (raman.fraction && !(*raman.fraction >= 0 && *raman.fraction <= 1)) {
        fraction->find(shown(*fraction->value) + " is out of range: the fraction is between 0 and 1, like 0.18");
      }
    }
    return raman;
  }
  for (const char* key : {"model", "fraction"}) {
    if (object.has(key)) {
      node.context->add(object.pointer_of(key), std::string(key) + " belongs to raman, not to " + name);
    }
  }
  if (name == "kerr") return Kerr{};
  return SelfSteepening{};
}

}  // namespace

std::vector<Response> read_responses(const Node& node) {
  std::vector<Response> responses;
  if (!is_list(node, R"(["kerr", "raman"])")) return responses;
  std::set<std::size_t> seen;
  std::set<std::string> seen_names;  // of plugins
  bool whole = true;
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const auto response = read_response(node.item(i));
    if (!response) {
      whole = false;
      continue;
    }
    const auto* of_a_plugin = std::get_if<PluginResponse>(&*response);
    const bool first = seen.insert(response->index()).second;
    if (of_a_plugin ? !seen_names.insert(of_a_plugin->name).second : !first) {
      node.item(i).find(shown(*node.item(i).value) + " stands twice in the list; once is enough");
    }
    responses.push_back(*response);
  }
  const bool steepens = seen.contains(Response{SelfSteepening{}}.index());
  if (whole && steepens && seen.size() == 1) {
    node.find(
        "self-steepening acts on kerr or raman, or on a plugin's response, and none is in the list; write [\"kerr\", "
        "\"self-steepening\"]");
  }
  return responses;
}

}  // namespace lumarch::problem
