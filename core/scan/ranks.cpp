// SPDX-License-Identifier: Apache-2.0
// MPI, where it was found.
#include <lumarch/ranks.hpp>

// Without the C++ bindings that MPI once had.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <cstdint>

#include <lumarch/error.hpp>

namespace lumarch {

// The counter lies with rank 0 and is drawn from by one-sided calls: nobody has to answer.
struct Ranks::State {
  int rank = 0, size = 1;
  MPI_Win window = MPI_WIN_NULL;
  std::int64_t* counter = nullptr;
};

bool Ranks::built() { return true; }

Ranks::Ranks() : state_(std::make_unique<State>()) {
  int given = MPI_THREAD_SINGLE;
  // points may be marched by several threads of a rank, which draw one at a time
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS)
    throw Error(Fault::refused, "MPI could not be started");
  MPI_Comm_rank(MPI_COMM_WORLD, &state_->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &state_->size);
  if (given < MPI_THREAD_SERIALIZED) {
    MPI_Finalize();
    throw Error(Fault::refused, "this MPI cannot be called from several threads (MPI_THREAD_SERIALIZED)");
  }
  const MPI_Aint bytes = state_->rank == 0 ? sizeof(std::int64_t) : 0;
  MPI_Win_allocate(bytes, sizeof(std::int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &state_->counter, &state_->window);
  if (state_->rank == 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, state_->window);
    *state_->counter = 0;
    MPI_Win_unlock(0, state_->window);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

Ranks::~Ranks() {
  MPI_Win_free(&state_->window);  // waits for all
  MPI_Finalize();
}

int Ranks::rank() const { return state_->rank; }
int Ranks::size() const { return state_->size; }

std::size_t Ranks::next() {
  const std::int64_t one = 1;
  std::int64_t before = 0;
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, state_->window);
  MPI_Fetch_and_op(&one, &before, MPI_INT64_T, 0, 0, MPI_SUM, state_->window);
  MPI_Win_unlock(0, state_->window);
  return static_cast<std::size_t>(before);
}

double Ranks::sum(double value) {
  double all = 0;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

}  // namespace lumarch
