// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A value in a draft: a member of an object, an element of an array, or the whole.
struct JSONPiece: BitwiseCopyable {
  enum Kind: UInt8 { case nothing, scalar, object, array }

  var kind = Kind.nothing
  /// In the draft's bytes: `"key":`, then the text of a scalar.
  var keyStart: UInt32
  var keyEnd: UInt32
  /// The first eight bytes of the key, which decide most comparisons.
  var keyHead: UInt64 = 0
  var textStart: UInt32 = 0
  var textEnd: UInt32 = 0
  /// Other pieces, by number; -1: none.
  var parent: Int32
  var next: Int32 = -1
  var first: Int32 = -1
  var last: Int32 = -1
  /// Members or elements.
  var count: Int32 = 0
}
