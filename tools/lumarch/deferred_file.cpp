// SPDX-License-Identifier: Apache-2.0
#include "lumarch/deferred_file.hpp"

#include <filesystem>
#include <utility>

#include "lumarch/whole_file.hpp"

namespace lumarch::cli {

DeferredFile::DeferredFile(std::string path, bool force) : path_(std::move(path)), force_(force) {
  tools::refuse_other_than_file(path_);  // what --force would not help
  std::error_code ignored;
  if (!force && std::filesystem::exists(path_, ignored))
    throw Error(Fault::problem, path_ + " is there already; --force replaces it, -o names another");
}

void DeferredFile::begin(const RunInfo& info) {
  file_ = make_file_sink(path_, force_);
  file_->begin(info);
}

}  // namespace lumarch::cli
