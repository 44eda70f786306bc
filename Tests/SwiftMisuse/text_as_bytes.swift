// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Named: Notice, BitwiseEvent {
  var name: String  // says: has non-bitwise-copyable type 'String'
}
