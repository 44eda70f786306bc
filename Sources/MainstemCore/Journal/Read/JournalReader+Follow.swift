// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Going on behind a writer.
extension JournalReader {
  /// Looks again for what follows the end: `next` returns it. Without anything new, the reader stays at its end.
  package mutating func follow() throws(Refusal) {
    guard case .ended = state, !isBlank else { return }
    // Before the file is measured: one that another follows is complete.
    findHighest()
    if place.end == 0 { return try followHeader() }
    file.measure()
    if try hasMore() { state = .reading }
  }

  private mutating func findHighest() {
    var (lowest, found): (UInt64, UInt64) = (0, 0)
    guard place.isNumbered, mainstem_p_input_numbers(path.text, &lowest, &found) == 0 else {
      return
    }
    highest = max(highest, found)
  }

  /// Reads the header of the last file, which was not whole yet.
  private mutating func followHeader() throws(Refusal) {
    progress.torn &-= UInt64(tornAtEnd)
    tornAtEnd = 0
    place.number &-= 1
    state = .reading
    do throws(Refusal) {
      try openNext()
    } catch {
      place.number &+= 1
      state = .ended
      throw error
    }
  }

  /// Whether anything follows the last record, or did. Zeros are reserved room, which is not searched each time.
  private mutating func hasMore() throws(Refusal) -> Bool {
    if tornAtEnd > 0 || place.isNumbered && place.number < highest { return true }
    guard let head = try file.bytes(at: place.end, RecordFormat.headerSize) else {
      return file.remaining(at: place.end) > 0
    }
    // Every record has a type or a kind.
    return head.load(fromByteOffset: 48, as: UInt64.self) != 0
  }

  /// Counts what a crash left where reading ends, once however often it is looked at.
  @inline(never)
  mutating func noteTorn(_ bytes: Int) {
    progress.torn = progress.torn &- UInt64(tornAtEnd) &+ UInt64(bytes)
    tornAtEnd = bytes
  }
}
