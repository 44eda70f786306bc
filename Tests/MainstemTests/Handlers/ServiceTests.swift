// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Testing

private struct ResponseEntries: Response { var count: Int }
private struct RequestFetchEntries: Request {
  typealias Answer = ResponseEntries
  var isCareless = false
}
private struct RequestLoadMore: Request {
  typealias Answer = ResponseEntries
  var by = 10
}
private struct Count: Notice, ScalarEvent {
  static let role = Role.value
  var value: Int
}
private struct Go: Notice {}

/// A service with two operations and a value.
private struct Diary: Server {
  var count = 0

  static func handlers(_ on: inout Handlers<Self>) {
    on.effect(.fetch) { on in
      on.answer(RequestFetchEntries.self) { diary, request, delivery in
        if request.isCareless { try delivery.context.set(Count(value: -1)) }
        return ResponseEntries(count: diary.count)
      }
    }
    on.effect(.loadMore) { on in
      on.answer(RequestLoadMore.self) { diary, request, delivery in
        diary.count += request.by
        try delivery.context.set(Count(value: diary.count))
        return ResponseEntries(count: diary.count)
      }
    }
  }
}

/// A service that view models hear.
private struct Session: ViewModel {
  var isSignedIn = false

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("isSignedIn", \.isSignedIn)
    on.command("signIn") { $0.isSignedIn = true }
  }
}

/// One that is also asked.
private struct Account: ViewModel {
  var entries = 0

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("entries", \.entries)
    on.answer(RequestLoadMore.self) { account, request in
      account.entries += request.by
      return ResponseEntries(count: account.entries)
    }
    on.effect(.fetch) { on in
      on.answer(RequestFetchEntries.self) { account, request in
        if request.isCareless { account.entries = -1 }
        return ResponseEntries(count: account.entries)
      }
    }
  }
}

private struct Header: ViewModel {
  var title = "Hello"

  static func handlers(_ on: inout Handlers<Self>) {
    on.shows("title", \.title)
    on.observes("isSignedIn", of: Session.self) { (header, isSignedIn: Bool) in
      header.title = isSignedIn ? "Welcome back" : "Hello"
    }
  }
}

private struct ResponseOrder: Response { var count: Int }
private struct RequestOrder: Request { typealias Answer = ResponseOrder }
private struct Rest: Notice {}
private struct Bell: Notice {}

/// A service that makes a helper for its first order, and ends when nobody has ordered for half a minute.
private struct Cook: Server {
  let hearBell: () -> Void
  var orders = 0
  var helper: (scope: Context, listening: Subscription)?
  var timer: EventTimer?

  static func handlers(_ on: inout Handlers<Self>) {
    on.answer(RequestOrder.self) { cook, _, delivery in
      let context = delivery.context
      if cook.helper == nil {
        let (helper, hearBell) = (try context.scope("Helper"), cook.hearBell)
        cook.helper = (helper, try helper.observe(Bell.self) { _, _ in hearBell() })
      }
      cook.timer?.cancel()
      cook.timer = try context.send(Rest(), after: .seconds(30))
      cook.orders += 1
      return ResponseOrder(count: cook.orders)
    }
    on.own { on in
      on.event(Rest.self) { _, _, delivery in
        try delivery.context.close()
        return []
      }
    }
  }
}

/// What is made in one context, and seen of it.
private final class World {
  let context: Context
  var made = 0
  var seen: [String] = []
  private let subscriptions = Subscriptions()

  init(_ context: Context) throws {
    self.context = context
    try context.addService(Diary.self) { [unowned self] in
      made += 1
      return Diary()
    }
    subscriptions.keep(
      try context.observe(FailureReport.self) { [unowned self] report, _ in
        seen.append(report.message)
      })
    subscriptions.keep(
      try context.observe(Go.self) { [unowned self] _, _ in
        seen.append("found \(try context.find(Diary.self).number != 0)")
      })
  }

  func play() throws {
    _ = context.request(RequestLoadMore(by: 2))
    try context.find(Diary.self).close()
    try context.send(Go())
    let view = try context.scope("View")
    let own = try context.scope(number: try view.open("Diary").get())
    _ = own?.request(RequestLoadMore(by: 1))
    try view.close()
    try context.find(Diary.self).close()
    _ = context.request(RequestLoadMore())
  }
}

@Suite("Services") struct ServiceTests {
  private let folder = Folder()

  @Test func `the first request makes a service`() throws {
    let world = try World(try Context())
    #expect(world.made == 0)
    #expect(try world.context.request(RequestLoadMore(by: 3)).get().count == 3)
    #expect(try world.context.scope("Other").request(RequestLoadMore()).get().count == 13)
    #expect(world.made == 1)
    #expect(try world.context.find(Diary.self).value(of: Count.self)?.value == 13)
  }

  @Test func `A-67: same, different, fresh and isolated`() throws {
    let world = try World(try Context())
    let service = try world.context.find(Diary.self)
    let number = try service.number
    #expect(try world.context.scope("Other").find("Diary").number == number)
    let own = try #require(try world.context.scope(number: try world.context.open("Diary").get()))
    #expect(try own.number != number)
    #expect(try world.context.request(RequestLoadMore(by: 7)).get().count == 7)
    #expect(try own.request(RequestLoadMore(by: 1)).get().count == 1)
    try service.close()
    #expect(try world.context.find(Diary.self).number != number)
    #expect(try world.context.request(RequestFetchEntries()).get().count == 0)
    let other = try World(try Context())
    #expect(try other.context.request(RequestFetchEntries()).get().count == 0)
    #expect((world.made, other.made) == (3, 1))
  }

  @Test func `A-66: a fetch that changes a value has failed`() throws {
    let world = try World(try Context())
    #expect(try world.context.request(RequestLoadMore(by: 5)).get().count == 5)
    #expect(throws: Failure.self) {
      try world.context.request(RequestFetchEntries(isCareless: true)).get()
    }
    #expect(world.seen == ["Count changes while RequestFetchEntries is handled, which is a fetch"])
    #expect(try world.context.find(Diary.self).value(of: Count.self)?.value == 5)
  }

  @Test func `A-66: a name says no other effect`() throws {
    struct Wrong: Server {
      static func handlers(_ on: inout Handlers<Self>) {
        on.effect(.reload) { on in
          on.answer(RequestFetchEntries.self) { _, _ in ResponseEntries(count: 0) }
        }
      }
    }
    let error = #expect(throws: StreamError.self) { try Context().install(Wrong()) }
    #expect(error?.message.contains("another effect") == true)
  }

  @Test func `two view models hear one session`() throws {
    let context = try Context()
    try context.addService(Session.self) { Session() }
    var titles: [String] = []
    let headers = try (0..<2).map { _ in
      try context.bind(to: try context.open(Header())) { rows in
        rows.show("title") { (title: String) in titles.append(title) }
      }
    }
    let session = try context.bind(to: try context.find(Session.self)) { _ in }
    _ = try session.run("signIn")
    try context.drain()
    headers.forEach { $0.end() }
    #expect(titles == ["Hello", "Hello", "Welcome back", "Welcome back"])
  }

  @Test func `the first request makes a view model that is a service`() throws {
    let path = folder.file("account")
    var (made, shown) = (0, [Int]())
    func install(_ context: Context) throws {
      try context.addService(Account.self) {
        made += 1
        return Account()
      }
    }
    let context = try Context()
    try context.record(to: path)
    try install(context)
    #expect(try context.request(RequestLoadMore(by: 3)).get().count == 3)
    let account = try context.find(Account.self)
    let binding = try context.bind(to: account) { rows in
      rows.show("entries") { (count: Int) in shown.append(count) }
    }
    #expect(try context.scope("Other").request(RequestLoadMore(by: 4)).get().count == 7)
    let own = try #require(try context.scope(number: try context.open("Account").get()))
    #expect(try own.request(RequestLoadMore(by: 1)).get().count == 1)
    #expect(try context.request(RequestFetchEntries()).get().count == 7)
    try context.drain()
    #expect((made, shown) == (2, [3, 7]))
    #expect(context.firstError == nil)
    binding.end()
    try account.close()
    #expect(try context.request(RequestLoadMore()).get().count == 10)
    // Its fetches are those of a service, too.
    var reports: Set<String> = []
    let watching = try context.observe(FailureReport.self) { report, _ in
      reports.insert(report.message)
    }
    _ = context.request(RequestFetchEntries(isCareless: true))
    #expect(
      reports == ["Account.entries changes while RequestFetchEntries is handled, which is a fetch"])
    watching.cancel()
    try context.close()

    made = 0
    try Journal.verify(path, install)
    #expect(made == 3)
  }

  @Test func `A-17: a service that nobody asks ends, and its helper`() throws {
    let path = folder.file("idle")
    var (made, bells) = (0, 0)
    func install(_ context: Context) throws {
      try context.addService(Cook.self) {
        made += 1
        return Cook { bells += 1 }
      }
    }
    let context = try Context(ContextOptions(clock: .virtual))
    try context.record(to: path)
    try install(context)
    let before = try context.stats()
    for count in 1...2 {
      #expect(try context.request(RequestOrder()).get().count == count)
      try context.advance(by: .milliseconds(29_999))
      #expect(try context.stats().scopes == before.scopes + 2)
    }
    try context.send(Bell())
    try context.advance(by: .milliseconds(1))
    try context.send(Bell())
    let after = try context.stats()
    #expect((after.scopes, after.subscriptions) == (before.scopes, before.subscriptions))
    #expect((after.timers, made, bells) == (0, 1, 1))
    #expect(try context.request(RequestOrder()).get().count == 1)
    try context.advance(by: .seconds(30))
    #expect(try context.stats().scopes == before.scopes)
    try context.close()

    (made, bells) = (0, 0)
    try Journal.verify(path, install)
    #expect((made, bells) == (2, 1))
  }

  @Test func `a service that fails is made by the next request`() throws {
    let context = try Context()
    var left = 1
    try context.addService(Diary.self) {
      left -= 1
      if left == 0 { throw Failure("Not today.", code: Status(rawValue: 1007)) }
      return Diary()
    }
    #expect(throws: Failure.self) { try context.request(RequestLoadMore()).get() }
    #expect(try context.request(RequestLoadMore()).get().count == 10)
    let error = #expect(throws: StreamError.self) { try context.find("Nobody") }
    #expect(error?.status == .invalid)
  }

  @Test func `a server shows a value only when it differs`() throws {
    struct Shelf: Server {
      var count = 0
      static func handlers(_ on: inout Handlers<Self>) {
        on.answer(RequestLoadMore.self) { shelf, request in
          shelf.count += request.by
          return ResponseEntries(count: shelf.count)
        }
        on.show { [Count(value: $0.count)] }
      }
    }
    let context = try Context()
    try context.addService(Shelf.self) { Shelf() }
    var seen: [Int] = []
    let counts = try context.observe(Count.self) { count, _ in seen.append(count.value) }
    for by in [1, 0, 0, 2] { _ = context.request(RequestLoadMore(by: by)) }
    let late = try context.observe(Count.self) { count, _ in seen.append(count.value * 10) }
    #expect(seen == [1, 3, 30])
    counts.cancel()
    late.cancel()
  }

  @Test func `a session with services verifies`() throws {
    let path = folder.file("services")
    var made = 0
    do {
      let world = try World(try Context())
      try world.context.record(to: path)
      try world.play()
      made = world.made
      try world.context.close()
    }
    #expect(made == 4)
    var again: World?
    try Journal.verify(path) { again = try World($0) }
    #expect(again?.made == made)
    #expect(again?.seen == ["found true"])
  }
}
