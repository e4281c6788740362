// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "problem/parts.hpp"
#include "problem/plugin_names.hpp"
#include "problem/text.hpp"
#include "problem/uppe.hpp"

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

// The key of a response that has no use for it is refused.
void refuse_others(const Object& object, const std::string& name) {
  static const std::vector<std::pair<const char*, const char*>> owners{
      {"model", "raman"}, {"thg", "kerr"},       {"saturation_intensity", "kerr"},
      {"rate", "plasma"}, {"rotation", "raman"}, {"vibration", "raman"}};
  const auto belongs = [&](const char* key, const char* owner) {
    object.node().context->add(object.pointer_of(key), std::string(key) + " belongs to " + owner + ", not to " + name);
  };
  for (const auto& [key, owner] : owners) {
    if (object.has(key) && name != owner) belongs(key, owner);
  }
  if (object.has("fraction") && name != "raman" && name != "plasma") belongs("fraction", "raman");
}

std::optional<double> read_fraction(const Object& object, const char* example) {
  const auto node = object.get("fraction");
  const auto fraction = quantity(node, {kNumber, example});
  if (fraction && !(*fraction >= 0 && *fraction <= 1)) {
    node->find(shown(*node->value) + " is out of range: the fraction is between 0 and 1, like " + example);
  }
  return fraction;
}

Response read_raman(const Object& object, bool uppe) {
  // Of silica in a fibre, of molecules in the rest.
  std::size_t model = uppe ? 3 : 0;
  if (const auto node = object.get("model"))
    model = choose(*node, uppe ? choices::raman : choices::gnlse::raman).value_or(model);
  if (model < 3) return Raman{static_cast<RamanModel>(model), read_fraction(object, "0.18")};
  if (object.has("fraction"))
    object.node().context->add(object.pointer_of("fraction"),
                               "fraction belongs to the models of silica, not to molecular; take it out");
  MolecularRaman raman;
  raman.rotation = flag(object.get("rotation")).value_or(true);
  raman.vibration = flag(object.get("vibration")).value_or(true);
  return raman;
}

// A real field makes the third harmonic unless it is told not to, an envelope only where it is told to.
Kerr usual_kerr(const Problem& problem) {
  return {!problem.uppe || problem.uppe->field == FieldKind::real, std::nullopt};
}

Kerr read_kerr(const Object& object, const Problem& problem) {
  Kerr kerr = usual_kerr(problem);
  if (const auto thg = flag(object.get("thg"))) kerr.third_harmonic = *thg;
  kerr.saturation_intensity = quantity(object.get("saturation_intensity"), {kIntensity, "1e18 W/m^2"}, Sign::positive);
  return kerr;
}

Plasma read_plasma(const Object& object) {
  Plasma plasma;
  if (const auto rate = object.get("rate"))
    plasma.rate = choose(*rate, choices::rate) == 0 ? Plasma::Rate::adk : Plasma::Rate::ppt;
  plasma.fraction = read_fraction(object, "0.01").value_or(0);
  return plasma;
}

std::optional<Response> named(const Choice& words, std::size_t index, const Problem& problem) {
  const std::string& name = words.words[index];
  if (name == "kerr") return usual_kerr(problem);
  if (name == "self-steepening") return SelfSteepening{};
  if (name == "plasma") return Plasma{};
  if (name == "chi2") return Chi2{};
  return problem.uppe ? Response{MolecularRaman{}} : Response{Raman{}};
}

std::optional<Response> read_response(const Node& node, const Problem& problem) {
  const bool uppe = problem.uppe.has_value();
  const Choice& words = uppe ? choices::response : choices::gnlse::response;
  if (node.value->is_string()) {
    if (is_of_a_plugin(*node.value)) return read_plugin_response(node, node);
    const auto index = choose(node, words);
    return index ? named(words, *index, problem) : std::nullopt;
  }
  // What belongs to a response that is not built yet is not called unknown.
  if (node.value->is_object() && node.value->contains("type")) {
    const Node type{&(*node.value)["type"], node.pointer + "/type", node.context};
    if (is_of_a_plugin(*type.value)) return read_plugin_response(node, type);
    if (!choose(type, words)) return std::nullopt;
  }
  if (!node.value->is_object()) {
    node.find("a response is a name like \"kerr\" or an object like {\"type\": \"raman\"}, not " +
              type_of(*node.value) + " (" + shown(*node.value) + ")");
    return std::nullopt;
  }
  const Object object(node, uppe ? kinds::response : kinds::gnlse::response);
  const auto type = object.need("type", "\"raman\"");
  if (!type) return std::nullopt;
  const std::string name = type->value->get<std::string>();
  refuse_others(object, name);
  if (name == "raman") return read_raman(object, uppe);
  if (name == "kerr" && uppe) return read_kerr(object, problem);
  if (name == "plasma") return read_plasma(object);
  return named(words, *choose(*type, words), problem);
}

}  // namespace

std::vector<Response> read_responses(const Node& node, const Problem& problem, const Sound& sound) {
  std::vector<Response> responses;
  if (!is_list(node, R"(["kerr", "raman"])")) return responses;
  std::set<std::size_t> seen;
  std::set<std::string> seen_names;  // of plugins
  bool whole = true;
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const auto response = read_response(node.item(i), problem);
    if (!response) {
      whole = false;
      continue;
    }
    const auto* of_a_plugin = std::get_if<PluginResponse>(&*response);
    const bool first = seen.insert(response->index()).second;
    if (of_a_plugin ? !seen_names.insert(of_a_plugin->name).second : !first) {
      node.item(i).find(shown(*node.item(i).value) + " stands twice in the list; once is enough");
    }
    const std::string refusal = response_refusal(*response, problem, sound);
    if (!refusal.empty()) node.item(i).find(refusal);
    responses.push_back(*response);
  }
  const bool steepens = seen.contains(Response{SelfSteepening{}}.index());
  if (whole && steepens && seen.size() == 1 && !problem.uppe) {
    node.find(
        "self-steepening acts on kerr or raman, or on a plugin's response, and none is in the list; write [\"kerr\", "
        "\"self-steepening\"]");
  }
  return responses;
}

}  // namespace lumarch::problem
