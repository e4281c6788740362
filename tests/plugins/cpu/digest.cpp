// SPDX-License-Identifier: Apache-2.0
// Prints what the log says and a digest of transforms of several lengths, FFTW's (550, 6006) and our own: what tests
// compare between processes.
// Arguments: cache directory or "-", plan, threads.
#define DOCTEST_CONFIG_IMPLEMENT  // the shared header names it; nothing is tested here
#include <cstdio>
#include <cstring>

#include "support.hpp"

int main(int argc, char** argv) {
  using namespace cpu_tests;
  if (argc != 4) return 2;
  const driver::Host host(std::strcmp(argv[1], "-") == 0 ? "" : argv[1]);
  std::uint64_t hash = 14695981039346656037u;
  {
    const driver::Device device(plugin(), host, {{"threads", argv[3]}, {"plan", argv[2]}});
    for (const std::int64_t n : {550, 4096, 6006}) {
      driver::Array<Complex> x(device, 1, n), y(device, 1, n), half(device, 1, n / 2 + 1);
      driver::Array<double> real(device, 1, n);
      x.put(random_values<Complex>(x.size, 1));
      real.put(random_values<double>(real.size, 2));
      const driver::Members members(device, 1);
      driver::List list(device, members);
      list.add("fft.exec", {y.view, x.view}, {device.fft(LM_FFT_C2C, n, LM_FFT_FORWARD)});
      list.add("fft.exec", {y.view, y.view}, {device.fft(LM_FFT_C2C, n, LM_FFT_BACKWARD, true)});
      list.add("fft.exec", {half.view, real.view}, {device.fft(LM_FFT_R2C, n, LM_FFT_FORWARD)});
      list.add("fft.exec", {real.view, half.view}, {device.fft(LM_FFT_C2R, n, LM_FFT_BACKWARD, false, true)});
      device.check(list.run());
      const auto add = [&](const auto& values) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
        for (std::size_t i = 0; i < values.size() * sizeof values[0]; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
      };
      add(y.row(0));
      add(real.row(0));
    }
  }
  for (const char* words : {"making FFT plans", "not readable", "no cache directory", "cannot be written"})
    for (int i = host.logged(LM_LOG_INFO, words) + host.logged(LM_LOG_WARN, words); i > 0; --i) std::puts(words);
  std::printf("digest %016llx\n", static_cast<unsigned long long>(hash));
  return 0;
}
