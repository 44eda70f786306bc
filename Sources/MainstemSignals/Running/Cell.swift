// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A variable that a chain's closures share. It is touched for each value, on one thread, and never
/// inside itself: the check for that would cost more than an operator.
@usableFromInline final class Cell<Content> {
  @exclusivity(unchecked) @usableFromInline var content: Content

  @inlinable init(_ content: Content) { self.content = content }
}
