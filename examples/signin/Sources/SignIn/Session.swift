// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// The service: one for all screens. It knows who is signed in, and asks the provider.
public struct Session: Server {
  /// How long it waits for the provider.
  static let patience = Duration.seconds(10)

  var state = SignState.unsigned
  /// Who is signing out; remains signed in if that fails.
  private var leaving: User?

  public init() {}

  public static func handlers(_ on: inout Handlers<Self>) {
    on.effect(.fetch) { on in
      on.answer(RequestFetchSignState.self) { session, _ in ResponseSignState(state: session.state)
      }
    }
    on.effect(.perform) { on in
      on.answer(
        RequestPerformSignIn.self, timeout: patience,
        asking: { session, request in
          try session.begin(.signingIn, from: session.state == .unsigned)
          return RequestLogIn(text: request.text)
        },
        then: { session, request, answer in
          session.state = .signed(user: User(name: request.name, time: answer.text))
          return ResponseDone()
        },
        failed: { session, _, failure in
          session.state = .unsigned
          throw failure
        })
      on.answer(
        RequestPerformSignOut.self, timeout: patience,
        asking: { session, _ in
          session.leaving = session.state.user
          try session.begin(.signingOut, from: session.leaving != nil)
          return RequestLogOut(text: session.leaving?.name ?? "")
        },
        then: { session, _, _ in
          session.state = .unsigned
          return ResponseDone()
        },
        failed: { session, _, failure in
          session.state = session.leaving.map(SignState.signed) ?? .unsigned
          throw failure
        })
    }
    on.show { [$0.state] }
  }

  private mutating func begin(_ next: SignState, from isThere: Bool) throws {
    guard isThere else { throw Failure("BUSY", userMessage: "Please wait.", code: .busy) }
    state = next
  }
}
