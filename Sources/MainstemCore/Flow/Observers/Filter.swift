// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Which event types an observer looks at; resolved to rows, so that a send need not test it.
package enum Filter {
  /// No types: it only keeps a release hook.
  case nothing
  case one(UInt32)
  /// Several types, ascending; the filter owns the list.
  case several(UnsafeMutablePointer<UInt32>, count: Int)
  case pattern(Pattern)

  /// Types by role and layer, including those registered later.
  package struct Pattern {
    /// 0: every role.
    package let role: UInt64
    /// One bit for each layer.
    package let layers: UInt64

    package init(role: UInt64, layers: UInt64) {
      self.role = role
      self.layers = layers
    }

    /// Every type of these layers.
    package init(layers: UInt64) { self.init(role: 0, layers: layers) }

    /// The same pattern, limited to some layers.
    package func narrowed(to layers: UInt64) -> Pattern {
      Pattern(role: role, layers: self.layers & layers)
    }

    package func matches(_ contract: Contract) -> Bool {
      (role == 0 || contract.role?.rawValue == role)
        && layers & (1 << UInt64(contract.layer)) != 0
    }
  }

  package var pattern: Pattern? {
    if case .pattern(let pattern) = self { return pattern }
    return nil
  }

  package func free() {
    if case .several(let types, _) = self { Memory.free(types) }
  }
}
