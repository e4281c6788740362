// SPDX-License-Identifier: Apache-2.0
#include "reads/aperture.hpp"

namespace lumarch {

bool passes(const Aperture& a, double x, double y) {
  const double dx = x - a.x, dy = y - a.y;
  switch (a.shape) {
    case Aperture::Shape::circle:
      return dx * dx + dy * dy <= a.a * a.a;
    case Aperture::Shape::ellipse: {
      const double u = dx / a.a, v = dy / a.b;
      return u * u + v * v <= 1;
    }
    case Aperture::Shape::rectangle:
      return dx <= a.a && -dx <= a.a && dy <= a.b && -dy <= a.b;
    case Aperture::Shape::half_plane:
      return a.normal[0] * x + a.normal[1] * y >= a.a;
  }
  return false;
}

NodeMask mask_of(const Aperture& aperture, const Transverse& nodes) {
  const bool far = aperture.plane == Aperture::Plane::far_field;
  std::vector<double> mask;
  for (std::int64_t y = 0; y < nodes.outer(); ++y)
    for (std::int64_t x = 0; x < nodes.inner(); ++x)
      mask.push_back(passes(aperture, far ? nodes.kx(x) : nodes.x(x), far ? nodes.ky(y) : nodes.y(y)) ? 1.0 : 0.0);
  return std::make_shared<const std::vector<double>>(std::move(mask));
}

}  // namespace lumarch
