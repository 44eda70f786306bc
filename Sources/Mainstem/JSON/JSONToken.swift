// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A value in a JSON text, or the key of a member. The values within a container follow it.
struct JSONToken: BitwiseCopyable {
  enum Kind: UInt8 { case null, `true`, `false`, number, string, escaped, object, array }

  var kind: Kind
  /// For an object: whether its keys are plain, and each is greater than the one before.
  var isOrdered = true
  /// Where its text begins and ends; for a string, without the quotes.
  var start: UInt32
  var end: UInt32
  /// The token after it and all within it.
  var next: Int32 = 0
  /// Members or elements.
  var count: Int32 = 0
  /// For an object: the key to look at first, because fields are read one after the other.
  var hint: Int32 = 0
}
