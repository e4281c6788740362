// SPDX-License-Identifier: Apache-2.0
#include "wisdom.hpp"

#include <fcntl.h>
#include <fftw3.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <sstream>
#include <system_error>

#include "jobs.hpp"
#include "machine.hpp"

namespace lumarch::cpu {
namespace {

std::mutex& own_planner_lock() {
  static std::mutex mutex;
  return mutex;
}

class Descriptor {
public:
  explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] bool open() const noexcept { return descriptor_ >= 0; }
  [[nodiscard]] bool write_all(const char* text, std::size_t size) const {
    while (size > 0) {
      const ssize_t written = ::write(descriptor_, text, size);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      text += written;
      size -= static_cast<std::size_t>(written);
    }
    return ::fsync(descriptor_) == 0;
  }
  bool close() noexcept {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    return descriptor < 0 || ::close(descriptor) == 0;
  }

private:
  int descriptor_;
};

// Letters, digits and dashes, for a file name that a person can still read.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '.')
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out.substr(0, 100);
}

}  // namespace

PlannerScope::PlannerScope(const Host& host) : lock_(host.planner_lock()) {
  if (lock_)
    lock_->lock(lock_->ctx);
  else
    own_planner_lock().lock();
  prepare_fftw();
  before_ = fftw_export_wisdom_to_string();
  fftw_forget_wisdom();
}

PlannerScope::~PlannerScope() {
  fftw_forget_wisdom();
  if (before_) fftw_import_wisdom_from_string(before_);
  std::free(before_);  // FFTW's string is malloc's
  if (lock_)
    lock_->unlock(lock_->ctx);
  else
    own_planner_lock().unlock();
}

std::string wisdom_file_name(const std::string& processor, const std::string& fftw) {
  return "fftw-" + plain(processor) + "-" + plain(fftw) + ".wisdom";
}

WisdomFile::WisdomFile(const Host& host, const std::string& directory) : host_(host) {
  if (!directory.empty()) path_ = directory + "/" + wisdom_file_name(processor_name(), fftw_version);
}

void WisdomFile::load() {
  if (path_.empty()) return;
  std::error_code error;
  const auto status = std::filesystem::status(path_, error);
  if (!std::filesystem::exists(status)) return;
  constexpr std::uintmax_t most = 16u << 20;  // bytes; a length takes some hundred
  std::stringstream text;
  if (std::filesystem::is_regular_file(status) && std::filesystem::file_size(path_, error) <= most)
    text << std::ifstream(path_, std::ios::binary).rdbuf();
  if (fftw_import_wisdom_from_string(text.str().c_str()) || warned_) return;
  warned_ = true;
  host_.log(LM_LOG_WARN, "FFT plans kept in " + path_ + " are not readable; they are made anew");
}

WisdomFile::Lock::Lock(const WisdomFile& file) {
  if (file.path_.empty()) return;
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(file.path_).parent_path(), ignored);
  descriptor_ = ::open((file.path_ + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) return;
  int taken = -1;
  do taken = ::flock(descriptor_, LOCK_EX);
  while (taken != 0 && errno == EINTR);
  // A folder may hold a lock file and still take no new ones; without a place for the result it is no use to measure.
  if (taken != 0 || ::access(std::filesystem::path(file.path_).parent_path().c_str(), W_OK | X_OK) != 0) {
    ::close(descriptor_);
    descriptor_ = -1;
  }
}

WisdomFile::Lock::~Lock() {
  if (descriptor_ >= 0) ::close(descriptor_);  // gives the lock back
}

void WisdomFile::say_not_kept() {
  if (said_) return;
  said_ = true;
  const std::string why = path_.empty() ? "there is no cache directory" : path_ + " cannot be written";
  host_.log(LM_LOG_INFO,
            why + ": FFT plans are estimated, not measured, so that results repeat; transforms are slower");
}

bool WisdomFile::save() const {
  const std::unique_ptr<char, void (*)(void*)> text(fftw_export_wisdom_to_string(), &std::free);
  if (!text) return false;
  const std::string temporary = path_ + "." + std::to_string(::getpid()) + ".new";
  Descriptor out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!out.open()) return false;
  const bool written = out.write_all(text.get(), std::char_traits<char>::length(text.get()));
  if (out.close() && written && std::rename(temporary.c_str(), path_.c_str()) == 0) return true;
  std::remove(temporary.c_str());
  return false;
}

}  // namespace lumarch::cpu
