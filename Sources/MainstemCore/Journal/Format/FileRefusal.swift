// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Refusal {
  /// A refusal with the system's error for a file.
  ///
  /// - Parameters:
  ///   - code: The system's errno.
  ///   - reason: What could not be done.
  package static func file(_ path: Bytes, _ reason: Phrase, _ code: Int32) -> Refusal {
    guard code != ENOMEM else { return .noMemory }
    var subject = SubjectWriter()
    subject.add(path)
    subject.add(" (")
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { text in
      guard let start = text.baseAddress else { return }
      mainstem_p_input_error(code, start, 128)
      subject.add(Bytes(zeroEnded: start))
    }
    subject.add(")")
    return Refusal(.io, "path", reason, .name(subject.bytes))
  }
}
