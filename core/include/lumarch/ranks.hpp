// SPDX-License-Identifier: Apache-2.0
// The ranks of an MPI job that share the points of a scan: each draws the next one from a counter that they have in
// common.
#pragma once

#include <cstddef>
#include <memory>

namespace lumarch {

class Ranks {
public:
  // Joins the job; a process that no mpirun started is a job of one rank. Once a process. Throws Error(Fault::problem)
  // where lumarch was built without MPI.
  Ranks();
  ~Ranks();  // waits for the other ranks
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  [[nodiscard]] int rank() const;  // from 0
  [[nodiscard]] int size() const;
  // 0, 1, 2, ...: each number once in the job. By one thread at a time.
  [[nodiscard]] std::size_t next();
  // The sum of a number over all ranks, on every rank; all have to call it.
  [[nodiscard]] double sum(double value);

  [[nodiscard]] static bool built();

private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace lumarch
