// SPDX-License-Identifier: Apache-2.0
#include "output/room.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace lumarch {

namespace {

constexpr std::uint64_t slack = 256 * 1024;  // for what HDF5 keeps beside the numbers: headers, indices, heaps

}  // namespace

void Room::ask(const h5::File& file, int descriptor, std::uint64_t bytes) {
  haddr_t used = 0;
  h5::check(H5Fget_eoa(file.get(), &used), "ask for the file's size");
  const std::uint64_t need = used + bytes + slack;
  if (need <= reserved_) return;
  if (fallocate(descriptor, 0, 0, static_cast<off_t>(need)) != 0 && errno != EOPNOTSUPP && errno != ENOSYS) {
    const int error = errno;
    throw Error(Fault::output, "there is no room for " + std::to_string((bytes + slack) / 1000) +
                                   " kB more: " + std::generic_category().message(error) +
                                   "; make room, or name a file on another disk with -o");
  }
  reserved_ = need;
}

void Room::give_back(const h5::File& file, int descriptor) noexcept {
  haddr_t used = 0;
  if (H5Fget_eoa(file.get(), &used) >= 0 && reserved_ > used) {
    if (ftruncate(descriptor, static_cast<off_t>(used)) != 0) return;
    reserved_ = used;
  }
}

}  // namespace lumarch
