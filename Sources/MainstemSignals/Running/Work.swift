// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Something that a run has still to do.
@usableFromInline final class Work {
  /// When that has ended, there is nothing to do.
  @usableFromInline let life: Life
  /// Does a part of it, at most one event. Returns whether more is to be done after what this part
  /// has brought about.
  @usableFromInline let step: () -> Bool
  /// A source: between two of its events others get their turn.
  @usableFromInline let isSource: Bool

  @inlinable init(_ life: Life, isSource: Bool = false, _ step: @escaping () -> Bool) {
    self.life = life
    self.isSource = isSource
    self.step = step
  }
}
