// SPDX-License-Identifier: Apache-2.0
// FFTW is under the GPL, and so is the plugin's binary with it (lumarch's own source is Apache-2.0).
#include "fft.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include <lumarch/sdk/fault.hpp>

#include "jobs.hpp"

namespace lumarch::cpu {
namespace {

using sdk::Fault;

struct Free {
  void operator()(double* p) const noexcept { std::free(p); }
};
using Row = std::unique_ptr<double[], Free>;

Row make_row(std::int64_t doubles) {
  const auto bytes = (static_cast<std::size_t>(doubles) * sizeof(double) + 63) / 64 * 64;
  Row row(static_cast<double*>(std::aligned_alloc(64, bytes)));
  if (!row) throw Fault(LM_E_NOMEM, "no memory to plan a transform in");
  return row;
}

void check(const lm_fft_desc& d) {
  if (d.kind != LM_FFT_C2C && d.kind != LM_FFT_R2C && d.kind != LM_FFT_C2R)
    throw Fault(LM_E_ARG, "unknown kind of transform");
  if (d.n < 1 || d.n > longest_transform)
    throw Fault(LM_E_ARG, "a transform of " + std::to_string(d.n) + " samples; 1 to 2^26 are possible");
  if (d.dtype == LM_C64) throw Fault(LM_E_UNSUPPORTED, "no transforms in single precision");
  if (d.dtype != LM_C128) throw Fault(LM_E_ARG, "the complex side of a transform is c128");
  if (d.direction != LM_FFT_FORWARD && d.direction != LM_FFT_BACKWARD)
    throw Fault(LM_E_ARG, "the direction of a transform is -1 or 1");
  if ((d.kind == LM_FFT_R2C && d.direction != LM_FFT_FORWARD) ||
      (d.kind == LM_FFT_C2R && d.direction != LM_FFT_BACKWARD))
    throw Fault(LM_E_ARG, "real to complex is FORWARD, complex to real BACKWARD");
  if (d.kind != LM_FFT_C2C && d.in_place) throw Fault(LM_E_UNSUPPORTED, "real transforms are out of place");
}

fftw_complex* complex(double* p) { return reinterpret_cast<fftw_complex*>(p); }

// Plans for FFTW's jobs where the transform is long; what was set before is put back.
class JobsScope {
public:
  explicit JobsScope(std::int64_t n) : before_(fftw_planner_nthreads()) {
    fftw_plan_with_nthreads(n >= shared_from ? jobs : 1);
  }
  ~JobsScope() { fftw_plan_with_nthreads(before_); }
  JobsScope(const JobsScope&) = delete;
  JobsScope& operator=(const JobsScope&) = delete;

private:
  int before_;
};

fftw_plan make_plan(const lm_fft_desc& d, double* in, double* out, unsigned flags) {
  const int n = static_cast<int>(d.n);
  if (!d.in_place) flags |= d.destroys_input ? FFTW_DESTROY_INPUT : FFTW_PRESERVE_INPUT;
  switch (d.kind) {
    case LM_FFT_R2C:
      return fftw_plan_dft_r2c_1d(n, in, complex(out), flags);
    case LM_FFT_C2R:
      return fftw_plan_dft_c2r_1d(n, complex(in), out, flags);
    default:
      return fftw_plan_dft_1d(n, complex(in), complex(out), d.direction, flags);
  }
}

std::string words(const lm_fft_desc& d) {
  const char* kind = d.kind == LM_FFT_C2C   ? (d.direction < 0 ? "complex, forward" : "complex, backward")
                     : d.kind == LM_FFT_R2C ? "real to complex"
                                            : "complex to real";
  return "n = " + std::to_string(d.n) + " (" + kind + ")";
}

}  // namespace

void Fft::Destroy::operator()(fftw_plan_s* plan) const noexcept { fftw_destroy_plan(plan); }

Fft::Fft(const Host& host, WisdomFile& wisdom, Effort effort, OwnPlans& own, const lm_fft_desc& desc)
    : desc_(desc), host_(host), plans_(own) {
  check(desc_);
  if (own.serve(desc_.n)) {
    plan_own();
    if ((effort == Effort::measure || effort == Effort::patient) && own.tell_once(desc_.n))
      host.log(LM_LOG_INFO,
               "n = " + std::to_string(desc_.n) +
                   " needs no FFT plans: lumarch has its own transform for it, nothing is planned or kept");
    return;
  }
  const std::int64_t doubles = 2 * (desc_.n / 2 + 1);
  const Row in = make_row(desc_.kind == LM_FFT_C2C ? 2 * desc_.n : doubles);
  const Row other = desc_.in_place ? nullptr : make_row(desc_.kind == LM_FFT_C2C ? 2 * desc_.n : doubles);
  double* out = desc_.in_place ? in.get() : other.get();
  const auto plan = [&](unsigned flags) { plan_.reset(make_plan(desc_, in.get(), out, flags)); };

  const PlannerScope planner(host);
  const JobsScope scope(desc_.n);
  if (effort != Effort::estimate) {
    const unsigned flags = effort == Effort::patient ? FFTW_PATIENT : FFTW_MEASURE;
    wisdom.load();
    plan(flags | FFTW_WISDOM_ONLY);
    if (plan_) return;
    // Measuring a long length takes minutes in which FFTW listens to nobody: that is for those who ask for it.
    const bool too_long = effort == Effort::automatic && desc_.n > measured_by_default;
    std::optional<WisdomFile::Lock> lock;
    if (!too_long) lock.emplace(wisdom);
    if (lock && lock->held()) {
      wisdom.load();  // another process may have planned it while we waited
      plan(flags | FFTW_WISDOM_ONLY);
      if (plan_) return;
      // FFTW listens to nobody while it measures: before it begins is the last time to ask.
      if (host.stopped()) throw Fault(LM_E_CANCELLED, "stopped before plans for " + words(desc_) + " were made");
      host.log(LM_LOG_INFO, "making FFT plans for " + words(desc_) + ", kept in " + wisdom.path());
      plan(flags);
      if (plan_ && wisdom.save()) return;
      plan_.reset();
      fftw_forget_wisdom();
    }
    if (too_long)
      host.log(LM_LOG_INFO, "FFT plans for " + words(desc_) + " are estimated; lumarch tune " +
                                std::to_string(desc_.n) + " makes faster ones, in some minutes, and keeps them");
    else
      wisdom.say_not_kept();
  }
  plan(FFTW_ESTIMATE);
  if (!plan_) throw Fault(LM_E_UNSUPPORTED, "FFTW makes no plan for " + words(desc_));
}

void Fft::run(double* in, double* out, unsigned worker) const {
  if (!aligned(in) || !aligned(out))
    throw Fault(LM_E_ARG, "a row to be transformed does not begin at a multiple of 64 bytes");
  if ((in == out) != (desc_.in_place != 0))
    throw Fault(LM_E_ARG,
                desc_.in_place ? "the plan is for a transform in place" : "the plan is for a transform out of place");
  if (own_) return run_own(in, out, worker);
  switch (desc_.kind) {
    case LM_FFT_R2C:
      fftw_execute_dft_r2c(plan_.get(), in, complex(out));
      break;
    case LM_FFT_C2R:
      fftw_execute_dft_c2r(plan_.get(), complex(in), out);
      break;
    default:
      fftw_execute_dft(plan_.get(), complex(in), complex(out));
      break;
  }
}

}  // namespace lumarch::cpu
