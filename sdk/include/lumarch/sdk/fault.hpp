// SPDX-License-Identifier: Apache-2.0
// How a plugin fails inside: by throwing Fault; and how nothing of that crosses the ABI: fence().
#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include <lumarch/abi.h>

namespace lumarch::sdk {

class Fault : public std::runtime_error {
public:
  Fault(lm_status status, const std::string& text) : std::runtime_error(text), status_(status) {}
  [[nodiscard]] lm_status status() const noexcept { return status_; }

private:
  lm_status status_;
};

// Runs body; what it throws becomes a status, and its text goes to note(const char*), which must not throw.
template <class Note, class Body>
lm_status fence(Note&& note, Body&& body) noexcept {
  try {
    body();
    return LM_OK;
  } catch (const Fault& fault) {
    note(fault.what());
    return fault.status();
  } catch (const std::bad_alloc&) {
    note("out of memory");
    return LM_E_NOMEM;
  } catch (const std::exception& other) {
    note(other.what());
    return LM_E_INTERNAL;
  } catch (...) {
    note("unknown exception");
    return LM_E_INTERNAL;
  }
}

}  // namespace lumarch::sdk
