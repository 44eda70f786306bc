// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension JournalEvent {
  /// What a type was called when the journal's last event was recorded.
  static func name(of type: mainstem_event_type, in journal: OpaquePointer?) -> String {
    var info = mainstem_type_info()
    info.size = UInt32(MemoryLayout<mainstem_type_info>.size)
    guard mainstem_journal_type_read(journal, type, &info) == 0 else { return "" }
    return info.name.map { String(cString: $0) } ?? ""
  }

  /// The name of the scope that the journal's last event was sent through.
  static func origin(_ origin: UInt32, in journal: OpaquePointer?) -> String {
    var name: UnsafePointer<CChar>?
    // The context itself has no name to ask for.
    guard origin != 0, mainstem_journal_origin_name(journal, origin, &name) == 0 else { return "" }
    return name.map { String(cString: $0) } ?? ""
  }

  /// The journal's last event as a line of text.
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
