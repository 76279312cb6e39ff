// SPDX-License-Identifier: Apache-2.0
//
// Result<T>: a value, or the reason why the environment did not let us have one.
//
// For what can go wrong outside of the program: a file, a socket, a configuration, a text that is
// not what it should be. Domain results (refused, shed, throttled, unknown) are enumerators
// instead, and our own mistakes are WEIR_CHECKs. The members are the few of std::expected that we
// use, so that a later switch to it is an alias.
//
// `detail` is written for the person who has to mend it: it names the thing, what was found and
// what would be right. It never holds a secret, a body or a whole phone number.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "weir/check.h"

namespace weir {

struct Error {
  std::string detail;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return checked(); }
  T&& value() && { return std::move(checked()); }
  const T& value() const& { return const_cast<Result*>(this)->checked(); }
  T& operator*() & { return checked(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &checked(); }
  const T* operator->() const { return &value(); }

  const Error& error() const {
    WEIR_CHECK(!has_value());
    return std::get<1>(state_);
  }

 private:
  T& checked() {
    WEIR_CHECK(has_value());
    return std::get<0>(state_);
  }
  std::variant<T, Error> state_;
};

// A step that yields nothing but can fail.
struct Done {};
using Status = Result<Done>;

}  // namespace weir
