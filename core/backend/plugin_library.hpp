// SPDX-License-Identifier: Apache-2.0
// A shared library that is opened once and never closed. The only place that knows Boost.DLL.
#pragma once

#include <string>

#include <lumarch/abi.h>

namespace lumarch {

struct OpenedLibrary {
  const lm_plugin* plugin = nullptr;  // NULL: not opened, or its entry is not its own; `fault` says why
  std::string fault;
  bool mapped = false;  // its constructors have run
};

// `path` is absolute. RTLD_NOW, so that an undefined function shows here and not in the middle of a run; RTLD_LOCAL, so
// that plugins do not see each other's symbols; RTLD_NODELETE, because libraries with threads or thread-locals of their
// own (oneTBB, CUDA) crash when they are unmapped.
[[nodiscard]] OpenedLibrary open_library(const std::string& path);

}  // namespace lumarch
