// SPDX-License-Identifier: Apache-2.0
#include "backend/places.hpp"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <lumarch/abi.h>

namespace lumarch {

namespace fs = std::filesystem;

namespace {

void warn(const BackendSearch& search, const std::string& text) {
  if (search.log) search.log(LM_LOG_WARN, text);
}

std::string absolute(const std::string& folder) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(folder, error);
  return error || !path.is_absolute() ? fs::absolute(folder, error).string() : path.string();
}

// <libdir>/lumarch/backends beside the library that this code is in, wherever it was installed or moved to.
std::string installed_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&search_folders), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const fs::path library = fs::canonical(info.dli_fname, error);
  return error ? std::string() : (library.parent_path() / "lumarch" / "backends").string();
}

bool takes(const std::string& file, const std::string& prefix, std::string& name) {
  const std::string suffix = ".so";
  if (!file.starts_with(prefix) || !file.ends_with(suffix) || file.size() < prefix.size() + suffix.size()) return false;
  name = file.substr(prefix.size(), file.size() - prefix.size() - suffix.size());
  return true;
}

// The plugin that a path's file name says it is; none where it says nothing of the kind or there is no such file.
std::optional<Candidate> candidate_at(const fs::path& path) {
  Candidate candidate{path.string(), {}, false};
  const std::string file = path.filename().string();
  if (!takes(file, "liblumarch_backend_", candidate.name)) {
    if (!takes(file, "liblumarch_kernels_", candidate.name)) return std::nullopt;
    candidate.kernels_only = true;
  }
  return candidate;
}

void judge_one(const fs::path& path, bool folder, PlaceVerdict& verdict) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return;  // whoever opens it will say why it cannot be
  const std::string what = folder ? "lies in a folder" : "is a file";
  const bool sticky = folder && (info.st_mode & S_ISVTX) != 0;  // there only the owner may replace a file
  if ((info.st_mode & S_IWOTH) != 0 && !sticky) {
    if (verdict.refusal.empty()) {
      verdict.refusal = what + " that anyone may write to: chmod o-w " + path.string();
    }
  } else if ((info.st_mode & S_IWGRP) != 0 && !sticky && verdict.warning.empty()) {
    verdict.warning = what + " that its group may write to: chmod g-w " + path.string();
  }
}

}  // namespace

std::vector<std::string> search_folders(const BackendSearch& search) {
  std::vector<std::string> folders;
  const auto add = [&folders](const std::string& folder) {
    if (!folder.empty() && std::find(folders.begin(), folders.end(), folder) == folders.end()) {
      folders.push_back(folder);
    }
  };
  const auto add_named = [&](const std::string& folder, const char* by) {
    std::error_code ignored;
    if (!folder.empty() && !fs::is_directory(folder, ignored) && !candidate_at(folder))
      warn(search, folder + ", named by " + by + ", is neither a folder that can be read nor a plugin's file");
    add(folder);
  };
  for (const std::string& folder : search.folders) {
    // A file keeps the name that it was given by, be it a link: the name says which plugin is meant.
    std::error_code ignored;
    const fs::path path(folder);
    if (!folder.empty() && candidate_at(path) && !fs::is_directory(path, ignored))
      add_named(
          (fs::path(absolute(path.has_parent_path() ? path.parent_path().string() : ".")) / path.filename()).string(),
          "--backend-path");
    else if (!folder.empty())
      add_named(absolute(folder), "--backend-path");
  }
  if (const char* const path = std::getenv("LUMARCH_BACKEND_PATH"); path != nullptr) {
    if (::getauxval(AT_SECURE) != 0) {
      warn(search, "LUMARCH_BACKEND_PATH is ignored: this program runs with raised privileges");
    } else {
      const std::string all(path);
      for (std::size_t from = 0; from <= all.size();) {
        const std::size_t to = std::min(all.find(':', from), all.size());
        const std::string folder = all.substr(from, to - from);
        from = to + 1;
        if (folder.empty()) continue;
        if (fs::path(folder).is_absolute()) {
          add_named(absolute(folder), "LUMARCH_BACKEND_PATH");
        } else {  // it would mean another place in every directory that lumarch is started from
          warn(search, "LUMARCH_BACKEND_PATH: " + folder + " is ignored: give an absolute path");
        }
      }
    }
  }
  add(installed_folder());
  return folders;
}

std::vector<Candidate> candidates_in(const std::vector<std::string>& folders) {
  std::vector<Candidate> found;
  for (const std::string& folder : folders) {
    std::vector<Candidate> here;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
      if (auto file = candidate_at(folder)) found.push_back(std::move(*file));
      continue;
    }
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      if (auto candidate = candidate_at(fs::path(folder) / at->path().filename()))
        here.push_back(std::move(*candidate));
    }
    std::sort(here.begin(), here.end(), [](const Candidate& a, const Candidate& b) { return a.path < b.path; });
    found.insert(found.end(), here.begin(), here.end());
  }
  return found;
}

bool is_plugin_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

PlaceVerdict judge_place(const std::string& path) {
  PlaceVerdict verdict;
  judge_one(path, false, verdict);
  judge_one(fs::path(path).parent_path(), true, verdict);
  std::error_code error;
  const fs::path real = fs::canonical(path, error);  // a link: also where it leads
  if (!error && real != path) judge_one(real.parent_path(), true, verdict);
  return verdict;
}

}  // namespace lumarch
