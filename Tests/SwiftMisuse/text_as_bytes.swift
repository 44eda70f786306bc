// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

struct Named: Notice, BitwiseEvent {
  var name: String  // says: stored property 'name' of 'BitwiseCopyable'-conforming struct 'Named' has non-bitwise-copyable type 'String'
}
