// SPDX-License-Identifier: Apache-2.0
//
// Secrets: credentials that the YAML points to and never holds.
//
//     api_key: {file: /etc/weir/api_key}     the file's text, without the line break at its end
//     api_key: {env: WEIR_API_KEY}           the value of an environment variable
//
// Read once at start, before any thread (getenv). No error repeats a value, a path or a variable's
// name, because each of them may be the secret itself, put in the wrong place.
//
// A secret file that others can read or write (mode o+r, o+w) is an error and not a warning: a
// warning at start is read by nobody. The group may read it, so root:weir 0640 is fine.
//
// Limits: 4 KiB a secret; printable text in one line, because it goes into a header or a form
// field.
#pragma once

#include <map>
#include <string>

#include "weir/result.h"

#include "shim/config/yaml_reader.h"

namespace weir {

Result<std::string> secret_from_file(const std::string& path);
Result<std::string> secret_from_environment(const std::string& name);

// {file: PATH} or {env: NAME}. Leaves `out` alone, and says why, when there is no secret.
void read_secret(const YamlValue& value, std::string& out);
// A map of names to references, resolved into `out`.
void read_secrets(YamlMap& map, std::map<std::string, std::string>& out);

}  // namespace weir
