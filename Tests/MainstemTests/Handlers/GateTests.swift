// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct ResponseFeed: Response, Equatable { var text: String }
private struct RequestFeed: Request {
  typealias Answer = ResponseFeed
  var page = 1
}
private struct RequestSiteFeed: Request {
  typealias Answer = ResponseFeed
  var page = 1
}
private struct ResponseRefresh: Response {}
private struct RequestRefresh: Request { typealias Answer = ResponseRefresh }
private struct SignedIn: Notice, ScalarEvent {
  static let role = Role.value
  var value: Bool
}

extension Status {
  fileprivate static let expired = Status(rawValue: 1401)
  fileprivate static let out = Status(rawValue: 1402)
}

/// A site whose sessions expire.
private struct Site: Server {
  var isExpired = false
  var canRefresh = true
  var refreshes = 0

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestSiteFeed.self) { site, request in
      if site.isExpired { throw Failure("expired", code: .expired) }
      return ResponseFeed(text: "page \(request.page)")
    }
    on.answer(RequestRefresh.self) { site, _, delivery in
      site.refreshes += 1
      guard site.canRefresh else {
        try delivery.context.set(SignedIn(value: false))
        throw Failure("sign in again", code: .out)
      }
      site.isExpired = false
      return ResponseRefresh()
    }
  }
}

private func program(_ site: Site = Site(), refusal: Status? = nil) throws -> Context {
  let context = try Context()
  try context.install(site)
  try context.addGate(
    "Gate", [Passing(RequestFeed.self, as: RequestSiteFeed.self)], open: SignedIn.self,
    refresh: Refresh(RequestRefresh.self, after: .expired), refusal: refusal)
  return context
}

/// The answer; it comes before the call returns.
private func ask(_ context: Context, _ page: Int = 1) throws -> ResponseFeed? {
  var got: Result<ResponseFeed, Failure>?
  try context.request(RequestFeed(page: page)) { answer, _ in got = answer }
  return try got?.get()
}

@Suite struct GateTests {
  @Test func requestsWaitForTheSession() throws {
    let context = try program()
    var pages: [String] = []
    for page in 1...3 {
      try context.request(RequestFeed(page: page)) { answer, _ in
        if case .success(let feed) = answer { pages.append(feed.text) }
      }
    }
    #expect(pages == [])
    try context.set(SignedIn(value: true))
    #expect(pages == ["page 1", "page 2", "page 3"])
  }

  @Test func aClosedGateMayRefuse() throws {
    let context = try program(refusal: .out)
    let failure = #expect(throws: Failure.self) { try ask(context) }
    #expect(failure?.code == .out)
    #expect(failure?.message == "the session is closed")
  }

  @Test func anExpiredSessionIsRefreshed() throws {
    let context = try program(Site(isExpired: true))
    try context.set(SignedIn(value: true))
    #expect(try ask(context, 7) == ResponseFeed(text: "page 7"))
  }

  @Test func aRefreshThatFailsFailsTheRequest() throws {
    let context = try program(Site(isExpired: true, canRefresh: false))
    try context.set(SignedIn(value: true))
    let failure = #expect(throws: Failure.self) { try ask(context) }
    #expect(failure?.code == .out)
    #expect(failure?.message == "sign in again")
  }

  @Test func itsEndCancelsWhatItKeeps() throws {
    let context = try Context()
    try context.install(Site())
    let gate = try context.addGate(
      "Gate", [Passing(RequestFeed.self, as: RequestSiteFeed.self)], open: SignedIn.self)
    var codes: [Status] = []
    try context.request(RequestFeed()) { answer, _ in
      if case .failure(let failure) = answer { codes.append(failure.code) }
    }
    try gate.close()
    #expect(codes == [.cancelled])
  }

  @Test func mistakesAreRefused() throws {
    let context = try program()
    let unknown = #expect(throws: StreamError.self) {
      try context.addGate(
        "Other", [Passing(RequestFeed.self, as: RequestSiteFeed.self)], open: "SignedOut")
    }
    #expect(unknown?.message.contains("is not a registered event type") == true)
    let none = #expect(throws: StreamError.self) {
      try context.addGate("Other", [], open: SignedIn.self)
    }
    #expect(none?.message.contains("a gate passes on requests") == true)
    let negative = #expect(throws: StreamError.self) {
      try context.addGate(
        "Other", [Passing(RequestFeed.self, as: RequestSiteFeed.self)], open: SignedIn.self,
        limit: -1)
    }
    #expect(negative?.message == "addGate: limit is -1: at least 1")
  }
}
