// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Failure {
  /// The error that a failed response carries.
  init(of event: UnsafePointer<mainstem_event>) {
    var error = mainstem_error()
    error.size = UInt32(MemoryLayout<mainstem_error>.size)
    guard mainstem_event_error(event, &error) == 0 else {
      self.init("the response carries no error", code: .invalid)
      return
    }
    let message = Failure.text(error.message)
    self.init(
      SwiftWords.translate(message), recorded: message, Failure.text(error.user_message),
      Failure.text(error.subject), Status(rawValue: error.code))
  }

  /// Answers a request with this failure.
  func answer(_ event: UnsafePointer<mainstem_event>) -> mainstem_status {
    withError { mainstem_respond_error_with(event, $0) }
  }

  /// Runs `body` with this failure as a C struct.
  func withError(_ body: (UnsafePointer<mainstem_error>) -> mainstem_status) -> mainstem_status {
    recorded.withCString { message in
      textForUsers.withCString { text in
        subject.withCString { subject in
          var error = mainstem_error(
            size: UInt32(MemoryLayout<mainstem_error>.size), code: code.rawValue,
            message: message, user_message: text, subject: subject)
          return body(&error)
        }
      }
    }
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}
