// SPDX-License-Identifier: Apache-2.0
// What files, logs and summaries call how a run ended.
#pragma once

#include <lumarch/sink.hpp>

namespace lumarch {

[[nodiscard]] inline const char* word(Ended ended) {
  switch (ended) {
    case Ended::running:
      return "running";
    case Ended::done:
      return "done";
    case Ended::stopped:
      return "stopped";
    case Ended::failed:
      break;
  }
  return "failed";
}

}  // namespace lumarch
