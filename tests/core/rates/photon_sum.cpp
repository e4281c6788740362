// The reference numbers were computed by the definitions of physics.md, 7, with mpmath: 30 digits, hyp1f1, term by
// term.
#include "media/photon_sum.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "rates.hpp"

using namespace lumarch;
using test::far;

TEST_CASE("phi_m is Dawson's integral and its relatives") {
  struct Value {
    int m;
    double x, phi;
  };
  for (const Value& v : {Value{0, 0.03, 0.029982006478334046},
                         {0, 0.924, 0.54104421419986621},
                         {0, 4.99, 0.10234793983865855},
                         {0, 8.5, 0.05923937177997214},
                         {1, 0.03, 1.7987044997524385e-5},
                         {1, 1.3, 0.40864056307276487},
                         {1, 7.97, 0.06375984648097463},
                         {1, 9.5, 0.053229858035527414},
                         {2, 0.5, 0.013463657470898689},
                         {2, 6, 0.17426873082331907},
                         {3, 0.7, 0.024409159580355996},
                         {3, 8.2, 0.37739232035234014}}) {
    CAPTURE(v.m);
    CAPTURE(v.x);
    CHECK(std::abs(phi(v.m, v.x) / v.phi - 1) < 1e-13);
  }
  CHECK(phi(0, 0) == 0);
  CHECK(phi(2, 0) == 0);
  CHECK(far(phi(0, 1e200), 0.5e-200) < 1e-12);  // 1/(2 x)
  CHECK(std::isnan(phi(0, std::nan(""))));
  for (int m = 0; m <= highest_l; ++m)  // no jump where the far series takes over
    CHECK(std::abs(phi(m, std::nextafter(8, 9)) / phi(m, 8) - 1) < 1e-13);
}

TEST_CASE("the sum over photon numbers, short and long") {
  struct Value {
    int m;
    double alpha, beta, delta, sum;
  };
  for (const Value& v : {Value{0, 5, 1.9, 0.3, 0.1175519040621527},
                         {0, 0.7, 1.2, 0.01, 0.5362461621726445},
                         {0, 0.59, 1.2, 0.01, 0.6276634873500991},
                         {1, 0.3, 0.95, 0.5, 0.9718697896684974},
                         {0, 0.05, 0.6, 0, 4.571593615465019},
                         {1, 0.05, 0.6, 0, 4.350668391860295},
                         {3, 0.05, 0.6, 0.9, 22.28905610805508},
                         {0, 0.004, 0.36, 0.25, 23.15371698916664},
                         {2, 0.004, 0.36, 0.25, 45.18490837859959},
                         {0, 0.0005, 0.18, 0.6, 93.16718047106381}}) {
    CAPTURE(v.m);
    CAPTURE(v.alpha);
    const double sum = photon_sums(highest_l, v.alpha, v.beta, v.delta)[static_cast<std::size_t>(v.m)];
    CHECK(std::abs(sum / v.sum - 1) < 1e-11);
  }
  const PhotonSums few = photon_sums(1, 0.3, 0.95, 0.5);
  CHECK(far(few[1], 0.9718697896684974) < 1e-11);
  CHECK(few[2] == 0);
}

TEST_CASE("the integral is the mean of the sum over the distance to the channel") {
  for (const double alpha : {0.02, 0.5, 2.0}) {
    PhotonSums mean{};
    constexpr int points = 400;
    for (int i = 0; i < points; ++i) {  // midpoints in u, delta = u^2, for the square root at delta = 0
      const double u = (i + 0.5) / points;
      const PhotonSums sum = photon_sums(highest_l, alpha, 0.8, u * u);
      for (std::size_t m = 0; m < mean.size(); ++m) mean[m] += sum[m] * 2 * u / points;
    }
    const PhotonSums whole = photon_integrals(highest_l, alpha, 0.8);
    for (std::size_t m = 0; m < mean.size(); ++m) CHECK(far(whole[m], mean[m]) < 2e-5);
  }
}
