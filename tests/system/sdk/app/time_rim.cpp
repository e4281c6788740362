// SPDX-License-Identifier: Apache-2.0
// time_rim CPU_PLUGIN KERNELS_PLUGIN: calls the template's edge reader on a device of the CPU backend, by the ABI
// alone, against numbers made by hand.
#include <dlfcn.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/abi_params.h>

namespace {

int faults = 0;

void expect(bool good, const char* what) {
  std::printf("%s %s\n", good ? "ok  " : "FAIL", what);
  faults += good ? 0 : 1;
}

const lm_plugin* plugin_of(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  return library ? static_cast<const lm_plugin*>(dlsym(library, LM_PLUGIN_SYMBOL)) : nullptr;
}

lm_status no_kernel(void*, const char*, const char*, uint32_t, lm_kernel_fn) noexcept { return LM_OK; }
lm_status no_observer(void*, const char*, const char*, uint32_t, lm_observe_fn) noexcept { return LM_OK; }
lm_status take_reader(void* ctx, const char* for_backend, const char* name, uint32_t, lm_edge_fn fn) noexcept {
  if (std::strcmp(for_backend, "cpu") == 0 && std::strcmp(name, "edge.org.example.time_rim") == 0)
    *static_cast<lm_edge_fn*>(ctx) = fn;
  return LM_OK;
}

bool near(double value, double wanted) { return std::abs(value - wanted) <= 1e-14 * std::abs(wanted); }

// Fields in time in two banks, and a member block, on the device.
class Fields {
public:
  Fields(const lm_device_api& api, lm_device* device, std::uint32_t count, std::int64_t n)
      : api_(api), device_(device), n_(n), values_(2 * count * static_cast<std::size_t>(n)), block_(count * 32) {
    api.alloc(device, values_.size() * 16, &view_.buffer);
    api.alloc(device, block_.size(), &members_.block);
    const std::int64_t extents[] = {count, 1, 1, 1, n}, pitches[] = {n, 0, 0, 0, 1};
    std::memcpy(view_.extent, extents, sizeof extents);
    std::memcpy(view_.pitch, pitches, sizeof pitches);
    view_.bank = count * static_cast<std::uint64_t>(n);
    view_.dtype = LM_C128;
    members_ = {sizeof members_, count,      count,      0, 0, 0, members_.block, 0, 8 * count, 16 * count,
                20 * count,      24 * count, 28 * count, 0, 0, 0};
    for (std::uint32_t m = 0; m < count; ++m) {
      std::memcpy(&block_[members_.active + 4 * m], &m, 4);
      block_[members_.status + m] = LM_RUNNING;
    }
  }
  std::complex<double>& at(std::uint32_t bank, std::uint32_t member, std::int64_t sample) {
    return values_[(bank * members_.count + member) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(sample)];
  }
  void set_status(std::uint32_t member, unsigned char status) { block_[members_.status + member] = status; }

  lm_status read(lm_edge_fn reader, const lm_edge_request& request, double dt, std::vector<double>& out) {
    api_.upload(device_, view_.buffer, 0, values_.data(), values_.size() * 16);
    api_.upload(device_, members_.block, 0, block_.data(), block_.size());
    const lm_p_edge params = {sizeof params, 0, dt};
    const lm_call call = {sizeof call,   1, &view_,  &members_, api_.exec(device_), &params,
                          sizeof params, 0, nullptr, nullptr};
    return reader(device_, &call, &request, out.data(), out.size());
  }

private:
  const lm_device_api& api_;
  lm_device* device_;
  std::int64_t n_;
  std::vector<std::complex<double>> values_;
  std::vector<unsigned char> block_;
  lm_view view_{};
  lm_members members_{};
};

// Eight samples 0.5 s apart, u = -2 ... 1.5 s: the outer half of the window is u^2 >= 1, samples 0, 1, 2, 6 and 7.
void by_hand(const lm_device_api& api, lm_device* device, lm_edge_fn reader) {
  Fields fields(api, device, 3, 8);
  const std::complex<double> A[8] = {{1, 0}, {1, -1}, {0, 2}, {3, 0}, {3, 4}, {-2, 1}, {0, 0}, {1, 3}};
  for (int s = 0; s < 8; ++s) {
    fields.at(0, 0, s) = A[s];  // powers 1 2 4 9 25 5 0 10: the rim has 17 of 56, at most 10 of 25
    fields.at(0, 2, s) = 1;     // an even field: 5 of 8
    fields.at(1, 0, s) = s == 3 ? 1 : 0;
  }
  fields.set_status(1, LM_DONE);
  lm_edge_request request = {sizeof request, LM_AXES, 0, 0, 0.5};
  std::vector<double> out(9, -7);
  expect(fields.read(reader, request, 0.5, out) == LM_OK, "three members are read");
  expect(near(out[0], 17.0 / 56) && near(out[1], 8.5) && near(out[2], 0.4), "share, energy and peak");
  expect(out[3] == -7 && out[4] == -7 && out[5] == -7, "a member that is done is left out");
  expect(near(out[6], 0.625) && near(out[7], 2.5) && near(out[8], 1), "each member has its own numbers");
  out.resize(8);
  expect(fields.read(reader, request, 0.5, out) == LM_E_ARG, "too small a place is refused");
  request.strip = 1;
  out.assign(3 * 8, -7);
  expect(fields.read(reader, request, 0.5, out) == LM_OK, "the strip is read");
  const double strip[5] = {0.5, 1, 2, 0, 5};
  bool same = near(out[0], 17.0 / 56);
  for (int i = 0; i < 5; ++i) same = same && near(out[static_cast<std::size_t>(3 + i)], strip[i]);
  expect(same, "the energy of each sample of the rim, in order of time");
  request = {sizeof request, LM_AXES, 1, 0, 0.5};
  expect(fields.read(reader, request, 0.5, out) == LM_OK && out[0] == 0 && out[2] == 0,
         "the other bank has its light inside");
  request = {sizeof request, LM_AXIS_INNER, 0, 0, 0.5};
  expect(fields.read(reader, request, 0.5, out) == LM_E_UNSUPPORTED, "another axis is not its business");
}

// 40 samples 1 s apart and a rim of 5 %: the inner edge, 19 s, is a sample on either side and belongs to the rim.
void on_the_boundary(const lm_device_api& api, lm_device* device, lm_edge_fn reader) {
  Fields fields(api, device, 1, 40);
  for (int s = 0; s < 40; ++s) fields.at(0, 0, s) = 1;
  std::vector<double> out(3);
  const lm_edge_request request = {sizeof request, LM_AXES, 0, 0, 0.05};
  expect(fields.read(reader, request, 1, out) == LM_OK && near(out[1], 3), "samples at -20, -19 and 19 s are the rim");
}

}  // namespace

int main(int argc, char** argv) {
  const lm_plugin* const cpu = argc == 3 ? plugin_of(argv[1]) : nullptr;
  const lm_plugin* const kernels = argc == 3 ? plugin_of(argv[2]) : nullptr;
  if (!cpu || !kernels) return 2;
  lm_host host{};
  host.struct_size = sizeof host;
  host.abi_major = LM_ABI_MAJOR;
  host.abi_minor = LM_ABI_MINOR;
  lm_edge_fn reader = nullptr;
  const lm_registrar registrar = {sizeof registrar, 0, &reader, &no_kernel, &take_reader, &no_observer};
  kernels->register_all(&host, &registrar);
  lm_device* device = nullptr;
  char why[200] = "";
  if (!reader || cpu->device->open(&host, 0, nullptr, 0, &device, why, sizeof why) != LM_OK) {
    std::printf("FAIL no reader or no device: %s\n", why);
    return 1;
  }
  by_hand(*cpu->device, device, reader);
  on_the_boundary(*cpu->device, device, reader);
  cpu->device->close(device);
  return faults ? 1 : 0;
}
