// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A route whose component finishes with a result of a known type.
///
///     extension Destination<Confirmed> {
///       static let confirm = Destination("confirm")
///     }
///
///     on.dialog(.confirm) { _, route in Confirm(text: route.query("text") ?? "") }
///     let answer = try await context.navigator.open(.confirm, ["text": "Delete?"])
public struct Destination<Result: Event>: Hashable, Sendable {
  /// The pattern of the route.
  public let pattern: String

  /// Makes one from its pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern, such as `pick/<int:id>`.
  ///   - type: The type of the result.
  public init(_ pattern: String, gives type: Result.Type = Result.self) { self.pattern = pattern }

  /// Writes a URL of it.
  ///
  /// - Parameter values: A value for each placeholder. Others become the query.
  /// - Returns: The URL.
  /// - Throws: ``Status/invalid`` if a value is missing, given twice, or cannot be written there.
  public func url(
    _ values: KeyValuePairs<String, String> = [:]
  ) throws(StreamError) -> String {
    try Router.write(pattern, values)
  }
}
