// SPDX-License-Identifier: Apache-2.0
#include "run/request.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include <core_sources.hpp>
#include <lumarch/error.hpp>
#include <lumarch/version.hpp>

namespace lumarch {

namespace {

using nlohmann::json;

std::string difference(const std::string& what, const std::string& before, const std::string& now) {
  return what + ": was " + (before.empty() ? "not known" : before) + ", is " + (now.empty() ? "not known" : now);
}

std::string absolute(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::path whole = std::filesystem::absolute(path, unknown);
  return unknown ? path : whole.lexically_normal().string();
}

std::string start_of(const std::string& digest) { return digest.substr(0, 16); }

}  // namespace

std::string core_sources() { return LUMARCH_CORE_SOURCES; }

std::string request_json(const Problem& problem, const RunOptions& options) {
  json files = json::array(), folders = json::array();
  for (const InputFile& file : problem.inputs) files.push_back({{"name", file.name}, {"sha256", file.sha256}});
  for (const std::string& folder : options.backend_path) folders.push_back(absolute(folder));
  const BackendRequest& backend = problem.backend;
  return json{
      {"lumarch", LUMARCH_VERSION},
      {"sources", core_sources()},
      {"folder", problem.folder},
      {"files", files},
      {"backend",
       {{"name", backend.name}, {"device", backend.device}, {"threads", backend.threads}, {"plan", backend.plan}}},
      {"backend_path", folders}}
      .dump(-1, ' ', false, json::error_handler_t::replace);
}

Request request_of(const std::string& text) {
  try {
    const json from = json::parse(text);
    Request request;
    request.version = from.at("lumarch").get<std::string>();
    request.sources = from.at("sources").get<std::string>();
    request.folder = from.at("folder").get<std::string>();
    for (const json& file : from.at("files"))
      request.files.push_back({file.at("name").get<std::string>(), file.at("sha256").get<std::string>()});
    const json& backend = from.at("backend");
    request.backend.name = backend.at("name").get<std::string>();
    request.backend.device = backend.at("device").get<int>();
    request.backend.threads = backend.at("threads").get<int>();
    request.backend.plan = backend.at("plan").get<std::string>();
    request.folders = from.at("backend_path").get<std::vector<std::string>>();
    return request;
  } catch (const json::exception& error) {
    throw Error(Fault::problem, std::string("/provenance/request is damaged: ") + error.what());
  }
}

std::vector<std::string> program_differences(const Request& before) {
  std::vector<std::string> all;
  if (before.version != LUMARCH_VERSION) all.push_back(difference("lumarch", before.version, LUMARCH_VERSION));
  if (before.sources != core_sources())
    all.push_back(difference("digest of lumarch's sources", start_of(before.sources), start_of(core_sources())));
  return all;
}

std::vector<std::string> file_differences(const Request& before, const Problem& now) {
  std::vector<std::string> all;
  for (const InputFile& file : now.inputs) {
    const auto same = [&](const InputFile& other) { return other.name == file.name; };
    const auto old = std::find_if(before.files.begin(), before.files.end(), same);
    const std::string digest = old == before.files.end() ? std::string() : old->sha256;
    if (digest != file.sha256)
      all.push_back(difference("SHA-256 of " + file.name, start_of(digest), start_of(file.sha256)));
  }
  return all;
}

// The number of threads that a device begins its name with may change: it changes no bits.
std::vector<std::string> backend_differences(const std::string& before, const std::string& now) {
  const json old = json::parse(before, nullptr, false), fresh = json::parse(now, nullptr, false);
  std::vector<std::string> all;
  for (const char* key : {"name", "version", "build", "abi", "device", "id"}) {
    const auto word = [&](const json& from) {
      std::string text = from.is_object() && from.contains(key) && from[key].is_string() ? from[key].get<std::string>()
                                                                                         : std::string();
      const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
      for (const std::string threads : {" thread, ", " threads, "})
        if (digits > 0 && text.compare(digits, threads.size(), threads) == 0)
          return text.substr(digits + threads.size());
      return text;
    };
    if (word(old) != word(fresh)) all.push_back(difference(std::string("backend's ") + key, word(old), word(fresh)));
  }
  return all;
}

}  // namespace lumarch
