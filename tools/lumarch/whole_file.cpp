// SPDX-License-Identifier: Apache-2.0
#include "lumarch/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <lumarch/error.hpp>

namespace lumarch::tools {

namespace fs = std::filesystem;

namespace {

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// 0, or the system's reason.
int write_bytes(int file, const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = write(file, bytes.data() + done, bytes.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return wrote < 0 ? errno : ENOSPC;
    done += static_cast<std::size_t>(wrote);
  }
  return 0;
}

void write_part(const std::string& part, const std::string& path, const std::string& bytes) {
  unlink(part.c_str());
  const int file = open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) refuse_place(path, errno);
  int error = write_bytes(file, bytes);
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0) return;
  unlink(part.c_str());
  refuse_place(path, error);
}

}  // namespace

void refuse_other_than_file(const std::string& path) {
  std::error_code ignored;
  const fs::file_status found = fs::status(path, ignored);
  if (fs::is_directory(found)) throw Error(Fault::problem, path + ": is a folder, not a file: name a file in it");
  if (fs::exists(found) && !fs::is_regular_file(found))
    throw Error(Fault::problem, path + ": is a device or a pipe, not a file: name a file");
}

std::string followed(const std::string& path) {
  fs::path place = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(place, error); ++links) {
    if (links == 40) refuse_place(path, ELOOP);
    const fs::path target = fs::read_symlink(place, error);
    if (error) refuse_place(path, error.value());
    place = place.parent_path() / target;
  }
  return place.string();
}

std::string part_beside(const std::string& path) {
  const fs::path name = fs::path(path).filename();
  std::string part = folder_of(path);
  part.append("/.").append(name.stem().string()).append(".").append(std::to_string(getpid())).append(".part");
  return part.append(name.extension().string());
}

void refuse_place(const std::string& path, int error) {
  const std::string folder = folder_of(path);
  std::string remedy;
  if (error == ENOENT || error == ENOTDIR) remedy = "; there is no folder " + folder + ": make it, or work elsewhere";
  if (error == EACCES || error == EPERM || error == EROFS)
    remedy = "; the folder " + folder + " is not yours to write in: work elsewhere";
  if (error == ENOSPC || error == EDQUOT) remedy = "; make room on the disk, or work on another";
  if (error == EFBIG) remedy = "; raise the limit on the size of files (ulimit -f)";
  if (error == ELOOP) remedy = "; the link leads in a circle: remove it, or name another file";
  throw Error(Fault::output, path + ": cannot be written: " + std::generic_category().message(error) + remedy);
}

void write_whole(const std::string& path, const std::string& bytes) {
  const std::string place = followed(path), part = part_beside(place);
  write_part(part, path, bytes);
  take_place(part, place);
}

void take_place(const std::string& part, const std::string& path) {
  if (rename(part.c_str(), path.c_str()) == 0) return;
  const int error = errno;
  unlink(part.c_str());
  refuse_place(path, error);
}

void try_place(const std::string& path, std::size_t bytes) {
  const std::string part = part_beside(path);
  write_part(part, path, std::string(bytes, '\0'));
  unlink(part.c_str());
}

}  // namespace lumarch::tools
