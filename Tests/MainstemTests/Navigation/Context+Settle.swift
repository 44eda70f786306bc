// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

extension Context {
  /// Drains until the stage has nothing more to do.
  func settle() throws { while try drain() > 0 {} }
}
