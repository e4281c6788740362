// SPDX-License-Identifier: Apache-2.0
#include "own.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <numbers>

#include <lumarch/sdk/fault.hpp>

#include "../jobs.hpp"

namespace lumarch::cpu {
namespace {

using Long = std::complex<long double>;

// exp(-2 pi i k / n) in long double, for any k below n, from two tables of about sqrt(n) numbers: a product is good to
// 1e-19, so that the double nearest to it is within half a unit in the last place, but for a few in a thousand ties.
class Roots {
public:
  explicit Roots(std::size_t n) : n_(n) {
    while (std::size_t{1} << 2 * shift_ < n) ++shift_;
    for (std::size_t k = 0; k < std::size_t{1} << shift_; ++k) low_.push_back(direct(k));
    for (std::size_t k = 0; k << shift_ < n; ++k) high_.push_back(direct(k << shift_));
  }
  Long operator()(std::size_t k) const {
    if (4 * k % n_ == 0) return direct(k);  // the axes, exactly
    const Long a = high_[k >> shift_], b = low_[k & ((std::size_t{1} << shift_) - 1)];
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  }

private:
  [[nodiscard]] Long direct(std::size_t k) const {
    const std::size_t quarter = (8 * k + n_) / (2 * n_) % 4;  // the nearest axis
    const long double rest = static_cast<long double>(4 * k) / static_cast<long double>(n_) -
                             static_cast<long double>((8 * k + n_) / (2 * n_));
    const long double angle = rest * (std::numbers::pi_v<long double> / 2);
    const long double c = std::cos(angle), s = rest == 0 ? 0.0L : std::sin(angle);
    switch (quarter) {
      case 0:
        return {c, -s};
      case 1:
        return {-s, -c};
      case 2:
        return {-c, s};
      default:
        return {s, c};
    }
  }
  std::size_t n_, shift_ = 0;
  std::vector<Long> low_, high_;
};

constexpr std::size_t blocked_from = std::size_t{1}
                                     << 16;  // below, passes over whole rows are faster where L2 is 512 KiB

unsigned power_in(std::size_t& n, std::size_t prime) {
  unsigned e = 0;
  for (; n % prime == 0; n /= prime) ++e;
  return e;
}

}  // namespace

void FftScratch::Free::operator()(double* p) const noexcept { std::free(p); }

void FftScratch::reserve(std::size_t doubles) {
  if (doubles <= doubles_) return;
  for (auto& part : parts_) {
    part.reset(static_cast<double*>(std::aligned_alloc(64, (doubles * sizeof(double) + 63) / 64 * 64)));
    if (!part) {
      doubles_ = 0;
      throw sdk::Fault(LM_E_NOMEM, "no memory for what a transform has between its passes");
    }
  }
  doubles_ = doubles;
}

bool OwnFft::serves(std::int64_t n) noexcept {
  if (n < 1) return false;
  for (const std::int64_t prime : {2, 3, 5, 7})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

OwnFft::OwnFft(const FftPasses& passes, std::size_t n) : passes_(passes), n_(n), W_(passes.W) {
  choose_radices();
  choose_split();
  make_twiddles();
}

// By n alone. Eight comes first where it can: its rows are whole vectors from then on. As few passes as can be: each
// costs about the same, whatever its radix.
void OwnFft::choose_radices() {
  std::size_t rest = n_;
  unsigned twos = power_in(rest, 2);
  const unsigned threes = power_in(rest, 3), fives = power_in(rest, 5), sevens = power_in(rest, 7);
  if (twos >= 3) {
    radices_.push_back(8);
    twos -= 3;
  }
  radices_.insert(radices_.end(), sevens, 7);
  radices_.insert(radices_.end(), fives, 5);
  radices_.insert(radices_.end(), threes, 3);
  const unsigned fours = twos % 3 == 2 ? 1 : twos % 3 == 1 && twos > 1 ? 2 : 0, eights = (twos - 2 * fours) / 3;
  if (twos == 1) radices_.push_back(2);
  if (n_ >= blocked_from) radices_.insert(radices_.end(), fours, 4);
  radices_.insert(radices_.end(), eights, 8);
  if (n_ < blocked_from) radices_.insert(radices_.end(), fours, 4);
  while (radices_.size() < 2) radices_.push_back(1);  // a pass that only moves, for those who need one
}

// Where the columns end: after the first pass where that is of radix 8 and the row is short, near the root of n where
// it is long, else where least of the lanes is left empty. It decides no bits.
void OwnFft::choose_split() {
  blocked_ = n_ >= blocked_from;
  double best = HUGE_VAL;
  std::size_t product = 1;
  for (std::size_t a = 0; a < radices_.size(); ++a) {
    const std::size_t other = n_ / product;
    const auto share = [&](std::size_t lanes) {
      return static_cast<double>(padded(lanes)) / static_cast<double>(lanes);
    };
    double cost = static_cast<double>(a) * share(other) + static_cast<double>(radices_.size() - a) * share(product) +
                  (a == 0 || (a == 1 && product == 8) ? 0.0 : 0.75);
    if (blocked_)
      cost += 10.0 * std::abs(std::log2(static_cast<double>(product)) - std::log2(static_cast<double>(other)));
    if (cost < best) {
      best = cost;
      split_ = a;
      n1_ = product;
    }
    product *= radices_[a];
  }
  n2_ = n_ / n1_;
  row_ = 2 * std::max(n2_ * padded(n1_), n1_ * padded(n2_));
  const std::size_t longer = std::max(n1_, n2_);
  block_ = blocked_ ? std::clamp<std::size_t>(8192 / longer / 8 * 8, 8, 32) : std::max(padded(n1_), padded(n2_));
  block_buffer_ = blocked_ ? 2 * longer * block_ : 0;
}

void OwnFft::make_twiddles() {
  const Roots roots(n_);
  std::size_t before = 1;
  for (std::size_t i = 0; i < radices_.size(); ++i) {
    const std::size_t r = radices_[i], m = n_ / before / r;
    Twiddles& shared = twiddles_.emplace_back();
    const bool last = i + 1 == radices_.size();
    if (!last && !(i < split_ && blocked_))
      for (std::size_t p = 0; p < m; ++p)
        for (std::size_t j = 1; j < r; ++j) {
          const Long w = roots(before * p * j);
          shared.push_back(static_cast<double>(w.real()));
          shared.push_back(static_cast<double>(w.imag()));
        }
    Twiddles& lanes = lane_twiddles_.emplace_back();
    if (i < split_)
      for (std::size_t p = 0; p < m / n2_; ++p)
        for (std::size_t b = 0; b < padded(n2_); b += W_)
          for (std::size_t j = 1; j < r; ++j)
            for (const bool imaginary : {false, true})
              for (std::size_t l = 0; l < W_; ++l) {
                const std::size_t column = b + lane_order(l, W_);
                const Long w = column < n2_ ? roots(before * (p * n2_ + column) * j) : Long(1);
                lanes.push_back(static_cast<double>(imaginary ? w.imag() : w.real()));
              }
    before *= r;
  }
}

// The passes before the split, for a block of columns from `first` on, turned into rows of n1.
void OwnFft::columns(std::size_t first, const double* in, const Ends& ends, double* turned, double* a,
                     double* b) const {
  const std::size_t wanted = std::min(block_, n2_ - first), lanes = padded(wanted), rows = padded(n1_);
  Pass pass{};
  pass.src = in + (ends.squares ? 4 : 2) * first;
  pass.src_pitch = n2_;
  pass.width = wanted;
  pass.twiddle_pitch = padded(n2_);
  pass.s = 1;
  if (split_ == 1 && radices_[0] == 8) {
    pass.dst = turned + 2 * first * rows;
    pass.twiddles = lane_twiddles_[0].data() + 14 * first;
    (ends.squares ? passes_.squares_corner : passes_.corner[ends.backward])(pass);
    return;
  }
  pass.m = n1_;
  pass.dst_pitch = lanes;
  for (std::size_t i = 0; i < split_; ++i) {
    const unsigned r = radices_[i];
    pass.m /= r;
    pass.dst = a;
    pass.twiddles = lane_twiddles_[i].data() + 2 * (r - 1) * first;
    (i > 0          ? passes_.lanes_middle[r]
     : ends.squares ? passes_.squares_lanes_first[r]
                    : passes_.lanes_first[ends.backward][r])(pass);
    pass.s *= r;
    pass.src = a;
    pass.src_pitch = pass.width = lanes;
    std::swap(a, b);
  }
  passes_.turn(turned + 2 * first * rows, rows, pass.src, n1_, lanes, wanted);
}

// The passes from `from` on, of a panel that comes in pairs or in blocks.
void OwnFft::shared(std::size_t from, const Panel& io, bool blocks, const Ends& ends, double* a, double* b) const {
  const std::size_t lanes = padded(io.width);
  std::size_t m = 1;
  for (std::size_t i = from; i < radices_.size(); ++i) m *= radices_[i];
  const std::size_t rows = m;
  Pass pass{};
  pass.src = io.in;
  pass.src_pitch = io.in_pitch;
  pass.width = blocks ? lanes : io.width;
  pass.dst_pitch = lanes;
  pass.s = 1;
  for (std::size_t i = from; i + 1 < radices_.size(); ++i) {
    const unsigned r = radices_[i];
    m /= r;
    pass.m = m;
    pass.dst = a;
    pass.twiddles = twiddles_[i].data();
    (i > from || blocks ? passes_.middle[r] : passes_.first[ends.backward][r])(pass);
    pass.src = a;  // rows that lie together are one long row
    pass.width = pass.src_pitch = pass.dst_pitch = lanes * (rows / m);
    std::swap(a, b);
  }
  const unsigned r = radices_.back();
  const bool as_one =
      io.width == lanes && io.out_pitch == lanes && (from + 1 < radices_.size() || io.in_pitch == lanes);
  pass.m = 1;
  pass.s = as_one ? 1 : rows / r;
  pass.width = as_one ? lanes * (rows / r) : io.width;
  if (as_one)
    pass.src_pitch = pass.dst_pitch = pass.width;
  else {
    pass.src_pitch = from + 1 < radices_.size() ? lanes : io.in_pitch;
    pass.dst_pitch = io.out_pitch;
  }
  pass.dst = io.out;
  pass.field = ends.times ? ends.times : ends.field;
  pass.c = ends.c;
  (ends.times   ? passes_.last_times[r]
   : ends.field ? passes_.last_response[ends.with_kerr][r]
                : passes_.last[ends.backward][r])(pass);
}

// What lies between the passes may lie in `out`, one row less in the cache: the passes after the split write the
// numbers that they have read. Not where rows are padded, or where `out` is a field of twice as many samples.
void OwnFft::row(const double* in, double* out, const Ends& ends, const FftScratch& scratch, unsigned worker) const {
  double* const work = scratch.of(worker);
  const std::size_t pitch = padded(n1_);
  const bool corner = split_ == 1 && radices_[0] == 8;
  const bool through_out =
      (corner || blocked_) && pitch == n1_ && !ends.field && reinterpret_cast<std::uintptr_t>(out) % 64 == 0;
  double* const turned = through_out && in != out ? out : work;
  if (split_ == 0) {
    shared(0, {in, 1, out, 1, 1}, false, ends, work, work + row_);
  } else if (!blocked_) {
    // A corner goes to `turned` at once; passes of columns go to and fro between two rows, and end in the other.
    double* const other = turned == out ? work : through_out ? out : work + row_;
    const bool even = split_ % 2 == 0;
    columns(0, in, ends, turned, even ? turned : other, even ? other : turned);
    shared(split_, {turned, pitch, out, n1_, n1_}, true, ends, other, turned);
  } else {
    const auto blocks = [&](std::size_t lanes) { return static_cast<std::uint32_t>((lanes + block_ - 1) / block_); };
    split_jobs(blocks(n2_), worker, [&](std::uint32_t i, unsigned by) {
      double* const a = scratch.of(by) + row_;
      columns(i * block_, in, ends, turned, a, a + block_buffer_);
    });
    split_jobs(blocks(n1_), worker, [&](std::uint32_t i, unsigned by) {
      double* const a = scratch.of(by) + row_;
      const std::size_t first = i * block_;
      Ends here = ends;
      if (here.times) here.times += 2 * first;
      if (here.field) here.field += 4 * first;
      shared(split_,
             {turned + 2 * first, pitch, out + (here.field ? 4 : 2) * first, n1_, std::min(block_, n1_ - first)}, true,
             here, a, a + block_buffer_);
    });
  }
}

std::size_t OwnFft::panel_work(std::size_t width) const noexcept {
  return blocked_ ? row_work() + 2 * n_ : std::max(row_work(), 4 * n_ * padded(width));
}

void OwnFft::panel(const Panel& io, bool backward, double* work) const {
  Ends ends;
  ends.backward = backward;
  shared(0, io, false, ends, work, work + 2 * n_ * padded(io.width));
}

// Long rows one by one: their passes are in blocks as it is.
void OwnFft::panel(const Panel& io, bool backward, const FftScratch& scratch, unsigned worker) const {
  double* const work = scratch.of(worker);
  if (!blocked_) return panel(io, backward, work);
  Ends ends;
  ends.backward = backward;
  double* const gathered = work + row_work();
  for (std::size_t i = 0; i < io.width; ++i) {
    for (std::size_t t = 0; t < n_; ++t) std::copy_n(io.in + 2 * (t * io.in_pitch + i), 2, gathered + 2 * t);
    row(gathered, gathered, ends, scratch, worker);
    for (std::size_t t = 0; t < n_; ++t) std::copy_n(gathered + 2 * t, 2, io.out + 2 * (t * io.out_pitch + i));
  }
}

Twiddles real_twiddles(std::size_t n) {
  const Roots roots(n);
  Twiddles out;
  for (std::size_t k = 0; k <= n / 4; ++k) {
    const Long w = roots(k) * Long(0, -1);
    out.push_back(static_cast<double>(w.real()));
    out.push_back(static_cast<double>(w.imag()));
  }
  return out;
}

}  // namespace lumarch::cpu
