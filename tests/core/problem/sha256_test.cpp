// SPDX-License-Identifier: Apache-2.0
// The vectors of FIPS 180-4's examples and NIST's byte-oriented test set.
#include <doctest/doctest.h>

#include "problem/sha256.hpp"

using lumarch::problem::sha256;

TEST_CASE("sha256: published vectors") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1000000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("sha256: pieces give the same as the whole, at every length about a block") {
  for (std::size_t length = 0; length < 200; ++length) {
    const std::string text(length, 'x');
    lumarch::problem::Sha256 sum;
    for (std::size_t at = 0; at < length; at += 7) sum.add(std::string_view(text).substr(at, 7));
    CHECK(sum.hex() == sha256(text));
  }
}
