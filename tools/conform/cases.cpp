// SPDX-License-Identifier: Apache-2.0
#include "cases.hpp"

#include <filesystem>

namespace lumarch::conform {

namespace {

BackendSearch search(const std::string& folder) {
  BackendSearch search;
  if (!folder.empty()) search.folders.push_back(folder);
  return search;
}

}  // namespace

const LoadedBackend& Context::candidate() const {
  const LoadedBackend* found = nullptr;
  try {
    found = &load_backend(name, search(folder));
  } catch (const std::exception& refused) {
    const std::string words = refused.what(), none = path + ": has no device: ";  // as the loader lists its reasons
    if (const std::size_t at = words.find(none); at != std::string::npos)
      throw Skipped("there is no device here: " + words.substr(at + none.size()));
    throw Failed(std::string("it is not loaded: ") + refused.what());
  }
  std::error_code error;
  expect(std::filesystem::equivalent(found->path, path, error),
         "another file of that name was loaded in its place: " + found->path);
  return *found;
}

// Beside liblumarch, unless the candidate is the reference itself: then it is its own measure.
const LoadedBackend& Context::reference() const {
  return name == "reference" ? candidate() : load_backend("reference", search(""));
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  add_load_cases(cases);
  add_table_cases(cases);
  add_memory_cases(cases);
  add_kernel_cases(cases);
  add_edge_cases(cases);
  add_error_cases(cases);
  add_bits_cases(cases);
  add_run_cases(cases);
  add_march_cases(cases);
  add_open_cases(cases);
  add_stop_cases(cases);
  return cases;
}

}  // namespace lumarch::conform
