// SPDX-License-Identifier: Apache-2.0
// Calls of kernels and their data, described without a device: made live on the candidate and on the reference alike.
#pragma once

#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/abi_params.h>

namespace lumarch::conform {

using Complex = std::complex<double>;

// How the rows of an array lie. Between and around them are guards, which nobody may touch.
struct Lay {
  bool shared = false, banked = false, scratch = false;
  std::int64_t components = 1, outer = 1, inner = 1;
  std::int64_t gap = 4;    // elements after each row, once it is rounded up to 64 bytes
  std::int64_t front = 8;  // elements before the first
  bool aligned = true;     // rows are rounded up to 64 bytes
};

struct Array {
  std::int32_t dtype = LM_C128;
  Lay lay;
  lm_view view{};             // without its buffer
  std::vector<double> image;  // the whole buffer, as it is before the calls
  bool spoilt = false;        // rows may be overwritten though they are an input (C2R)

  [[nodiscard]] std::size_t width() const { return dtype == LM_C128 ? 2 : 1; }  // doubles an element
};

struct Seen {  // an array as a view of a call
  int array = -1;
  bool flip = false;
};

struct PlanSpec {
  bool fft = true;
  lm_fft_desc desc{};
  double node = 0;  // of a propagator
  bool lossless = false;
  int D = -1;
};

struct CallSpec {
  std::string kernel;
  std::vector<Seen> views;
  int output = 0;  // which view is written; -1: numbers only
  std::vector<std::byte> params;
  std::vector<int> plans;
  std::uint64_t own_work = 0;       // what docs/kernels.md says beside what the plans ask for
  std::vector<CallSpec> responses;  // rhs.fibre, rhs.columns: views are the tables
  std::uint32_t adds_to = 0;        // of a response of rhs.columns: LM_POLARISATION or LM_CURRENT
  double tolerance = 0;             // relative to the rows' norm

  template <class P>
  void set(P p) {
    p.struct_size = sizeof p;
    params.resize(sizeof p);
    std::memcpy(params.data(), &p, sizeof p);
  }
};

struct MemberSpec {
  std::uint32_t count = 1, first = 0, n_active = 1, n_numbers = 6, n_scales = 4;
  std::vector<std::uint32_t> active;
  std::vector<std::uint8_t> parity, status;
  std::vector<double> h, z, scales;
};

struct Scene {
  std::vector<Array> arrays;
  std::vector<PlanSpec> plans;
  std::vector<CallSpec> calls;
  MemberSpec members;
  // What a SCRATCH view's row belongs to (abi.h, at lm_view). 0: to a worker, and calls made one by one are worker 0's.
  // Else to an entry of the active map, in pieces of so many entries.
  std::uint32_t together = 0;

  // Where the rows of a view begin, in elements: those of one member; of a SCRATCH view only while it is in the range.
  [[nodiscard]] std::vector<std::size_t> rows(const Seen& seen, std::uint32_t member) const;
  [[nodiscard]] std::int64_t samples(const Seen& seen) const;
  // The members that a call works on, in the order of the active map.
  [[nodiscard]] std::vector<std::uint32_t> working() const;
  // Those of them whose SCRATCH rows hold what a call left for them.
  [[nodiscard]] std::vector<std::uint32_t> left_in_scratch() const;
};

// An array of rows of n samples; its image has the guard's pattern everywhere.
[[nodiscard]] Array make_array(std::int32_t dtype, std::int64_t n, std::uint32_t members, std::uint32_t workers,
                               const Lay& lay);

[[nodiscard]] double guard();  // a NaN that no calculation makes
[[nodiscard]] constexpr std::uint64_t round_up(std::uint64_t bytes) { return (bytes + 63) / 64 * 64; }

}  // namespace lumarch::conform
