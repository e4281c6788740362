// SPDX-License-Identifier: Apache-2.0
// Drives a backend plugin through its table and nothing else: no loader, no core. For the tests of a plugin, and for a
// program that judges a stranger's. Failures throw, with the plugin's words.
#pragma once

#include <dlfcn.h>

#include <complex>
#include <cstdint>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <lumarch/abi.h>
#include <lumarch/abi_params.h>

namespace driver {

using Complex = std::complex<double>;

// A host with a log that can be read, a planner lock and, where one is given, a cache directory.
class Host {
public:
  explicit Host(std::string cache = "") : cache_(std::move(cache)) {
    host_ = {sizeof(lm_host), LM_ABI_MAJOR, LM_ABI_MINOR, this, &log, &poll, &extension};
    lock_ = {sizeof(lm_planner_lock), 0, &mutex_, [](void* m) noexcept { static_cast<std::mutex*>(m)->lock(); },
             [](void* m) noexcept { static_cast<std::mutex*>(m)->unlock(); }};
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  [[nodiscard]] const lm_host* get() const noexcept { return &host_; }
  // How many lines of the log, at this level, hold these words.
  [[nodiscard]] int logged(std::int32_t level, const std::string& words) const {
    int found = 0;
    for (const auto& [at, text] : lines_) found += at == level && text.find(words) != std::string::npos;
    return found;
  }
  std::uint64_t budget = 0;

private:
  static void log(void* ctx, std::int32_t level, const char* text) noexcept {
    static_cast<Host*>(ctx)->lines_.emplace_back(level, text);
  }
  static std::int32_t poll(void*, double) noexcept { return 0; }
  static const void* extension(void* ctx, const char* id) noexcept {
    Host& self = *static_cast<Host*>(ctx);
    if (std::strcmp(id, LM_EXT_PLANNER_LOCK) == 0) return &self.lock_;
    if (std::strcmp(id, LM_EXT_CACHE_DIRECTORY) == 0 && !self.cache_.empty()) return self.cache_.c_str();
    if (std::strcmp(id, LM_EXT_MEMORY_BUDGET) == 0) return &self.budget;
    return nullptr;
  }

  std::string cache_;
  lm_host host_{};
  lm_planner_lock lock_{};
  std::mutex mutex_;
  std::vector<std::pair<std::int32_t, std::string>> lines_;
};

// The loaded library, never unloaded, and the kernels that it registers for its own device: version 1 by its name, any
// other as "name 2".
class Plugin {
public:
  explicit Plugin(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) throw std::runtime_error(dlerror());
    plugin_ = static_cast<const lm_plugin*>(dlsym(library, LM_PLUGIN_SYMBOL));
    if (!plugin_ || plugin_->magic != LM_MAGIC || plugin_->layout != LM_LAYOUT)
      throw std::runtime_error(path + " is no plugin of this ABI");
    const lm_registrar registrar = {sizeof(lm_registrar), 0, this, &add, nullptr, nullptr};
    const Host host;
    if (plugin_->register_all(host.get(), &registrar) != LM_OK) throw std::runtime_error("register_all failed");
  }
  [[nodiscard]] const lm_plugin& get() const noexcept { return *plugin_; }
  [[nodiscard]] const lm_device_api& api() const noexcept { return *plugin_->device; }
  [[nodiscard]] lm_kernel_fn kernel(const std::string& name) const {
    const auto at = kernels_.find(name);
    if (at == kernels_.end()) throw std::runtime_error("there is no kernel " + name);
    return at->second;
  }
  [[nodiscard]] bool has(const std::string& name) const { return kernels_.count(name) != 0; }

private:
  static lm_status add(void* ctx, const char* backend, const char* name, std::uint32_t version,
                       lm_kernel_fn fn) noexcept {
    if (backend) return LM_OK;
    const std::string key = version == 1 ? name : name + (" " + std::to_string(version));
    return static_cast<Plugin*>(ctx)->kernels_.emplace(key, fn).second ? LM_OK : LM_E_ARG;
  }
  const lm_plugin* plugin_ = nullptr;
  std::map<std::string, lm_kernel_fn> kernels_;
};

class Device {
public:
  using Options = std::vector<lm_option>;
  Device(const Plugin& from, const Host& host, const Options& options = {}) : plugin(from), api(from.api()) {
    char why[256] = "";
    const auto n = static_cast<std::uint32_t>(options.size());
    const lm_status status = api.open(host.get(), 0, options.data(), n, &handle, why, sizeof why);
    if (status != LM_OK) throw std::runtime_error(std::string("open: ") + why);
  }
  ~Device() { api.close(handle); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  void check(lm_status status) const {
    if (status != LM_OK) throw std::runtime_error(std::to_string(status) + ": " + error());
  }
  [[nodiscard]] std::string error() const { return api.last_error(handle); }
  lm_buffer alloc(std::uint64_t bytes) const {
    lm_buffer buffer = 0;
    check(api.alloc(handle, bytes, &buffer));
    return buffer;
  }
  lm_plan* fft(std::int32_t kind, std::int64_t n, std::int32_t direction, bool in_place = false, bool destroys = false,
               std::uint64_t* work = nullptr) const {
    const lm_fft_desc desc = {sizeof desc, kind, LM_C128, direction, n, in_place, destroys};
    lm_plan* plan = nullptr;
    std::uint64_t bytes = 0;
    check(api.plan_fft(handle, &desc, &plan, work ? work : &bytes));
    return plan;
  }
  lm_plan* propagator(const lm_view& D, double node, bool lossless) const {
    const lm_propagator_desc desc = {sizeof desc, lossless, node, D};
    lm_plan* plan = nullptr;
    std::uint64_t bytes = 0;
    check(api.plan_propagator(handle, &desc, &plan, &bytes));
    return plan;
  }

  const Plugin& plugin;
  const lm_device_api& api;
  lm_device* handle = nullptr;
};

// How a view's rows lie: rows a member or one for all, banks, and elements between the rows of two members beyond
// what the samples need (a multiple of 64 bytes keeps rows aligned).
struct Layout {
  bool shared = false;
  std::uint64_t banks = 1;
  std::int64_t components = 1;
  std::int64_t gap = 0;
  bool scratch = false;
  std::int64_t outer = 1, inner = 1;
};

// A buffer of T with its view.
template <class T>
class Array {
public:
  Array(const Device& device, std::uint32_t members, std::int64_t n, const Layout& layout = {}) : device_(&device) {
    const std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t row = (n + line - 1) / line * line + layout.gap;
    const std::int64_t rows = layout.shared ? 1 : members, component = row * layout.inner * layout.outer;
    view.extent[LM_AXIS_MEMBER] = rows;
    view.extent[LM_AXIS_COMPONENT] = layout.components;
    view.extent[LM_AXIS_OUTER] = layout.outer;
    view.extent[LM_AXIS_INNER] = layout.inner;
    view.extent[LM_AXIS_SAMPLE] = n;
    view.pitch[LM_AXIS_MEMBER] = layout.shared ? 0 : component * layout.components;
    view.pitch[LM_AXIS_COMPONENT] = component;
    view.pitch[LM_AXIS_OUTER] = row * layout.inner;
    view.pitch[LM_AXIS_INNER] = row;
    view.pitch[LM_AXIS_SAMPLE] = 1;
    const auto elements = static_cast<std::uint64_t>(rows * component * layout.components);
    view.bank = layout.banks > 1 ? elements : 0;
    view.dtype = sizeof(T) == 16 ? LM_C128 : sizeof(T) == 8 ? LM_F64 : LM_U8;
    if (layout.scratch) view.flags = LM_VIEW_SCRATCH;
    size = elements * layout.banks;
    view.buffer = device.alloc(size * sizeof(T));
    put(std::vector<T>(size));
  }
  void put(const std::vector<T>& values) const {
    device_->check(device_->api.upload(device_->handle, view.buffer, 0, values.data(), values.size() * sizeof(T)));
  }
  [[nodiscard]] std::vector<T> get() const {
    std::vector<T> values(size);
    device_->check(device_->api.download(device_->handle, view.buffer, 0, values.data(), size * sizeof(T)));
    return values;
  }
  // Where a row begins in what get() returns.
  [[nodiscard]] std::size_t at(std::uint32_t member, std::uint32_t parity = 0, std::int64_t component = 0) const {
    const std::uint32_t flip = view.flags & LM_VIEW_FLIP ? 1u : 0u;
    return view.offset + ((parity ^ flip) & 1u) * view.bank + member * static_cast<std::size_t>(view.pitch[0]) +
           static_cast<std::size_t>(component * view.pitch[1]);
  }
  [[nodiscard]] std::vector<T> row(std::uint32_t member, std::uint32_t parity = 0, std::int64_t component = 0) const {
    const std::vector<T> all = get();
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(at(member, parity, component));
    return {begin, begin + view.extent[LM_AXIS_SAMPLE]};
  }
  [[nodiscard]] lm_view flipped() const {
    lm_view v = view;
    v.flags ^= LM_VIEW_FLIP;
    return v;
  }

  lm_view view{};
  std::size_t size = 0;

private:
  const Device* device_;
};

// The member block. Change the vectors, then put().
class Members {
public:
  Members(const Device& device, std::uint32_t count, std::uint32_t n_numbers = 4, std::uint32_t n_scales = 0)
      : device_(device), count_(count) {
    const std::uint64_t line = 64, doubles = (8 * std::uint64_t{count} + line - 1) / line * line;
    get = {sizeof(lm_members), count,       count,       0,           n_numbers, 0,        0, 0, doubles,
           2 * doubles,        3 * doubles, 4 * doubles, 5 * doubles, 0,         n_scales, 0};
    get.scales = get.numbers + doubles * n_numbers;
    get.block = device.alloc(get.scales + doubles * n_scales);
    scales.assign(std::size_t{count} * n_scales, 1.0);
    z.assign(count, 0.0);
    h.assign(count, 1.0);
    parity.assign(count, 0);
    status.assign(count, LM_RUNNING);
    for (std::uint32_t m = 0; m < count; ++m) active.push_back(m);
    numbers.assign(std::size_t{count} * n_numbers, 0.0);
    put();
  }
  void put() const {
    write(get.z, z);
    write(get.h, h);
    write(get.active, active);
    write(get.parity, parity);
    write(get.status, status);
    write(get.numbers, numbers);
    write(get.scales, scales);
  }
  [[nodiscard]] std::vector<double> read_numbers() const {
    std::vector<double> out(std::size_t{count_} * get.n_numbers);
    device_.check(device_.api.download(device_.handle, get.block, get.numbers, out.data(), out.size() * 8));
    return out;
  }

  lm_members get{};
  std::vector<double> z, h, numbers, scales;
  std::vector<std::uint8_t> parity, status;
  std::vector<std::uint32_t> active;

private:
  template <class T>
  void write(std::uint64_t offset, const std::vector<T>& v) const {
    device_.check(device_.api.upload(device_.handle, get.block, offset, v.data(), v.size() * sizeof(T)));
  }
  const Device& device_;
  std::uint32_t count_;
};

// One call, with what it points to.
struct Call {
  lm_kernel_fn fn = nullptr;
  std::vector<lm_view> views;
  std::vector<lm_plan*> plans;
  std::vector<std::byte> params;
  lm_view work{};
  lm_call call{};

  template <class P>
  void set(const P& p) {
    params.resize(sizeof p);
    std::memcpy(params.data(), &p, sizeof p);
  }
};

inline lm_p_combine combination(const std::vector<lm_term>& terms, std::uint32_t slot = 0) {
  lm_p_combine p{};
  p.struct_size = sizeof p;
  p.n = static_cast<std::uint32_t>(terms.size());
  for (std::size_t j = 0; j < terms.size() && j < LM_MAX_TERMS; ++j) p.term[j] = terms[j];
  p.slot = slot;
  return p;
}

// A list of calls over the same members; run() makes them through `run`, each() one by one.
class List {
public:
  List(const Device& device, const Members& members) : device_(device), members_(members) {}
  Call& add(const std::string& kernel, std::vector<lm_view> views, std::vector<lm_plan*> plans = {}) {
    Call& c = calls_.emplace_back();
    c.fn = device_.plugin.kernel(kernel);
    c.views = std::move(views);
    c.plans = std::move(plans);
    return c;
  }
  lm_status each() {
    bind();
    for (const lm_step& step : steps_) {
      const lm_status status = step.fn(device_.handle, step.call);
      if (status != LM_OK) return status;
    }
    return LM_OK;
  }
  [[nodiscard]] std::deque<Call>& calls() { return calls_; }
  lm_status run() {
    bind();
    return device_.api.run(device_.handle, steps_.data(), static_cast<std::uint32_t>(steps_.size()), &members_.get);
  }

private:
  void bind() {
    steps_.clear();
    for (Call& c : calls_) {
      c.call = {sizeof(lm_call),
                static_cast<std::uint32_t>(c.views.size()),
                c.views.data(),
                &members_.get,
                device_.api.exec(device_.handle),
                c.params.empty() ? nullptr : c.params.data(),
                static_cast<std::uint32_t>(c.params.size()),
                static_cast<std::uint32_t>(c.plans.size()),
                c.plans.data(),
                c.work.buffer ? &c.work : nullptr};
      steps_.push_back({c.fn, &c.call});
    }
  }
  const Device& device_;
  const Members& members_;
  std::deque<Call> calls_;
  std::vector<lm_step> steps_;
};

// A work area for any call, `bytes` a worker.
inline Array<std::uint8_t> work_area(const Device& device, std::uint64_t bytes) {
  Layout layout;
  layout.scratch = true;
  return Array<std::uint8_t>(device, device.api.workers(device.handle), static_cast<std::int64_t>(bytes), layout);
}

}  // namespace driver
