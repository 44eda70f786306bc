// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The library's report of a callback that failed, at its 1st, 2nd, 4th, 8th … failure.
///
/// Its cause is the event that the callback got.
public struct FailureReport: Notice {
  /// The type of the event that the callback got.
  public var type: String
  /// The scope that observed; empty for the context itself.
  public var origin: String
  /// The code of the failure.
  public var code: Int32
  /// The sentence of the failure.
  public var sentence: String
  /// How often this callback has failed by now.
  public var count: Int

  /// The library's own type.
  public static let name: String = "MainstemFailure"
  /// The library's own layer.
  public static let layer: Layer = .system

  /// Makes a report, to compare with one.
  ///
  /// - Parameters:
  ///   - type: The type of the event that the callback got.
  ///   - origin: The scope that observed.
  ///   - code: The code of the failure.
  ///   - sentence: The sentence of the failure.
  ///   - count: How often the callback has failed by then.
  public init(type: String, origin: String, code: Int32, sentence: String, count: Int) {
    self.type = type
    self.origin = origin
    self.code = code
    self.sentence = sentence
    self.count = count
  }
}
