// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension JournalEvent {
  /// The name of a type in the session of the last event read.
  static func name(of type: mainstem_event_type, in journal: OpaquePointer?) -> String {
    var info = mainstem_type_info()
    info.size = UInt32(MemoryLayout<mainstem_type_info>.size)
    guard mainstem_journal_type_read(journal, type, &info) == 0 else { return "" }
    return info.name.map { String(cString: $0) } ?? ""
  }

  /// The name of a scope in the session of the last event read.
  static func origin(_ origin: UInt32, in journal: OpaquePointer?) -> String {
    var name: UnsafePointer<CChar>?
    // The context itself has no name.
    guard origin != 0, mainstem_journal_origin_name(journal, origin, &name) == 0 else { return "" }
    return name.map { String(cString: $0) } ?? ""
  }

  /// An event of the journal as one line of text.
  static func line(
    of event: UnsafePointer<mainstem_event>, in journal: OpaquePointer?
  ) -> String {
    var length = 0
    mainstem_journal_event_line(journal, event, nil, 0, &length)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length + 1) { buffer in
      guard let start = buffer.baseAddress,
        mainstem_journal_event_line(journal, event, start, buffer.count, nil) == 0
      else { return "" }
      return String(cString: start)
    }
  }
}
