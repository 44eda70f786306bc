// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What the name of a type says.
extension Effect {
  /// Refuses a handler whose type's name says otherwise than its flags.
  static func check(_ flags: UInt32, _ name: Bytes) throws(Refusal) {
    guard flags != 0 else { return }
    guard flags & (flags &- 1) == 0 else {
      throw Refusal(.invalid, "rows.flags", "says two effects: a handler has one")
    }
    let named = said(by: name)
    guard named == 0 || named == flags else {
      throw Refusal(
        .invalid, "rows.flags", "says another effect than the name of the type", .name(name))
    }
  }

  /// The flag that a name begins with: `RequestFetchEntries`, `Diary.loadMore`; 0: none.
  private static func said(by name: Bytes) -> UInt32 {
    var rest = name
    while let dot = firstDot(in: rest) { rest = rest.from(dot &+ 1) }
    if rest.hasPrefix("Request") { rest = rest.from(7) }
    guard rest.count > 0 else { return 0 }
    return if begins(rest, "etch", with: 0x66) {
      UInt32(MAINSTEM_HANDLER_FETCH)
    } else if begins(rest, "eload", with: 0x72) {
      UInt32(MAINSTEM_HANDLER_RELOAD)
    } else if begins(rest, "oadMore", with: 0x6C) {
      UInt32(MAINSTEM_HANDLER_LOAD_MORE)
    } else if begins(rest, "pdate", with: 0x75) {
      UInt32(MAINSTEM_HANDLER_UPDATE)
    } else if begins(rest, "erform", with: 0x70) {
      UInt32(MAINSTEM_HANDLER_PERFORM)
    } else {
      0
    }
  }

  private static func firstDot(in name: Bytes) -> Int? {
    var index = 0
    while index < name.count {
      if name[index] == 0x2E { return index }
      index &+= 1
    }
    return nil
  }

  /// Whether a name begins with a word: a letter, small or capital, then the rest, and then no small letter.
  private static func begins(_ name: Bytes, _ rest: StaticString, with letter: UInt8) -> Bool {
    guard name[0] | 0x20 == letter, name.from(1).hasPrefix(rest) else { return false }
    let end = 1 &+ Bytes(rest).count
    return end == name.count || !(0x61...0x7A).contains(name[end])
  }
}

extension Bytes {
  fileprivate func from(_ index: Int) -> Bytes { Bytes(start + index, count &- index) }
}
