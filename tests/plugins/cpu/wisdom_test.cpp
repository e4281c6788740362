// SPDX-License-Identifier: Apache-2.0
// Kept plans: the same bits in every process, whatever happens to the file.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "support.hpp"

using namespace cpu_tests;
namespace fs = std::filesystem;

namespace {

struct Started {
  explicit Started(const std::string& arguments) : pipe(popen((LUMARCH_CPU_DIGEST " " + arguments).c_str(), "r")) {
    if (!pipe) throw std::runtime_error("popen failed");
  }
  // The output; waits for the end.
  std::string result() {
    std::string text;
    std::array<char, 256> part{};
    while (std::fgets(part.data(), part.size(), pipe)) text += part.data();
    const int status = pclose(pipe);
    return status == 0 ? text : "failed: " + text;
  }
  FILE* pipe;
};

std::string digest(const std::string& arguments) { return Started(arguments).result(); }

std::string wisdom_in(const std::string& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".wisdom") return entry.path().string();
  return "";
}

std::string text_of(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("fresh processes with one cache get the same bits, with one thread and with two") {
  const Folder cache;
  const std::string first = digest(cache.path + "/not/yet measure 1");
  REQUIRE(first.find("digest") != std::string::npos);
  CHECK(first.find("making FFT plans") != std::string::npos);
  const std::string line = first.substr(first.find("digest"));
  for (const char* threads : {"1", "2"}) CHECK(digest(cache.path + "/not/yet measure " + threads) == line);
}

TEST_CASE("two processes that plan at once get the same bits") {
  const Folder cache;
  Started a(cache.path + " measure 1"), b(cache.path + " measure 2");
  const std::string x = a.result(), y = b.result();
  REQUIRE(x.find("digest") != std::string::npos);
  REQUIRE(y.find("digest") != std::string::npos);
  CHECK(x.substr(x.find("digest")) == y.substr(y.find("digest")));
}

TEST_CASE("a file that is no wisdom is said to be so, and replaced") {
  const Folder cache;
  const std::string before = digest(cache.path + " measure 1");
  const std::string file = wisdom_in(cache.path), good = text_of(file);
  REQUIRE(!good.empty());
  for (const std::string& bad : {std::string("rubbish"), std::string(), good.substr(0, good.size() / 2)}) {
    std::ofstream(file, std::ios::trunc) << bad;
    const std::string again = digest(cache.path + " measure 1");
    CHECK(again.find("not readable") != std::string::npos);
    CHECK(again.find("digest") != std::string::npos);
    CHECK(text_of(file).find("fftw_codelet") != std::string::npos);
    const std::string after = digest(cache.path + " measure 1");
    CHECK(after == again.substr(again.find("digest")));
  }
  for (const auto& entry : fs::directory_iterator(cache.path)) CHECK(entry.path().extension() != ".new");
}

TEST_CASE("without a place for plans they are estimated, and that is said once") {
  const std::string none = digest("- measure 1"), file = digest("/dev/null measure 1");
  CHECK(none.find("no cache directory") != std::string::npos);
  CHECK(file.find("cannot be written") != std::string::npos);
  CHECK(file.find("cannot be written") == file.rfind("cannot be written"));
  const std::string estimated = digest("- estimate 2");
  CHECK(estimated.find("digest") == 0);
  CHECK(none.substr(none.find("digest")) == estimated);
  CHECK(file.substr(file.find("digest")) == estimated);
}

TEST_CASE("a device that estimates is not changed by one that measured, nor is the process's own wisdom") {
  const Folder cache;
  const driver::Host host(cache.path);
  const auto transformed = [&](const char* effort) {
    const driver::Device device(plugin(), host, {{"threads", "1"}, {"plan", effort}});
    const std::int64_t n = 1573;
    driver::Array<Complex> x(device, 1, n), y(device, 1, n);
    x.put(random_values<Complex>(x.size, 1));
    const driver::Members members(device, 1);
    driver::List list(device, members);
    list.add("fft.exec", {y.view, x.view}, {device.fft(LM_FFT_C2C, n, LM_FFT_FORWARD)});
    device.check(list.each());
    return y.get();
  };
  const auto before = transformed("estimate"), measured = transformed("measure"), patient = transformed("patient");
  CHECK(same_bits(before, transformed("estimate")));
  CHECK(same_bits(patient, transformed("patient")));
  CHECK(host.logged(LM_LOG_INFO, "making FFT plans for n = 1573") == 2);
}

TEST_CASE("for own lengths nothing is planned or kept, and whoever asks for a plan is told so once") {
  const Folder cache;
  const driver::Host host(cache.path);
  std::vector<std::vector<Complex>> results;
  for (const char* effort : {"estimate", "measure", "patient"}) {
    const driver::Device device(plugin(), host, {{"threads", "1"}, {"plan", effort}});
    const std::int64_t n = 1536;
    driver::Array<Complex> x(device, 1, n), y(device, 1, n);
    x.put(random_values<Complex>(x.size, 1));
    const driver::Members members(device, 1);
    driver::List list(device, members);
    list.add("fft.exec", {y.view, x.view}, {device.fft(LM_FFT_C2C, n, LM_FFT_FORWARD)});
    list.add("fft.exec", {y.view, y.view}, {device.fft(LM_FFT_C2C, n, LM_FFT_BACKWARD, true)});
    device.check(list.each());
    results.push_back(y.get());
  }
  for (const auto& result : results) CHECK(same_bits(result, results[0]));
  CHECK(host.logged(LM_LOG_INFO, "n = 1536 needs no FFT plans") == 2);  // not where estimates were asked for
  CHECK(host.logged(LM_LOG_INFO, "making FFT plans") == 0);
  CHECK(wisdom_in(cache.path).empty());
}
