// SPDX-License-Identifier: Apache-2.0
//
// What list, release-quarantine and db print: the API's answers for a person.
//
// Pure. Texts of producers are shown without control characters.
#pragma once

#include <string>
#include <string_view>

#include <boost/json.hpp>

namespace weir {

// A line a message, under a head.
std::string message_table(const boost::json::array& messages);

// Why, and what would go out: a line a lane.
std::string quarantine_text(const boost::json::object& quarantine);

std::string db_stats_text(const boost::json::object& stats);
// Whether it is whole, and each fault.
std::string db_check_text(const boost::json::object& check);

// "1 batch", "2 batches".
std::string batches_text(const std::string& count);

// For a person: "512 bytes", "64.0 KiB", "1.2 GiB".
std::string bytes_text(double bytes);
// The same of a field; of 0 when it is not there.
std::string bytes_at(const boost::json::object& object, std::string_view name);

}  // namespace weir
