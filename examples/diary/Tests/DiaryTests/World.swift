// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing

@testable import DiaryApp

/// The services in a context with virtual time, over a store that answers as the test says.
@MainActor final class World {
  static let ada = Account(isSignedIn: true, nickname: "Ada", hasAgreed: true, hasSeenGuide: true)

  let test = TestContext()
  let accounts: Stub<RequestReadAccount>
  let renewals: Stub<RequestRenewSession>
  let pages: Stub<RequestReadEntries>
  /// What views were told.
  private(set) var told: [String] = []
  private var bindings: [Binding] = []

  init(
    _ account: Account = ada, pages: [StubAnswer<ResponseEntries>] = [],
    renewals: [StubAnswer<ResponseSession>] = [], writing: Duration = .zero
  ) throws {
    try test.context.addService(User.self) { User(patience: .seconds(10)) }
    try test.context.addService(Diary.self) { Diary(patience: .seconds(10)) }
    try UserData.addGate(to: test.context)
    accounts = test.stub(RequestReadAccount.self) { _ in ResponseAccount(account: account) }
    test.stub(RequestWriteAccount.self) { ResponseAccount(account: $0.account) }
    self.renewals = test.stub(RequestRenewSession.self, renewals)
    self.pages = test.stub(RequestReadEntries.self, pages)
    test.stub(RequestReadEntry.self) { request in
      guard request.id > 0 else { throw Failure("NO_ENTRY", userMessage: "This entry is gone.") }
      return ResponseWritten(entry: World.entry(request.id), total: 12)
    }
    if writing > .zero {
      let entry = Entry(id: 3, day: World.day, text: "Sun.")
      let written = StubAnswer.answer(ResponseWritten(entry: entry, total: 12))
      test.stub(RequestWriteEntry.self, [.after(writing, written)])
    } else {
      test.stub(RequestWriteEntry.self) { request in
        let entry = Entry(id: request.id ?? 13, day: World.day, text: request.text)
        return ResponseWritten(entry: entry, total: request.id == nil ? 13 : 12)
      }
    }
    test.stub(RequestEraseEntry.self) { request in
      ResponseWritten(entry: World.entry(request.id), total: 11)
    }
  }

  static let day = "2026-11-23"

  static func entry(_ id: Int) -> Entry { Entry(id: id, day: World.day, text: "Day \(id)") }

  /// A page as the store has it: the greatest id first.
  static func page(
    _ ids: ClosedRange<Int>, of total: Int = 12, isLast: Bool = false, today: Today? = nil
  ) -> StubAnswer<ResponseEntries> {
    let entries = ids.reversed().map(entry)
    return .answer(ResponseEntries(entries: entries, total: total, isLast: isLast, today: today))
  }

  static let ended = Failure(
    "SESSION_ENDED", userMessage: "The session is over.", code: .sessionEnded)
  static let signedOut = Failure("SIGNED_OUT", userMessage: "Sign in again.", code: .signedOut)

  static let none = StubAnswer.answer(ResponseEntries(entries: [], total: 0, isLast: true))

  /// Opens a view model. The services that it makes live on.
  func open<M: ViewModel>(_ model: M) -> TestView {
    let view = test.open(model)
    test.keep()
    test.skip()
    return view
  }

  /// Notes what a view model tells by a name.
  func hear<Value: Decodable>(_ view: TestView, _ name: String, _ type: Value.Type) throws {
    bindings.append(
      try test.context.bind(to: view.scope) { rows in
        rows.show(name) { [unowned self] (value: Value) in told.append("\(name) \(value)") }
      })
    test.keep()
  }
}
