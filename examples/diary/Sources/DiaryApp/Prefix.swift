// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What comes before the names that another app in the context may have, too. See diary.h.
///
/// A Swift type has one name in a process, so all contexts of a process have the same prefix.
enum Prefix {
  private static let first = Mutex<String?>(nil)

  static var chosen: String { first.withLock { $0 ?? "" } }

  /// Chooses the prefix.
  ///
  /// - Returns: Whether it is the prefix now; false: another one was chosen before.
  static func choose(_ prefix: String) -> Bool {
    first.withLock { first in
      first = first ?? prefix
      return first == prefix
    }
  }
}
