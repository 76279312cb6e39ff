// SPDX-License-Identifier: Apache-2.0
//
// What the verbs share about the API's answers: reading them, and saying a refusal.
#pragma once

#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "tools/weir/api_client.h"

namespace weir {

// A field as text; empty when it is not there or null.
std::string text_at(const boost::json::object& object, std::string_view name);

// A number with so many decimals; "-" when it is not there or null.
std::string number_at(const boost::json::object& object, std::string_view name, int decimals);

// Empty when the body is no JSON object.
boost::json::object parsed(const std::string& body);

// A problem document on stderr, and its exit code.
int complain(const ApiReply& reply);

// GET: kDone and the body; or the exit code, and the reason on stderr.
int get(const ApiArgs& api, const std::string& path, std::string& body);

// The same for a POST of work that may take as long as reading the whole database.
int post(const ApiArgs& api, const std::string& path, const std::string& order, std::string& body);

}  // namespace weir
