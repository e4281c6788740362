// SPDX-License-Identifier: Apache-2.0
#include "output/claim.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <lumarch/error.hpp>

namespace lumarch {

namespace fs = std::filesystem;

namespace {

bool lock(int descriptor, int how) {
  while (flock(descriptor, how | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return false;
    if (errno != EINTR) return true;  // no locks on this file system: go without
  }
  return true;
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string beside(const std::string& path, const std::string& end) {
  return folder_of(path).append("/.").append(fs::path(path).filename().string()).append(end);
}

[[noreturn]] void refuse(const std::string& path, int error) {
  const std::string folder = folder_of(path);
  std::string remedy;
  if (error == ENOENT || error == ENOTDIR)
    remedy = "; there is no folder " + folder + ": make it, or name another file";
  if (error == EACCES || error == EPERM || error == EROFS) {
    remedy = "; the folder " + folder + " is not yours to write in: name a file elsewhere with -o";
  }
  if (error == ENOSPC || error == EDQUOT) remedy = "; name a file on another disk with -o";
  if (error == ELOOP) remedy = "; the link leads in a circle: remove it, or name another file with -o";
  throw Error(Fault::output, path + ": cannot be written: " + std::generic_category().message(error) + remedy);
}

// What a path names in the end, links followed, whether there is a file yet or not: it is what gets made or replaced.
std::string followed(const std::string& path) {
  fs::path place = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(place, error); ++links) {
    if (links == 40) refuse(path, ELOOP);
    const fs::path target = fs::read_symlink(place, error);
    if (error) refuse(path, error.value());
    place = place.parent_path() / target;  // an absolute target replaces what is before it
  }
  return place.string();
}

// A name that no other process uses, and no other sink of this one.
std::string unique_name(const std::string& path) {
  static std::atomic<unsigned> count{0};
  std::string end = ".";
  end.append(std::to_string(getpid())).append("-").append(std::to_string(count++)).append(".part");
  return beside(path, end);
}

// Writes and removes a small file. The system's reason says more than HDF5's, and an HDF5 file that was made where
// there is no room for its first block cannot be closed any more, which HDF5 then tries for ever when the process ends.
void try_place(const std::string& name, const std::string& path) {
  const int made = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made < 0) refuse(path, errno);
  const std::string zeros(65536, '\0');
  errno = ENOSPC;  // of a write that is cut short
  const bool good = write(made, zeros.data(), zeros.size()) == static_cast<ssize_t>(zeros.size());
  const int error = errno;
  close(made);
  unlink(name.c_str());
  if (!good) refuse(path, error);
}

bool link_into_place(const std::string& from, const std::string& to) {
  if (link(from.c_str(), to.c_str()) == 0) {
    unlink(from.c_str());
    return true;
  }
  if (errno == EEXIST) return false;
  // No hard links here: claim the name with an empty file, and put the valid one over it. A kill between leaves it
  // empty.
  const int made = open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (made < 0 && errno == EEXIST) return false;
  if (made < 0 || rename(from.c_str(), to.c_str()) != 0) refuse(to, errno);
  close(made);
  return true;
}

}  // namespace

bool lock_for_writing(int descriptor) { return lock(descriptor, LOCK_EX); }

Claim::Claim(const std::string& path, bool force, const std::function<void(const std::string&)>& make_placeholder)
    : path_(path) {
  if (path_.empty()) throw Error(Fault::output, "the output file has no name: give one with -o");
  path_ = followed(path_);
  // Each look can be overtaken by another run that makes, replaces or removes the file; then look again.
  for (int look = 0; look < 100; ++look) {
    if (claim_existing(force) || claim_nothing(make_placeholder)) return;
  }
  throw Error(Fault::output, path + ": other runs keep replacing this file: name another with -o");
}

Claim::~Claim() { drop(); }

// False where there is no file, or no longer the one that was looked at.
bool Claim::claim_existing(bool force) {
  struct stat found {};
  if (stat(path_.c_str(), &found) != 0) {
    if (errno == ENOENT) return false;
    refuse(path_, errno);
  }
  if (S_ISDIR(found.st_mode)) throw Error(Fault::problem, path_ + ": is a folder, not a file: name a file in it");
  if (!S_ISREG(found.st_mode)) {
    throw Error(Fault::problem, path_ + ": is a device or a pipe, not a file: name a file");
  }
  const std::string exists = path_ + ": exists already: --force replaces it, -o names another";
  descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) {
    if (errno == ENOENT) return false;
    if (!force) throw Error(Fault::problem, exists);
    refuse(path_, errno);
  }
  const bool alone = force && lock(descriptor_, LOCK_EX), writer = !alone && !lock(descriptor_, LOCK_SH);
  if (!still_there()) {
    drop();
    return false;
  }
  if (!alone || !force) drop();
  if (writer)
    throw Error(Fault::output, path_ + ": a run is writing this file: wait for its end, or name another with -o");
  if (!force) throw Error(Fault::problem, exists);
  // Readers that lock (h5py does) hold it, and without the lock two runs could both replace it.
  if (!alone)
    throw Error(Fault::output, path_ + ": is open in another program: close it there, or name another with -o");
  try {
    try_place(unique_name(path_), path_);  // a place that cannot be written is found now, not after the set-up
  } catch (...) {
    drop();
    throw;
  }
  return true;
}

// False where another run was first.
bool Claim::claim_nothing(const std::function<void(const std::string&)>& make_placeholder) {
  const std::string fresh = unique_name(path_);
  try_place(fresh, path_);
  try {
    make_placeholder(fresh);
    descriptor_ = open(fresh.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse(path_, errno);
    if (lock(descriptor_, LOCK_EX) && link_into_place(fresh, path_)) {
      placeholder_ = true;
      return true;
    }
  } catch (...) {
    unlink(fresh.c_str());
    drop();
    throw;
  }
  unlink(fresh.c_str());
  drop();
  return false;
}

bool Claim::still_there() const {
  struct stat held {
  }, named{};
  return fstat(descriptor_, &held) == 0 && stat(path_.c_str(), &named) == 0 && held.st_dev == named.st_dev &&
         held.st_ino == named.st_ino;
}

std::string Claim::fresh_name() const {
  std::string name = beside(path_, ".part");
  unlink(name.c_str());
  try_place(name, path_);
  return name;
}

Held::Held(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0)
    throw Error(Fault::problem, path + ": " + std::generic_category().message(errno));
  if (!S_ISREG(found.st_mode)) throw Error(Fault::problem, path + ": is no file that a run wrote");
  if (access(path.c_str(), W_OK) != 0) refuse(path, errno);
  descriptor_ = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ < 0) refuse(path, errno);
  if (lock(descriptor_, LOCK_EX)) return;
  const bool writer = !lock(descriptor_, LOCK_SH);
  close(descriptor_);
  throw Error(Fault::output, path + (writer ? ": a run is writing this file: wait for its end"
                                            : ": is open in another program: close it there"));
}

Held::~Held() { close(descriptor_); }

void Claim::take_place() {
  if (!still_there()) {
    throw Error(Fault::output, path_ + ": was removed or replaced while the run was being set up: start it again");
  }
  if (rename(beside(path_, ".part").c_str(), path_.c_str()) != 0) refuse(path_, errno);
  placeholder_ = false;
  drop();
}

void Claim::drop() {
  if (descriptor_ < 0) return;
  if (placeholder_ && still_there()) unlink(path_.c_str());
  placeholder_ = false;
  close(descriptor_);
  descriptor_ = -1;
}

}  // namespace lumarch
