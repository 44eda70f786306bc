// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The path of a journal, as our own copy.
package struct JournalPath: ~Copyable {
  private let name: Name

  package init(_ bytes: Bytes) throws(Refusal) {
    guard let name = Name(copying: bytes) else { throw .noMemory }
    self.name = name
  }

  deinit { name.free() }

  package var bytes: Bytes { name.bytes }
  package var text: UnsafePointer<CChar> { UnsafePointer(name.text) }
}

extension Refusal {
  /// A refusal with the system's error for a file.
  ///
  /// - Parameters:
  ///   - number: The number of one of the journal's files; 0: its path says it all.
  ///   - code: The system's errno.
  ///   - reason: What could not be done.
  package static func file(
    _ path: Bytes, number: UInt64 = 0, _ reason: Phrase, _ code: Int32,
    _ argument: Phrase = "path"
  ) -> Refusal {
    guard code != ENOMEM else { return .noMemory }
    var subject = SubjectWriter()
    if number != 0 {
      subject.add("file ")
      subject.add(number)
      subject.add(" of ")
    }
    subject.add(path)
    subject.add(" (")
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
      guard let start = text.baseAddress else { return }
      mainstem_p_input_error(code, start, 128)
      subject.add(Bytes(zeroEnded: start))
    }
    subject.add(")")
    return Refusal(.io, argument, reason, .name(subject.bytes))
  }
}
