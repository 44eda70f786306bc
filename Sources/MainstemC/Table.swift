// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import MainstemCore

/// A host's rows, `stride` bytes apart. A row may be longer than the one we know: its end belongs to a later version.
struct Table<Row> {
  private let start: UnsafeRawPointer?
  private let stride: Int

  init(
    _ rows: UnsafePointer<Row>?, _ rowSize: Int, _ count: Int, _ argument: Phrase
  ) throws(Refusal) {
    guard count >= 0, count <= 1 << 24 else {
      throw Refusal(.tooBig, "count", "is over 16,777,216 rows")
    }
    guard rows != nil || count == 0 else { throw .null(argument) }
    guard Self.isRow(rowSize) else {
      throw Refusal(.invalid, "row_size", "is not the size of a row: pass sizeof rows[0]")
    }
    start = UnsafeRawPointer(rows)
    stride = rowSize
  }

  private static func isRow(_ size: Int) -> Bool {
    size >= MemoryLayout<Row>.size && size % MemoryLayout<Row>.alignment == 0 && size <= 4096
  }

  /// Checks a place for one row, and clears it: its end may belong to a later version.
  static func clear(
    _ row: UnsafeMutablePointer<Row>?, _ rowSize: Int
  ) throws(Refusal) -> UnsafeMutablePointer<Row> {
    guard let row else { throw .null("row") }
    guard isRow(rowSize) else {
      throw Refusal(.invalid, "row_size", "is not the size of a row: pass sizeof *row")
    }
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
