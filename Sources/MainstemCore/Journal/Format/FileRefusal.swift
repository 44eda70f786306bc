// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

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
