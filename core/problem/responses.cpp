// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "problem/parts.hpp"
#include "problem/text.hpp"

namespace lumarch::problem {

namespace {

// A name with dots is reverse-domain: a response that a plugin brings.
bool of_a_plugin(const Node& node) {
  if (!node.value->is_string()) return false;
  const auto& name = node.value->get_ref<const std::string&>();
  if (name.find('.') == std::string::npos) return false;
  node.find("a response of a plugin, " + in_quotes(name) + "," + kNotBuilt + "; there is " +
            listed(choices::response.words));
  return true;
}

std::optional<std::size_t> type_of_response(const Node& node) {
  return of_a_plugin(node) ? std::nullopt : choose(node, choices::response);
}

std::optional<Response> read_response(const Node& node) {
  if (node.value->is_string()) {
    const auto type = type_of_response(node);
    if (!type) return std::nullopt;
    if (*type == 0) return Kerr{};
    if (*type == 1) return SelfSteepening{};
    return Raman{};
  }
  // What belongs to a response that is not built yet is not called unknown.
  if (node.value->is_object() && node.value->contains("type")) {
    const Node type{&(*node.value)["type"], node.pointer + "/type", node.context};
    if (!type_of_response(type)) return std::nullopt;
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
  bool whole = true;
  for (std::size_t i = 0; i < node.value->size(); ++i) {
    const auto response = read_response(node.item(i));
    if (!response) {
      whole = false;
      continue;
    }
    if (!seen.insert(response->index()).second) {
      node.item(i).find(shown(*node.item(i).value) + " stands twice in the list; once is enough");
    }
    responses.push_back(*response);
  }
  const bool steepens = seen.contains(Response{SelfSteepening{}}.index());
  if (whole && steepens && seen.size() == 1) {
    node.find(
        "self-steepening acts on kerr or raman and neither is in the list; write [\"kerr\", \"self-steepening\"]");
  }
  return responses;
}

}  // namespace lumarch::problem
