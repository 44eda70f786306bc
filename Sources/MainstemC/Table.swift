// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import MainstemCore

/// A host's rows, `stride` bytes apart.
struct Table<Row> {
  private let start: UnsafeRawPointer?
  private let stride: Int

  /// - Parameter hasGrown: Whether rows of 0.10 end before the last field, which takes eight bytes.
  init(
    _ rows: UnsafePointer<Row>?, _ rowSize: Int, _ count: Int, _ argument: Phrase,
    hasGrown: Bool = false
  ) throws(Refusal) {
    guard count >= 0, count <= 1 << 24 else {
      throw Refusal(.tooBig, "count", "is over 16,777,216 rows")
    }
    guard rows != nil || count == 0 else { throw .null(argument) }
    try Self.check(rowSize, hasGrown: hasGrown)
    start = UnsafeRawPointer(rows)
    stride = rowSize
  }

  /// Checks the size of a row. Only that of a row that we know will do: another one would be read at the wrong places,
  /// and beyond its end.
  private static func check(_ size: Int, hasGrown: Bool) throws(Refusal) {
    let known = MemoryLayout<Row>.stride
    guard size != known, !hasGrown || size != known &- 8 else { return }
    // A `size_t`, whose upper half arrives as negative numbers.
    guard UInt(bitPattern: size) < UInt(known) else {
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
    try check(rowSize, hasGrown: false)
    UnsafeMutableRawPointer(row).initializeMemory(as: UInt8.self, repeating: 0, count: rowSize)
    return row
  }

  /// A row; what the caller's version does not have is 0.
  subscript(index: Int) -> Row {
    let place = start! + index &* stride
    let size = MemoryLayout<Row>.stride
    if stride == size { return place.load(as: Row.self) }
    return withUnsafeTemporaryAllocation(
      byteCount: size, alignment: MemoryLayout<Row>.alignment
    ) { copy in
      let copy = copy.baseAddress!
      copy.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      copy.copyMemory(from: place, byteCount: stride)
      return copy.load(as: Row.self)
    }
  }
}
