// SPDX-License-Identifier: Apache-2.0
// Who may write a file. Claiming is what decides between two runs, and between a run and what is already there.
//
// What a path names must open at every moment, so nothing is ever laid out in place: a new file is laid out under
// another name in the same folder and renamed over the path when it is whole. Until then the path needs an owner:
//   - where nothing is, a small valid file is linked into place (link() fails where another run was first);
//   - where a file is and may be replaced, that file stays as it is until the rename.
// Either way the owner holds an exclusive flock on the file that the path names, and the file that takes its place is
// locked before the rename. A flock goes when its process ends, however it ends, so what a killed run left is free.
#pragma once

#include <functional>
#include <string>

namespace lumarch {

class Claim {
public:
  // `make_placeholder` makes a small valid file at the path it is given. Throws Error.
  Claim(const std::string& path, bool force, const std::function<void(const std::string&)>& make_placeholder);
  ~Claim();
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  // Where to lay the file out. Only the owner of the claim uses that name; what a killed run left there is removed.
  [[nodiscard]] std::string fresh_name() const;
  // Puts the file laid out there, locked by its own descriptor, in the place of the path.
  void take_place();

private:
  [[nodiscard]] bool claim_existing(bool force);
  [[nodiscard]] bool claim_nothing(const std::function<void(const std::string&)>& make_placeholder);
  [[nodiscard]] bool still_there() const;
  void drop();

  std::string path_;
  int descriptor_ = -1;
  bool placeholder_ = false;  // what the path names is ours, to be removed if nothing takes its place
};

// A file that is there, for the run that goes on in it. Throws Error: Fault::output where another run writes it.
class Held {
public:
  explicit Held(const std::string& path);
  ~Held();
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

private:
  int descriptor_ = -1;
};

// An exclusive lock that is refused at once where another holds one; true too where the file system has no locks.
[[nodiscard]] bool lock_for_writing(int descriptor);

}  // namespace lumarch
