// core.lincomb 2 and reduce.error 2 on every backend that is there, against the same sums made here.
#include <doctest/doctest.h>

#include <random>

#include "backend/program.hpp"
#include "fibre.hpp"

using namespace lumarch;
using namespace lumarch::test;

namespace {

using Complex = std::complex<double>;

constexpr std::uint32_t members = 5, n_scales = 3;
const RowShape shape{37, 3, 1, 2};
const std::vector<lm_term> terms = {{1.5, 0, 0}, {-0.5, 1, 3}, {0.25, 0, 1}, {2, 1, 0}, {0.75, 1, 3}};

struct Sums {
  Device device;
  std::vector<RowBlock> rows;                             // out, then the terms'
  std::vector<std::vector<std::vector<Complex>>> values;  // by row block and member
  MemberBlock block;

  explicit Sums(const std::string& backend)
      : device(load_backend(backend, {{LUMARCH_BACKEND_DIR}, {}}), request(backend)),
        block(device, members, 4, n_scales) {
    std::mt19937_64 bits(7);
    std::uniform_real_distribution<double> number(-1, 1);
    for (std::size_t j = 0; j <= terms.size(); ++j) {
      RowBlock& row = rows.emplace_back(device, RowBlock::Kind::own, members, shape, LM_C128, 2, "row");
      auto& of_row = values.emplace_back();
      for (std::uint32_t m = 0; m < members; ++m) {
        auto& all = of_row.emplace_back(static_cast<std::size_t>(shape.rows() * shape.samples));
        for (Complex& x : all) x = {number(bits), number(bits)};
        row.upload(device, m, m % 2, all, "test");
      }
    }
    for (std::uint32_t m = 0; m < members; ++m) {
      block.h[m] = number(bits);
      block.parity[m] = m % 2;
      block.status[m] = m == 3 ? LM_DONE : LM_RUNNING;
    }
    for (double& scale : block.scales) scale = number(bits);
  }
  static BackendRequest request(const std::string& backend) {
    BackendRequest out;
    out.name = backend;
    if (backend == "cpu") out.threads = 2;
    return out;
  }
  void run(const char* kernel, std::vector<lm_term> of, std::uint32_t slot) {
    lm_p_combine p{};
    p.struct_size = sizeof p;
    p.n = static_cast<std::uint32_t>(of.size());
    std::copy(of.begin(), of.end(), p.term);
    p.slot = slot;
    std::vector<lm_view> views;
    for (const RowBlock& row : rows) views.push_back(row.view());
    Program program;
    program.add(device.need(kernel, 2), std::move(views), &p, sizeof p, std::initializer_list<const Plan*>{});
    const RowBlock work(device, RowBlock::Kind::scratch, members, 1, LM_U8, 1, "work area");
    program.bind(device, block.view(), work);
    block.upload(device);
    program.run();
    block.download(device);
  }
  [[nodiscard]] Complex expected(std::uint32_t m, std::size_t i) const {
    Complex sum = 0;
    for (std::size_t j = 0; j < terms.size(); ++j) {
      double c = terms[j].c * (terms[j].hpow ? block.h[m] : 1);
      if (terms[j].level) c *= block.scales[m * n_scales + static_cast<std::size_t>(terms[j].level) - 1];
      sum += c * values[j + 1][m][i];
    }
    return sum;
  }
};

std::vector<std::string> backends() {
  std::vector<std::string> out;
  for (const char* name : {"reference", "cpu", "emulated"})
    if (std::filesystem::exists(LUMARCH_BACKEND_DIR "/liblumarch_backend_" + std::string(name) + ".so"))
      out.emplace_back(name);
  return out;
}

}  // namespace

TEST_CASE("core.lincomb 2: each term has the factor of its member, and members that are done stay as they are") {
  for (const std::string& backend : backends()) {
    CAPTURE(backend);
    Sums s(backend);
    s.run("core.lincomb", terms, 0);
    for (std::uint32_t m = 0; m < members; ++m) {
      std::vector<Complex> out;
      s.rows[0].download(s.device, m, m % 2, out, "test");
      double worst = 0;
      for (std::size_t i = 0; i < out.size(); ++i)
        worst = std::max(worst, std::abs(out[i] - (m == 3 ? s.values[0][m][i] : s.expected(m, i))));
      CHECK(worst < 1e-14);
    }
  }
}

TEST_CASE("reduce.error 2: the same sum's norm, and that of the field") {
  for (const std::string& backend : backends()) {
    CAPTURE(backend);
    Sums s(backend);
    s.run("reduce.error", terms, 1);
    for (const std::uint32_t m : {0u, 1u, 2u, 4u}) {
      double error = 0, field = 0;
      for (std::size_t i = 0; i < s.values[0][m].size(); ++i) {
        error += std::norm(s.expected(m, i));
        field += std::norm(s.values[0][m][i]);
      }
      CHECK(s.block.number(m, 1) / error == doctest::Approx(1).epsilon(1e-12));
      CHECK(s.block.number(m, 2) / field == doctest::Approx(1).epsilon(1e-12));
    }
  }
}

TEST_CASE("core.lincomb 2 refuses a factor that the member block does not have") {
  for (const std::string& backend : backends()) {
    CAPTURE(backend);
    Sums s(backend);
    for (const std::int32_t scale : {-1, 4}) {
      std::vector<lm_term> wrong = terms;
      wrong[1].level = scale;
      CHECK_THROWS_WITH_AS(s.run("core.lincomb", wrong, 0), doctest::Contains("scale"), Error);
    }
  }
}
