// SPDX-License-Identifier: Apache-2.0
#include "shim/store/template_row.h"

#include <charconv>
#include <string>

#include "shim/store/pack.h"

namespace weir {
namespace {

constexpr const char* kAllTemplates =
    "SELECT id, body, class, sender, params, max_chars, max_segments, smart FROM template";

// The limits travel as params do: name and number, both text.
std::string pack_limits(const Template& one) {
  Params limits;
  for (const auto& [name, most] : one.max_chars)
    limits.emplace_back(name, std::to_string(most));
  return pack_params(limits);
}

bool unpack_limits(std::string_view bytes, Template& one) {
  const std::optional<Params> limits = unpack_params(bytes);
  if (!limits) return false;
  for (const auto& [name, digits] : *limits) {
    uint32_t most = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), most);
    if (read.ec != std::errc()) return false;
    one.max_chars[name] = most;
  }
  return true;
}

}  // namespace

bool put_template_row(Statement& insert, const Template& one) {
  const std::string params = pack_params(one.params);
  const std::string limits = pack_limits(one);
  return insert.run({std::string_view(one.id), std::string_view(one.body),
                     text_or_null(one.class_name), text_or_null(one.sender), Blob{params},
                     Blob{limits}, int64_t{one.max_segments}, int64_t{one.smart}});
}

Status read_templates(Connection& connection, std::vector<Template>& templates) {
  Result<Statement> all = Statement::prepare(connection, kAllTemplates);
  if (!all) return all.error();
  Rows rows(*all, {});
  while (rows.next()) {
    Template one;
    one.id = rows.text(0);
    one.body = rows.text(1);
    one.class_name = rows.text(2);
    one.sender = rows.text(3);
    std::optional<Params> params = unpack_params(rows.bytes(4));
    if (!params || !unpack_limits(rows.bytes(5), one)) {
      return Error{"template " + one.id + " cannot be read; save it again or delete its row"};
    }
    one.params = std::move(*params);
    one.max_segments = static_cast<uint32_t>(rows.integer(6));
    one.smart = rows.integer(7) != 0;
    templates.push_back(std::move(one));
  }
  if (rows.failed()) return Error{"cannot read the templates: " + connection.error()};
  return Done{};
}

}  // namespace weir
