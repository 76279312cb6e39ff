// SPDX-License-Identifier: Apache-2.0
#include "shim/config/secrets.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "shim/config/file_text.h"

namespace weir {
namespace {

// Far above any key or password, far below what could hurt.
constexpr size_t kMaxSecretBytes = 4096;
constexpr unsigned kOthersReadOrWrite = 0006;

constexpr const char* kHowTo =
    "write {file: PATH} or {env: NAME} here, and the secret itself into that file or variable";

Result<std::string> checked(std::string secret) {
  if (secret.empty()) return Error{"is empty; the secret must be there before weir starts"};
  const bool printable = std::all_of(secret.begin(), secret.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte != 0x7F;
  });
  if (!printable) return Error{"holds more than one line, or a control character"};
  return secret;
}

Result<std::string> resolve(const std::optional<std::string>& file,
                            const std::optional<std::string>& env) {
  if (file.has_value() == env.has_value()) return Error{kHowTo};
  return file ? secret_from_file(*file) : secret_from_environment(*env);
}

}  // namespace

void read_secret(const YamlValue& value, std::string& out) {
  if (value.node().kind != YamlNode::Kind::kMap) {
    value.fault(std::string("a secret is never written into this file; ") + kHowTo);
    return;
  }
  std::optional<std::string> file;
  std::optional<std::string> env;
  bool read = true;
  value.map([&](YamlMap& map) {
    map.hide_keys();
    const std::optional<YamlValue> at_file = map.find("file");
    const std::optional<YamlValue> at_env = map.find("env");
    if (at_file) file = at_file->text(YamlMap::kMaxText);
    if (at_env) env = at_env->text(YamlMap::kMaxText);
    read = (!at_file || file) && (!at_env || env);
  });
  if (!read) return;
  Result<std::string> secret = resolve(file, env);
  if (!secret) {
    value.fault(secret.error().detail);
    return;
  }
  out = std::move(*secret);
}

Result<std::string> secret_from_file(const std::string& path) {
  Result<FileText> file = read_file_text(path, kMaxSecretBytes);
  if (!file) {
    return Error{"the secret's file " + file.error().detail +
                 " (a relative path starts at the current directory)"};
  }
  if ((file->mode & kOthersReadOrWrite) != 0) {
    return Error{"the secret's file can be read or written by everybody; run chmod o-rwx on it"};
  }
  std::string text = std::move(file->text);
  while (text.ends_with('\n') || text.ends_with('\r'))
    text.pop_back();
  Result<std::string> secret = checked(std::move(text));
  if (!secret) return Error{"the secret's file " + secret.error().detail};
  return secret;
}

Result<std::string> secret_from_environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return Error{"the secret's environment variable is not set"};
  if (std::string_view(value).size() > kMaxSecretBytes) {
    return Error{"the secret's environment variable is longer than 4 KiB"};
  }
  Result<std::string> secret = checked(value);
  if (!secret) return Error{"the secret's environment variable " + secret.error().detail};
  return secret;
}

void read_secrets(YamlMap& map, std::map<std::string, std::string>& out) {
  size_t entry = 0;
  map.each([&](const YamlValue& named) {
    // Not by its key: somebody may have written the secret there.
    const YamlValue value(named.reading(), named.node(),
                          map.value().name() + " entry " + std::to_string(++entry));
    std::string secret;
    read_secret(value, secret);
    out.emplace(named.key(), std::move(secret));
  });
}

}  // namespace weir
