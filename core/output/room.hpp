// SPDX-License-Identifier: Apache-2.0
// Room on a disk for what HDF5 is about to take: where the disk refuses it, HDF5 is left with parts that it can neither
// write nor drop, and the file could not even be marked as failed. So the disk is asked first.
#pragma once

#include <cstdint>

#include "output/h5.hpp"

namespace lumarch {

class Room {
public:
  // `bytes` behind what the file has, and some for HDF5's own. Throws Error(Fault::output) where there is none.
  void ask(const h5::File& file, int descriptor, std::uint64_t bytes);
  // What was asked for and not taken. A longer file is still a right one.
  void give_back(const h5::File& file, int descriptor) noexcept;

private:
  std::uint64_t reserved_ = 0;  // bytes of the file that the disk has room for
};

}  // namespace lumarch
