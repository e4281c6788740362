// SPDX-License-Identifier: Apache-2.0
// Kept wisdom. A measured FFT plan differs from process to process, and with it the last bits of every result; a plan
// from a kept measurement does not. So each length is measured once a machine, and read from a file ever after.
#pragma once

#include <string>

#include "host.hpp"

namespace lumarch::cpu {

// Holds what makes FFTW's planner ours: the process-wide lock (the host's), and an accumulated wisdom that is empty at
// first, so that a plan depends on our file alone and not on what else this process has planned. The wisdom that was
// there before is put back at the end.
class PlannerScope {
public:
  explicit PlannerScope(const Host& host);
  ~PlannerScope();
  PlannerScope(const PlannerScope&) = delete;
  PlannerScope& operator=(const PlannerScope&) = delete;

private:
  const lm_planner_lock* lock_;
  char* before_ = nullptr;
};

class WisdomFile {
public:
  // The file of this processor and this build of FFTW in `directory`; "" for no file at all.
  WisdomFile(const Host& host, const std::string& directory);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  // Adds what the file knows to FFTW's wisdom. A file that FFTW refuses is as good as none, and is replaced by save().
  // (with a PlannerScope)
  void load();

  // Takes the lock that all processes respect; false where files cannot be made there. Waits for another that plans.
  class Lock {
  public:
    explicit Lock(const WisdomFile& file);
    ~Lock();
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
    [[nodiscard]] bool held() const noexcept { return descriptor_ >= 0; }

  private:
    int descriptor_ = -1;
  };

  // Replaces the file by FFTW's wisdom, at once or not at all; false where that fails. (with a PlannerScope and a Lock)
  [[nodiscard]] bool save() const;

  // Says once why plans are not measured.
  void say_not_kept();

private:
  Host host_;
  std::string path_;
  bool warned_ = false, said_ = false;
};

// The name of the file for a processor and FFTW's version text; apart for tests.
std::string wisdom_file_name(const std::string& processor, const std::string& fftw);

}  // namespace lumarch::cpu
