// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Writes the subject of a refusal, which may have several parts, into memory of the thread's. It stays there until the
/// message is written.
package struct SubjectWriter {
  private let memory = mainstem_p_subject()
  private var length = 0

  package init() {}

  package var bytes: Bytes {
    guard let memory else { return Bytes("") }
    return Bytes(UnsafeRawPointer(memory), length)
  }

  /// The thread's own copy of a subject; what was written here already stays.
  @inline(never)
  static func keep(_ bytes: Bytes) -> Bytes {
    var writer = SubjectWriter()
    if let memory = writer.memory, UnsafeRawPointer(memory) == bytes.start { return bytes }
    writer.add(bytes)
    return writer.bytes
  }

  /// Puts the number of a row before a subject that is written here.
  @inline(never)
  static func inRow(_ index: UInt64, _ kept: Bytes) -> Bytes {
    var writer = SubjectWriter()
    guard let memory = writer.memory else { return kept }
    // "row ", at most 20 digits, ": ".
    let room = min(kept.count, Int(MAINSTEM_P_SUBJECT_CAPACITY) &- 26)
    let end = UnsafeMutableRawPointer(memory) + 26
    end.copyMemory(from: kept.start, byteCount: room)
    writer.add("row ")
    writer.add(index)
    writer.add(": ")
    writer.add(Bytes(end, room))
    return writer.bytes
  }

  package func hasRoom(for count: Int) -> Bool {
    count <= Int(MAINSTEM_P_SUBJECT_CAPACITY) &- length
  }

  /// Adds as much as there is room for.
  @inline(never)
  package mutating func add(_ bytes: Bytes) {
    let count = min(bytes.count, Int(MAINSTEM_P_SUBJECT_CAPACITY) &- length)
    guard let memory, count > 0 else { return }
    UnsafeMutableRawPointer(memory + length).copyMemory(from: bytes.start, byteCount: count)
    length &+= count
  }

  @inline(never)
  package mutating func add(_ text: Phrase) { add(text.bytes) }

  @inline(never)
  package mutating func add(_ number: UInt64) {
    var divisor: UInt64 = 1
    while number / divisor >= 10 { divisor &*= 10 }
    while divisor > 0 {
      var digit = UInt8(truncatingIfNeeded: 0x30 &+ number / divisor % 10)
      withUnsafePointer(to: &digit) { add(Bytes(UnsafeRawPointer($0), 1)) }
      divisor /= 10
    }
  }
}
