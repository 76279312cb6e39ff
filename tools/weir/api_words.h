// SPDX-License-Identifier: Apache-2.0
//
// What the verbs share about the API's answers: reading them, and saying a refusal.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <boost/json.hpp>

#include "tools/weir/api_client.h"

namespace weir {

// A field as text; empty when it is not there or null.
std::string text_at(const boost::json::object& object, std::string_view name);

// A number with so many decimals; "-" when it is not there or null.
std::string number_at(const boost::json::object& object, std::string_view name, int decimals);

// A number of units, exactly; "-" when it is not there or null.
std::string units_at(const boost::json::object& object, std::string_view name);

// Of a producer's or a person's text, for a line on a terminal: without control characters, and "-"
// for an empty one.
std::string shown(std::string_view text);

// The list of objects under this name; empty when there is none. What is no object is left out.
std::vector<boost::json::object> objects_at(const boost::json::object& object,
                                            std::string_view name);

// Empty when the body is no JSON object.
boost::json::object parsed(const std::string& body);

// A problem document on stderr, and its exit code.
int complain(const ApiReply& reply);

// Of an answer that lacks what this command reads: says so on stderr, and its exit code.
int complain_of_version();

// The answer when it is a 200; else its exit code, and the reason is on stderr.
std::variant<ApiReply, int> checked(const Result<ApiReply>& reply);

// GET: kDone and the body; or the exit code, and the reason on stderr.
int get(const ApiArgs& api, const std::string& path, std::string& body);

}  // namespace weir
