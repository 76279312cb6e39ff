// SPDX-License-Identifier: Apache-2.0
//
// The only table of legal state changes of a batch.
//
//                  +--> shed, cancelled
//     pending -----+
//        ^         +--> claimed --+--> submitted
//        |                |       +--> refused
//        +----------------+       +--> unknown ---> submitted | refused
//         only when nothing       +--> shed             only by a receipt,
//         was submitted,                                a report or a person
//         for certain
#pragma once

#include "weir/types.h"

namespace weir {

bool may_follow(BatchState from, BatchState to);

// Nothing can follow without a person or a receipt.
bool is_final(BatchState state);

}  // namespace weir
