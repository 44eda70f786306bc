// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem

/// The service that knows who uses the diary. It is the same at the next visit.
struct User: Server {
  /// How long it waits for the store.
  let patience: Duration
  /// Nil: nothing has been read yet.
  private var account: Account?
  /// Whether the session has ended without a sign-out.
  private var sessionEnded = false

  init(patience: Duration) { self.patience = patience }

  static func handlers(_ on: inout Handlers<Self>) {
    on.effect(.reload) { on in
      on.answer(RequestUser.self, asks: [RequestReadAccount.self]) { user, _ in
        try user.known { .done(ResponseUser(account: $1)) }
      }
    }
    on.effect(.perform) { on in
      on.answer(RequestPerformSignIn.self, asks: [RequestWriteAccount.self]) {
        try $0.signIn($1)
      }
      on.answer(RequestPerformSignOut.self) { user, _ in
        try user.change { $0.isSignedIn = false }
      }
      on.answer(RequestRefreshSession.self, asks: [RequestRenewSession.self]) { user, _ in
        user.renew()
      }
    }
    on.effect(.update) { on in
      on.answer(RequestUpdateGuide.self) { user, _ in
        try user.change { $0.hasSeenGuide = true }
      }
    }
    on.show { $0.values }
  }

  private var values: [any Notice] {
    guard let account else { return [] }
    return [
      UserSessionEnded(value: sessionEnded), UserIsSignedIn(value: account.isSignedIn),
      UserNickname(text: account.nickname), UserHasAgreed(value: account.hasAgreed),
      UserHasSeenGuide(value: account.hasSeenGuide),
    ]
  }

  /// Without another session, the user is signed out before that is answered, which closes the gate. A store that is out of
  /// order signs nobody out.
  private func renew() -> Next<Self, ResponseSession> {
    .ask(RequestRenewSession(), timeout: patience) { _, session in
      .done(session)
    } failed: { user, failure in
      if failure.code == .signedOut {
        user.account?.isSignedIn = false
        user.sessionEnded = true
      }
      throw failure.forUsers
    }
  }

  private mutating func signIn(_ request: RequestPerformSignIn) throws -> Next<Self, ResponseUser> {
    try change(signsIn: true) { account in
      guard request.hasAgreed || account.hasAgreed else {
        throw Failure("NOT_AGREED", userMessage: "Please agree to the terms first.")
      }
      (account.isSignedIn, account.nickname, account.hasAgreed) = (true, request.nickname, true)
    }
  }

  /// Has the store keep a change. What is written is the state, and what could not be written has not happened.
  private mutating func change(
    signsIn: Bool = false, _ body: @escaping (inout Account) throws -> Void
  ) throws -> Next<Self, ResponseUser> {
    try known { user, account in
      var account = account
      try body(&account)
      let write = RequestWriteAccount(account: account, signsIn: signsIn)
      return .ask(write, timeout: user.patience) { user, written in
        (user.account, user.sessionEnded) = (written.account, false)
        return .done(ResponseUser(account: written.account))
      } failed: { _, failure in
        throw failure.forUsers
      }
    }
  }

  /// Goes on when it is known who it is.
  private mutating func known(
    _ then: @escaping (inout Self, Account) throws -> Next<Self, ResponseUser>
  ) throws -> Next<Self, ResponseUser> {
    if let account { return try then(&self, account) }
    return .ask(RequestReadAccount(), timeout: patience) { user, kept in
      // Another one may have been faster, and may have changed it since.
      let account = user.account ?? kept.account
      user.account = account
      return try then(&user, account)
    } failed: { _, failure in
      throw failure.forUsers
    }
  }
}
