// SPDX-License-Identifier: Apache-2.0
// Where no MPI was found when lumarch was configured.
#include <lumarch/error.hpp>
#include <lumarch/ranks.hpp>

namespace lumarch {

struct Ranks::State {};

bool Ranks::built() { return false; }

Ranks::Ranks() {
  throw Error(
      Fault::problem,
      "this lumarch was built without MPI: install an MPI (Debian: libopenmpi-dev), configure and build again; or "
      "take --shard K/N, which needs none");
}
Ranks::~Ranks() = default;
int Ranks::rank() const { return 0; }
int Ranks::size() const { return 1; }
std::size_t Ranks::next() { return 0; }
double Ranks::sum(double value) { return value; }

}  // namespace lumarch
