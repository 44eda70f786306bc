// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What a stage answers, once, from any thread.
package struct StageReply: Sendable {
  private let settle: (@Sendable (Failure?) -> Void)?

  /// In a replay nobody waits for it.
  static let none = StageReply()

  private init() { settle = nil }

  init<R: StageRequest>(_ reply: Reply<R>) {
    // Refused: it was too late, and a hide follows.
    settle = { failure in
      if let failure { try? reply.fail(failure) } else { try? reply.respond(R.Answer()) }
    }
  }

  /// Whether anybody waits for it.
  var isAwaited: Bool { settle != nil }

  /// Answers that it is done.
  package func succeed() { settle?(nil) }

  /// Answers that it cannot be done.
  package func fail(_ failure: Failure) { settle?(failure) }
}

/// What the navigator asks its stage: read by functions of C, not decoded.
protocol StageRequest: Request where Answer: StageAnswer {}

protocol StageAnswer: Response { init() }

struct ShowRequest: StageRequest {
  typealias Answer = ShowAnswer
  static let name: String = "MainstemShow"
  static let layer: Layer = .navigation
}

struct ShowAnswer: StageAnswer {
  static let name: String = "MainstemShown"
  static let layer: Layer = .navigation
}

struct HideRequest: StageRequest {
  typealias Answer = HideAnswer
  static let name: String = "MainstemHide"
  static let layer: Layer = .navigation
}

struct HideAnswer: StageAnswer {
  static let name: String = "MainstemHidden"
  static let layer: Layer = .navigation
}
