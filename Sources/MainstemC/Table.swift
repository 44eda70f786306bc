// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import MainstemCore

/// A host's rows, `stride` bytes apart: plain ones, or ones with something behind.
struct Table<Row> {
  private let start: UnsafeRawPointer?
  private let stride: Int

  /// - Parameter longest: The size of a row with something behind, if there are such rows.
  init(
    _ rows: UnsafePointer<Row>?, _ rowSize: Int, _ count: Int, _ argument: Phrase,
    longest: Int = 0
  ) throws(Refusal) {
    guard count >= 0, count <= 1 << 24 else {
      throw Refusal(.tooBig, "count", "is over 16,777,216 rows")
    }
    guard rows != nil || count == 0 else { throw .null(argument) }
    try Self.check(rowSize, longest)
    start = UnsafeRawPointer(rows)
    stride = rowSize
  }

  /// Checks the size of a row. Only that of a row that we know will do: another one would be read at the wrong places,
  /// and beyond its end.
  private static func check(_ size: Int, _ longest: Int = 0) throws(Refusal) {
    let plain = MemoryLayout<Row>.stride
    guard size != plain, longest == 0 || size != longest else { return }
    // A `size_t`, whose upper half arrives as negative numbers.
    guard UInt(bitPattern: size) < UInt(max(plain, longest)) else {
      throw Refusal(
        .unsupported, "row_size",
        "is more than a row that this library knows: pass the size of one row, not of the table")
    }
    throw Refusal(.invalid, "row_size", "is not the size of a row: pass sizeof rows[0]")
  }

  /// Checks a place for one row, and clears it.
  static func clear(
    _ row: UnsafeMutablePointer<Row>?, _ rowSize: Int
  ) throws(Refusal) -> UnsafeMutablePointer<Row> {
    guard let row else { throw .null("row") }
    try check(rowSize)
    UnsafeMutableRawPointer(row).initializeMemory(as: UInt8.self, repeating: 0, count: rowSize)
    return row
  }

  subscript(index: Int) -> Row {
    start!.load(fromByteOffset: index &* stride, as: Row.self)
  }
}

extension Table {
  /// Reads the flags behind a row; rows that end before have none.
  func flags(behind index: Int) -> UInt32 {
    let offset = MemoryLayout<Row>.size
    guard stride >= offset &+ MemoryLayout<UInt32>.size, let start else { return 0 }
    return start.load(fromByteOffset: index &* stride &+ offset, as: UInt32.self)
  }

  /// Reads the name behind a row; rows that end before have none.
  func name(behind index: Int) -> UnsafePointer<CChar>? {
    let offset = MemoryLayout<Row>.size
    guard stride >= offset &+ MemoryLayout<UnsafePointer<CChar>>.size, let start else { return nil }
    return start.load(fromByteOffset: index &* stride &+ offset, as: UnsafePointer<CChar>?.self)
  }
}
