// SPDX-License-Identifier: Apache-2.0
//
// A template and its row.
//
// Store's thread; read_templates() at start, before there is one. Templates are few and wholly in
// the engine's memory, so reading them is a scan, once.
#pragma once

#include <vector>

#include "weir/result.h"
#include "weir/template.h"

#include "shim/store/sqlite.h"

namespace weir {

bool put_template_row(Statement& insert, const Template& one);

Status read_templates(Connection& connection, std::vector<Template>& templates);

}  // namespace weir
