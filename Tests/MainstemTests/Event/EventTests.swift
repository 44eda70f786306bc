// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Mainstem
import MainstemJSON
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
    try context.send(Written<ResponseRead>(text: text))

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

    try context.send(WrittenMoved(text: text))
    try context.send(Moved(to: 1))

    #expect(calls == 1)
    #expect(reports.map(\.code) == [Status.invalid.rawValue])
    #expect(reports.first?.sentence.hasPrefix(start) == true)
    watching.cancel()
    moved.cancel()
  }

  @Test func `a value that has no JSON is refused by send`() throws {
    struct Measured: Notice { var value: Double }
    let context = try Context()

    let error = #expect(throws: StreamError.self) { try context.send(Measured(value: .nan)) }

    #expect(error?.status == .invalid)
    #expect(error?.sentence.hasPrefix("Measured: value: ") == true)
    #expect(try context.stats().events == 0)
  }

  @Test func `one name with two contracts is refused`() throws {
    struct Other: Notice {
      static let name = "app.moved"
      var to: Int
    }
    let context = try Context()
    try context.send(Moved(to: 1))

    let error = #expect(throws: StreamError.self) { try context.send(Other(to: 1)) }

    #expect(error?.status == .invalid)
    #expect(context.firstError == error)
  }
}

private struct WrittenMoved: Notice, TextEvent {
  static let name = "app.moved"
  static let layer: Layer = .view
  static let payload: Payload = .json
  var text: String
}
