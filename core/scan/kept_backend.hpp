// SPDX-License-Identifier: Apache-2.0
// The backend that points marched one after the other share: kept while the next point can use it, closed before one
// that cannot is opened.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include <lumarch/backends.hpp>
#include <lumarch/problem.hpp>

#include "backend/device.hpp"
#include "backend/load_plugin.hpp"

namespace lumarch {

class KeptBackend {
public:
  KeptBackend(BackendSearch search, Host::Poll stop) : search_(std::move(search)), stop_(std::move(stop)) {}

  // An open device as the request says. Throws Error where there is none; then none is held.
  [[nodiscard]] Device& for_request(const BackendRequest& request) {
    if (device_ && same(request, request_)) return *device_;
    close();
    device_ = std::make_unique<Device>(load_backend(request.name, search_), request, search_.log, stop_);
    request_ = request;
    ++opened_;
    return *device_;
  }
  void close() { device_.reset(); }
  [[nodiscard]] std::size_t opened() const { return opened_; }

private:
  static bool same(const BackendRequest& a, const BackendRequest& b) {
    return a.name == b.name && a.device == b.device && a.threads == b.threads && a.plan == b.plan;
  }

  BackendSearch search_;
  Host::Poll stop_;
  BackendRequest request_;
  std::unique_ptr<Device> device_;
  std::size_t opened_ = 0;
};

}  // namespace lumarch
