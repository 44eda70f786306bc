// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemTesting
import Testing
import TodoModel
import TodoServers
import TodoViewModel

private struct NoticeOpened: Notice {
  var page: String
  var seconds = 5
}

private struct ResponseSession: Response {
  static let isSecret = true
  var token: String
}

private struct RequestSignIn: Request {
  typealias Answer = ResponseSession
  static let isSecret = true
  var password: String
}

/// A host that has been asked to upload, and answers when a test says so.
private final class Host {
  var asked: [RequestUpload] = []
  var arrived: [RequestUpload] = []
  private var open: [Reply<RequestUpload>] = []

  fileprivate func take(_ request: RequestUpload, _ reply: Reply<RequestUpload>) {
    asked.append(request)
    open.append(reply)
  }

  /// The uploads that were asked for: the pages of each, or the names of events.
  var pages: [[String]] { asked.map(\.words) }

  func agree() throws {
    arrived.append(try #require(asked.last))
    try open.removeFirst().respond(ResponseUploaded(batch: asked[asked.count - 1].batch))
  }

  func refuse() throws { try open.removeFirst().fail(Failure("OFFLINE")) }
}

extension RequestUpload {
  fileprivate var words: [String] {
    records.map { record in
      if case .word(let word) = record["page"] ?? record["event"] { word } else { "" }
    }
  }
}

private struct Uploader: Server {
  let host: Host

  static func handlers(_ on: inout Handlers<Self>) {
    on.event(RequestUpload.self) { server, request, delivery in
      server.host.take(request, try delivery.reply(to: RequestUpload.self))
      return []
    }
  }
}

@Suite("Analytics (E-102)")
struct AnalyticsTests {
  private let pages = [
    AnalyticsRule(NoticeOpened.self) { $0.seconds < 1 ? nil : ["page": .word($0.page)] }
  ]

  @Test func `a full batch goes at once, and it has what the rules tell`() throws {
    let (test, host, analytics) = try opened(size: 2)
    send("home", to: test)
    test.send(NoticeOpened(page: "too short", seconds: 0))
    send("lists", to: test)

    #expect(
      host.asked.map(\.records) == [
        [
          ["event": .word("NoticeOpened"), "at": .number(1), "page": .word("home")],
          ["event": .word("NoticeOpened"), "at": .number(3), "page": .word("lists")],
        ]
      ])
    try end(test, analytics)
  }

  @Test func `a batch that is not full goes when its time has come`() throws {
    let (test, host, analytics) = try opened(size: 10)
    send("home", to: test)
    test.advance(by: .seconds(29))
    #expect(host.asked.isEmpty)
    test.advance(by: .seconds(1))
    #expect(host.pages == [["home"]])
    try end(test, analytics)
  }

  @Test(arguments: seeds(20))
  func `an upload fails twice: batches arrive once each, in order (A-30)`(seed: UInt64) throws {
    let (test, host, analytics) = try opened(size: 2, seed: seed)
    send("a", "b", "c", "d", "e", "f", to: test)

    for seconds in [1, 5] {
      try host.refuse()
      test.advance(by: .seconds(seconds) - .milliseconds(1))
      let before = host.asked.count
      test.advance(by: .milliseconds(1))
      #expect(host.asked.count == before + 1)
    }
    for _ in 1...3 {
      try host.agree()
      test.advance(by: .zero)
    }

    let all = [["a", "b"], ["a", "b"], ["a", "b"], ["c", "d"], ["e", "f"]]
    #expect(host.pages == all)
    #expect(Set(host.asked.prefix(3).map(\.batch)).count == 1)
    #expect(host.arrived.map(\.words) == Array(all[2...]))
    #expect(Set(host.arrived.map(\.batch)).count == 3)
    try end(test, analytics)
  }

  @Test func `an upload that nobody answers is asked for again after a minute`() throws {
    let (test, host, analytics) = try opened(size: 1)
    send("a", to: test)
    test.advance(by: .seconds(60))
    #expect(host.pages == [["a"]])
    test.advance(by: .seconds(1))
    #expect(host.pages == [["a"], ["a"]])
    try end(test, analytics)
  }

  @Test func `what is due goes, and then what has come meanwhile`() throws {
    let (test, host, analytics) = try opened(size: 2)
    send("a", to: test)
    test.send(NoticeUploadDue())
    test.advance(by: .zero)
    send("b", "c", "d", to: test)
    test.send(NoticeUploadDue())
    test.advance(by: .zero)
    #expect(host.pages == [["a"]])

    for _ in 1...3 {
      try host.agree()
      test.advance(by: .zero)
    }
    #expect(host.pages == [["a"], ["b", "c"], ["d"]])

    send("e", to: test)
    #expect(host.asked.count == 3)
    try end(test, analytics)
  }

  @Test func `what is too much is dropped, counted and told`() throws {
    let (test, host, analytics) = try opened(size: 3, keep: 3)
    for page in ["a", "b", "c", "d", "e", "f"] { test.send(NoticeOpened(page: page)) }
    test.advance(by: .zero)
    send("g", "h", "i", "j", to: test)
    try host.agree()
    test.advance(by: .zero)

    #expect(host.pages == [["d", "e", "f", "lost"], ["h", "i", "j", "lost"]])
    #expect(host.asked.map { $0.records.last?["count"] } == [.number(3), .number(1)])
    try end(test, analytics)
  }

  @Test func `of secrets only that they happened is told, and neither password nor token (A-30)`()
    throws
  {
    let open = AnalyticsRule(NoticeOpened.self) {
      ["page": .word($0.page), "password": .word("opensesame"), "token": .word("t-4711")]
    }
    let secret = AnalyticsRule(RequestSignIn.self) { ["was": .word($0.password)] }
    let (test, host, analytics) = try opened(size: 2, rules: [open, secret])
    var lines: [String] = []
    let subscription = try test.context.observe { lines.append($0.line) }
    test.send(RequestSignIn(password: "opensesame"))
    send("home", to: test)
    subscription.cancel()

    #expect(
      host.asked.map(\.records) == [
        [
          ["event": .word("RequestSignIn"), "at": .number(1)],
          ["event": .word("NoticeOpened"), "at": .number(2), "page": .word("home")],
        ]
      ])
    #expect(lines.contains { $0.contains("RequestUpload") })
    #expect(!lines.contains { $0.contains("opensesame") || $0.contains("t-4711") })
    try end(test, analytics)
  }

  @Test func `it can send nothing else, and sees what its rules name`() throws {
    let (test, _, analytics) = try opened(size: 1)
    let sent = #expect(throws: StreamError.self) {
      try analytics.scope.send(NoticeOpened(page: "never"))
    }
    #expect(sent?.status == .denied)
    let seen = #expect(throws: StreamError.self) {
      _ = try analytics.scope.observe(RequestReadTodos.self) { _, _ in }
    }
    #expect(seen?.status == .denied)
    try end(test, analytics)
  }

  @Test func `closed it tells nothing, and no queue of it is in the way`() throws {
    let (test, host, analytics) = try opened(size: 1, keep: 1)
    test.skip()
    try analytics.scope.close()
    for _ in 1...10 {
      test.send(NoticeOpened(page: "home"))
      test.expect(NoticeOpened(page: "home"))
    }
    test.advance(by: .seconds(60))
    test.expectNothing()
    #expect(host.asked.isEmpty)
  }

  @Test func `of todos it tells what was done and what has failed, and no text of a user`() throws {
    let test = TestContext()
    let app = try App(in: test, Todo.made(10, "PRIVATE"))
    test.keep()
    let (host, analytics) = try analyze(test, .todos, size: 100)
    let row = TodoViewModel(Todo.made(10, "PRIVATE"))
    test.send(RequestTodoViewModels(list: "PRIVATE"))
    test.send(RequestToggleCompleteTodoViewModel(row: row))
    test.send(RequestDeleteTodoViewModel(row: row))
    test.send(RequestUndoDeleteTodoViewModel(list: "home"))
    test.send(RequestRestoreTodoViewModel(row: row))
    test.send(RequestMoveTodoViewModel(row: row))
    test.send(RequestNewTodoDetailViewModel(list: "home"))
    var detail = TodoDetailViewModel(
      Todo(id: "id-1", list: "home", createdAt: App.now), session: "id-2")
    test.send(RequestUpdateDetailViewModel(detail: detail))
    detail.title = "PRIVATE"
    test.send(RequestUpdateDetailViewModel(detail: detail))
    test.send(RequestTodoDetailViewModel(row: row))
    test.send(RequestCancelDetailViewModel(detail: TodoDetailViewModel(row.todo, session: "id-3")))
    test.send(RequestPurgeTodoViewModel(row: row))
    test.send(NoticeUploadDue())
    test.advance(by: .zero)

    let upload = try #require(host.asked.first)
    #expect(upload.records.map { facts(of: $0) } == told)
    #expect(!String(describing: upload).contains("PRIVATE"))
    try end(test, analytics)
    withExtendedLifetime(app) {}
  }

  private let told = [
    "RequestTodoViewModels query=false", "RequestToggleCompleteTodoViewModel complete=true",
    "RequestDeleteTodoViewModel", "RequestUndoDeleteTodoViewModel", "RequestRestoreTodoViewModel",
    "RequestMoveTodoViewModel", "ResponseTodoViewModel code=1006",
    "ResponseUpdateDetailViewModel code=1001",
    "ResponseUpdateDetailViewModel new=true outcome=saved",
    "ResponseUpdateDetailViewModel new=false outcome=cancelled",
    "RequestPurgeTodoViewModel", "ResponsePurgedTodoViewModel code=1003",
  ]

  private func facts(of record: [String: Fact]) -> String {
    var words: [String] = []
    for (name, fact) in record.sorted(by: { $0.key < $1.key }) where name != "at" {
      switch fact {
      case .flag(let flag): words.append("\(name)=\(flag)")
      case .number(let number): words.append("\(name)=\(number)")
      case .word(let word):
        if name == "event" { words.insert(word, at: 0) } else { words.append("\(name)=\(word)") }
      }
    }
    return words.joined(separator: " ")
  }

  private func opened(
    size: Int, keep: Int = 1000, seed: UInt64 = 1, rules: [AnalyticsRule]? = nil
  ) throws -> (TestContext, Host, Analytics) {
    let test = TestContext(seed: seed)
    let (host, analytics) = try analyze(test, rules ?? pages, size: size, keep: keep)
    return (test, host, analytics)
  }

  private func analyze(
    _ test: TestContext, _ rules: [AnalyticsRule], size: Int, keep: Int = 1000
  ) throws -> (Host, Analytics) {
    let host = Host()
    var options = Analytics.Options()
    (options.size, options.keep) = (size, keep)
    let analytics = try Analytics(in: test.context, rules, options)
    test.install(Uploader(host: host))
    return (host, analytics)
  }

  private func send(_ pages: String..., to test: TestContext) {
    for page in pages {
      test.send(NoticeOpened(page: page))
      test.advance(by: .zero)
    }
  }

  private func end(_ test: TestContext, _ analytics: Analytics) throws {
    try analytics.scope.close()
    test.advance(by: .zero)
    test.skip()
  }
}
