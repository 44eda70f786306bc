// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import Synchronization
import Testing

private struct Moved: Notice {
  static let name = "app.moved"
  static let layer: Layer = .view
  var to: Int
}
private struct RequestRead: Request { typealias Answer = ResponseRead }
private struct ResponseRead: Response { var note: Note }
private struct Note: Codable, Equatable, Sendable {
  var title: String
  var id: Int
  var done: Bool?
}
private struct Say: Notice, TextEvent { var text: String }

/// A host that writes its own text under a name of ours, as a C program does.
private struct Written<E: Event>: TextEvent {
  static var name: String { E.name }
  static var payload: Payload { .json }
  static var role: Role { E.role }
  static var answer: (any Response.Type)? { E.answer }
  var text: String
}

@Suite("Event") struct EventTests {
  @Test func `the name is the type's name unless it is pinned`() {
    #expect(RequestRead.name == "RequestRead")
    #expect(Moved.name == "app.moved")
  }

  @Test func `role, answer and payload follow from the declaration`() {
    #expect(RequestRead.role == .request)
    #expect(RequestRead.answer == ResponseRead.self)
    #expect(RequestRead.payload == .none)
    #expect(ResponseRead.role == .response)
    #expect(ResponseRead.payload == .json)
    #expect(Moved.role == .notice)
    #expect(Say.payload == .text)
    #expect(Say.record == .full)
    #expect(!Say.isSecret)
  }

  @Test func `a payload is the object of its fields, keys sorted, nil left out`() throws {
    let response = ResponseRead(note: Note(title: "Käse/Milk", id: 7))

    let bytes = try response.encoded(by: JSONCoder())

    #expect(String(decoding: bytes, as: UTF8.self) == #"{"note":{"id":7,"title":"Käse/Milk"}}"#)
    #expect(try ResponseRead.decoded(from: bytes, by: JSONCoder()) == response)
  }

  @Test func `an event without fields has no payload`() throws {
    let context = try Context()
    var sizes: [Int] = []
    var seen: [RequestRead] = []
    let every = try context.observe { sizes.append($0.payload.count) }
    let typed = try context.observe(RequestRead.self) { request, _ in seen.append(request) }

    try context.send(RequestRead())

    #expect(sizes == [0])
    #expect(seen == [RequestRead()])
    every.cancel()
    typed.cancel()
  }

  @Test func `a text event is its text, and text in any language arrives whole`() throws {
    let context = try Context()
    var seen: [String] = []
    let subscription = try context.observe(Say.self) { say, _ in seen.append(say.text) }

    for text in ["", "a\0b", "naïve 日本 👩‍👩‍👧"] { try context.send(Say(text: text)) }

    #expect(seen == ["", "a\0b", "naïve 日本 👩‍👩‍👧"])
    subscription.cancel()
  }

  @Test func `text of another program is read whatever its order and spaces`() throws {
    let context = try Context()
    var seen: [ResponseRead] = []
    let subscription = try context.observe(ResponseRead.self) { event, _ in seen.append(event) }

    let text = #"{ "more": [1], "note": { "title": "Milk", "id": 3, "done": null } }"#
    try Context(borrowing: context.handle).send(Written<ResponseRead>(text: text))

    #expect(seen == [ResponseRead(note: Note(title: "Milk", id: 3))])
    subscription.cancel()
  }

  @Test(arguments: [
    (#"{"to":"left"}"#, "app.moved: to: "), ("{}", "app.moved: to: "), ("{", "app.moved: "),
    ("", "app.moved: "),
  ])
  func `a wrong payload is a failure that names type and field`(
    text: String, start: String
  ) throws {
    let context = try Context()
    var reports: [FailureReport] = []
    var calls = 0
    let watching = try context.observe(FailureReport.self) { report, _ in reports.append(report) }
    let moved = try context.observe(Moved.self) { _, _ in calls += 1 }

    try Context(borrowing: context.handle).send(WrittenMoved(text: text))
    try context.send(Moved(to: 1))

    #expect(calls == 1)
    #expect(reports.map(\.code) == [Status.invalid.rawValue])
    #expect(reports.first?.message.hasPrefix(start) == true)
    watching.cancel()
    moved.cancel()
  }

  @Test func `a value that has no JSON is refused by send`() throws {
    struct Measured: Notice { var value: Double }
    let context = try Context()

    let error = #expect(throws: StreamError.self) { try context.send(Measured(value: .nan)) }

    #expect(error?.status == .invalid)
    #expect(error?.message.hasPrefix("Measured: value: ") == true)
    #expect(try context.stats().events == 0)
  }

  @Test func `an event is decoded once for all who look, as what C would read`() throws {
    let context = try Context()
    let serial = try context.serial("reader")
    let counts = DecodeCounts()
    var seen: [Lossy] = []
    var subscriptions: [Subscription] = []
    for _ in 0..<3 {
      subscriptions.append(try context.observe(Lossy.self) { event, _ in seen.append(event) })
    }
    subscriptions.append(
      try context.observe(Lossy.self, on: .host) { event, _ in seen.append(event) })
    subscriptions.append(
      try context.observe(Lossy.self, on: serial) { event, _ in counts.add(event.id) })

    DecodeCounts.all.reset()
    try context.send(Lossy(id: 1, note: "not encoded"))
    try context.send(Lossy(id: 2, note: "nor this"))
    try context.drain()
    try subscriptions[4].cancelAndWait()

    #expect(seen.map(\.id) == [1, 1, 1, 2, 2, 2, 1, 2])
    #expect(seen.allSatisfy { $0.note == "decoded" })
    // Once each at once; the two others look later, and may find another event in between.
    #expect(2...6 ~= DecodeCounts.all.sum)
    withExtendedLifetime(subscriptions) {}
  }

  @Test func `without a coder an event of fields is refused, and a text is not`() throws {
    let context = try Context(coder: nil)

    try context.send(Say(text: "hello"))
    try context.send(RequestRead())
    let error = #expect(throws: StreamError.self) { try context.send(Moved(to: 1)) }

    #expect(
      error?.message
        == "app.moved: the context was made without a payload coder: give it one, JSONCoder()")
  }

  @Test func `one name with two contracts is refused`() throws {
    struct Other: Notice {
      static let name = "app.moved"
      static let layer: Layer = .model
      var to: Int
    }
    let context = try Context()
    try context.send(Moved(to: 1))

    let error = #expect(throws: StreamError.self) {
      try Context(borrowing: context.handle).send(Other(to: 1))
    }

    #expect(error?.status == .invalid)
    #expect(context.firstError == error)
  }
}

/// Encodes less than it holds.
private struct Lossy: Notice {
  enum CodingKeys: CodingKey { case id }
  var id: Int
  var note = "decoded"

  init(id: Int, note: String) { (self.id, self.note) = (id, note) }

  init(from decoder: any Decoder) throws {
    DecodeCounts.all.add(1)
    id = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
  }
}

private final class DecodeCounts: Sendable {
  static let all = DecodeCounts()
  private let count = Atomic(0)

  var sum: Int { count.load(ordering: .sequentiallyConsistent) }
  func add(_ number: Int) { count.add(number, ordering: .sequentiallyConsistent) }
  func reset() { count.store(0, ordering: .sequentiallyConsistent) }
}

private struct WrittenMoved: Notice, TextEvent {
  static let name = "app.moved"
  static let layer: Layer = .view
  static let payload: Payload = .json
  var text: String
}
