// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "address.hpp"

namespace lumarch::emulated {

using sdk::Fault;

namespace {

constexpr int nowhere = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

std::uint64_t up(std::uint64_t bytes, std::uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

Memory::Memory(bool guard_at_end)
    : guard_at_end_(guard_at_end), page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
  void* const space = ::mmap(nullptr, 2 * distance, PROT_NONE, nowhere, -1, 0);
  if (space == MAP_FAILED)
    throw Fault(LM_E_NOMEM, "no address space of " + std::to_string(2 * distance >> 30) +
                                " GiB: " + std::strerror(errno) + " (see ulimit -v)");
  base_ = static_cast<std::byte*>(space);
  next_ = page_;
}

Memory::~Memory() { ::munmap(base_, 2 * distance); }

std::uint64_t Memory::addresses_left() const noexcept {
  return distance - next_ > 2 * page_ ? distance - next_ - 2 * page_ : 0;
}

lm_buffer Memory::alloc(std::uint64_t bytes) {
  const std::uint64_t physical = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_;
  if (bytes > physical)
    throw Fault(LM_E_NOMEM, std::to_string(bytes) + " bytes are more than this machine's " + std::to_string(physical));
  if (bytes > addresses_left())
    throw Fault(LM_E_NOMEM, std::to_string(bytes) + " bytes are more than the addresses that are left, " +
                                std::to_string(addresses_left()) + ": the emulated device uses none twice");
  const std::uint64_t size = up(bytes ? bytes : 1, alignment), whole = up(size, page_);
  std::byte* const host = base_ + next_;
  const Pages pages{device_address(host), whole};
  if (::mprotect(pages.at, whole, PROT_READ | PROT_WRITE) != 0)
    throw Fault(LM_E_NOMEM, "no memory for a buffer of " + std::to_string(bytes) + " bytes: " + std::strerror(errno));
  std::memset(pages.at, 0xFF, whole);
  blocks_.push_back({guard_at_end_ ? host + (whole - size) : host, bytes, pages});
  next_ += whole + page_;
  return blocks_.size();
}

void* Memory::resolve(lm_buffer buffer, std::uint64_t* bytes) const noexcept {
  if (buffer == 0 || buffer > blocks_.size()) return nullptr;
  const Block& block = blocks_[buffer - 1];
  if (bytes) *bytes = block.bytes;
  return block.host;
}

const Memory::Block& Memory::at(lm_buffer buffer) const {
  if (buffer == 0 || buffer > blocks_.size() || !blocks_[buffer - 1].host)
    throw Fault(LM_E_ARG, "no such buffer: " + std::to_string(buffer));
  return blocks_[buffer - 1];
}

std::byte* Memory::range(lm_buffer buffer, std::uint64_t offset, std::uint64_t bytes) const {
  const Block& block = at(buffer);
  if (offset > block.bytes || bytes > block.bytes - offset)
    throw Fault(LM_E_ARG, std::to_string(bytes) + " bytes at " + std::to_string(offset) + " of a buffer that has " +
                              std::to_string(block.bytes));
  return device_address(block.host + offset);
}

Memory::Pages Memory::retire(lm_buffer buffer) {
  const Pages pages = at(buffer).pages;
  blocks_[buffer - 1] = {};
  return pages;
}

// Mapped anew, so that the memory goes back to the machine and the addresses stay ours.
void Memory::unmap(const Pages& pages) const noexcept {
  ::mmap(pages.at, pages.bytes, PROT_NONE, nowhere | MAP_FIXED, -1, 0);
}

}  // namespace lumarch::emulated
