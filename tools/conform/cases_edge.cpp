// SPDX-License-Identifier: Apache-2.0
// Edge readers that the candidate, or a file of kernels beside it, registers: edge.readers, against sums made here.
#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

#include <lumarch/abi_params.h>

#include "backend/program.hpp"
#include "cases.hpp"
#include "open_device.hpp"

namespace lumarch::conform {

namespace {

using Complex = std::complex<double>;

// Fields of some members in two banks.
class Fields {
public:
  Fields(Device& device, std::uint32_t members, std::int64_t n, std::uint64_t seed)
      : device_(device),
        n_(n),
        rows_(device, RowBlock::Kind::own, members, n, LM_C128, 2, "field"),
        block_(device, members, 1) {
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> number;
    for (std::uint32_t bank = 0; bank < 2; ++bank)
      for (std::uint32_t m = 0; m < members; ++m) {
        auto& row = values_.emplace_back(static_cast<std::size_t>(n));
        for (Complex& value : row) value = {number(engine), number(engine)};
        rows_.upload(device, m, bank, row, "field");
      }
    block_.set_active(members);
  }
  [[nodiscard]] MemberBlock& block() { return block_; }
  [[nodiscard]] const std::vector<Complex>& row(std::uint32_t member, std::uint32_t bank) const {
    return values_[bank * block_.count() + member];
  }

  lm_status read(lm_edge_fn fn, const lm_edge_request& request, double dt, std::vector<double>& out) {
    block_.upload(device_);
    const lm_p_edge params{sizeof params, 0, dt};
    const lm_view view = rows_.view();
    lm_call call{};
    call.struct_size = sizeof call;
    call.n_views = 1;
    call.views = &view;
    call.members = block_.view();
    call.exec = device_.exec();
    call.params = &params;
    call.params_size = sizeof params;
    return fn(device_.handle(), &call, &request, out.data(), out.size());
  }

private:
  Device& device_;
  std::int64_t n_;
  RowBlock rows_;
  MemberBlock block_;
  std::vector<std::vector<Complex>> values_;
};

// The products are rounded one by one: a sample on the boundary is in the rim wherever this is compiled.
std::vector<bool> rim_of(std::int64_t n, double dt, double fraction) {
  const double half = static_cast<double>(n) * dt / 2, from = (1 - fraction) * half;
  std::vector<bool> inside;
  for (std::int64_t s = 0; s < n; ++s) {
    const double u = static_cast<double>(s - n / 2) * dt;
    inside.push_back(u * u >= from * from);
  }
  return inside;
}

std::vector<double> expected(const std::vector<Complex>& row, double dt, const std::vector<bool>& inside, bool strip) {
  double all = 0, rim = 0, most = 0, most_in_rim = 0;
  std::vector<double> out(3);
  for (std::size_t s = 0; s < row.size(); ++s) {
    const double power = std::norm(row[s]);
    all += power;
    most = std::max(most, power);
    if (!inside[s]) continue;
    rim += power;
    most_in_rim = std::max(most_in_rim, power);
    if (strip) out.push_back(power * dt);
  }
  out[0] = rim / all;
  out[1] = rim * dt;
  out[2] = most_in_rim / most;
  return out;
}

struct Asked {
  std::int64_t n;
  std::uint32_t members;
  double fraction;
  bool strip;
  std::uint32_t bank;
};

std::string words(const Asked& a) {
  return "n " + std::to_string(a.n) + ", members " + std::to_string(a.members) + ", rim " + std::to_string(a.fraction) +
         (a.strip ? ", with its strip" : "") + ", bank " + std::to_string(a.bank) + ": ";
}

constexpr double untouched = -7;

// Nothing to be said of a reader that takes no field in time.
bool check(Device& device, lm_edge_fn fn, const Asked& asked, std::uint64_t seed) {
  Fields fields(device, asked.members, asked.n, seed);
  const double dt = 0.25e-15;
  if (asked.members > 1) fields.block().status[1] = LM_DONE;
  for (std::uint32_t m = 0; m < asked.members; ++m) fields.block().parity[m] = m == 2 ? 1 : 0;
  const std::vector<bool> inside = rim_of(asked.n, dt, asked.fraction);
  const auto samples = static_cast<std::size_t>(std::count(inside.begin(), inside.end(), true));
  const std::size_t each = 3 + (asked.strip ? samples : 0);
  std::vector<double> out(each * asked.members, untouched);
  lm_edge_request request{sizeof request, LM_AXES, static_cast<std::int32_t>(asked.bank), asked.strip ? 1 : 0,
                          asked.fraction};
  const lm_status status = fields.read(fn, request, dt, out);
  if (status == LM_E_UNSUPPORTED) return false;
  expect(status == LM_OK, words(asked) + "it answers " + status_text(status));
  for (std::uint32_t m = 0; m < asked.members; ++m) {
    const std::uint32_t bank = asked.bank ^ (m == 2 ? 1u : 0u);
    const std::vector<double> right =
        m == 1 ? std::vector<double>(each, untouched) : expected(fields.row(m, bank), dt, inside, asked.strip);
    for (std::size_t i = 0; i < each; ++i) {
      const double have = out[m * each + i];
      expect(std::abs(have - right[i]) <= 1e-12 * std::abs(right[i]),
             words(asked) + "number " + std::to_string(i) + " of member " + std::to_string(m) + " is " +
                 std::to_string(have) + ", not " + std::to_string(right[i]));
    }
  }
  std::vector<double> small(each * asked.members - 1, untouched);
  expect(fields.read(fn, request, dt, small) == LM_E_ARG, words(asked) + "too small a place is not LM_E_ARG");
  request.axis = LM_AXIS_SAMPLE;
  expect(fields.read(fn, request, dt, out) == LM_E_UNSUPPORTED, words(asked) + "another axis is not LM_E_UNSUPPORTED");
  for (const double value : small) expect(value == untouched, words(asked) + "it writes where it refuses");
  return true;
}

void readers(const Context& context) {
  const LoadedBackend& backend = context.candidate();
  if (backend.table.edge_readers.empty()) throw Skipped("there is no edge reader");
  (void)OpenDevice(backend, {});  // skips where there is no device
  Device device(backend, {backend.name, 0, 0, {}});
  std::uint64_t seed = context.seed;
  std::string others;
  for (const auto& [key, entry] : backend.table.edge_readers) {
    bool takes = true;
    for (const std::int64_t n : {2, 7, 40, 97, 1000})
      for (const std::uint32_t members : {1u, 3u})
        for (const double fraction : {0.05, 0.5, 1.0})
          for (const bool strip : {false, true})
            for (const std::uint32_t bank : {0u, 1u}) {
              if (!takes) continue;
              try {
                takes = check(device, entry.fn, {n, members, fraction, strip, bank}, ++seed);
              } catch (const Failed& failed) {
                throw Failed(key.first + " " + std::to_string(key.second) + ": " + failed.what());
              }
            }
    if (!takes) others += (others.empty() ? "" : ", ") + key.first;
  }
  if (!others.empty()) throw Skipped("they take no field in time: " + others);
}

}  // namespace

void add_edge_cases(std::vector<Case>& to) { to.push_back({"edge.readers", 20, &readers}); }

}  // namespace lumarch::conform
