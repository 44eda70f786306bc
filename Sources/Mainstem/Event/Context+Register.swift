// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

extension Context {
  /// Makes event types known to the context, and the types that answer them.
  ///
  /// A type that is sent, observed or served on the context's thread is known anyway. Register those that only other
  /// threads use: what they post, or report as progress.
  ///
  ///     try context.register(Exporting.self)
  ///
  /// - Parameter kinds: The types. One that is known already stays as it is.
  /// - Throws: ``Status/invalid`` if another type has the name; ``Status/wrongThread``.
  public func register(_ kinds: any Event.Type...) throws(StreamError) {
    for kind in kinds { _ = try types.number(of: kind) }
  }
}
