// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Mainstem
import Testing

private struct Item: Codable, Equatable, Sendable {
  var title: String
  var count: Int8
  var tags: [String]?
}
private struct Cart: Notice {
  var owner: String
  var items: [Item]
  var mood: Mood?
}
private enum Mood: String, Codable, Sendable { case glad, sad }
private struct WrittenCart: Notice, TextEvent {
  static let name = "Cart"
  static let payload: Payload = .json
  var text: String
}

/// The coder of a program that uses Foundation's as they are.
private struct FoundationCoder: PayloadCoder {
  func encode<Value: Encodable>(_ value: Value) throws -> [UInt8] {
    Array(try JSONEncoder().encode(value))
  }
  func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}

/// Words of decoders, which mean nothing to who wrote the event.
private let decodersWords = [
  "DecodingError", "EncodingError", "CodingKey", "keyNotFound", "typeMismatch", "valueNotFound",
  "dataCorrupted", "debugDescription", "underlyingError", "Index ", "line 1", "column", "Swift.",
  "Dictionary<", "Array<", "container", "No value associated", "to decode",
]

@Suite("What a coder refuses") struct CodingProblemTests {
  /// What an observer's failure says of a text.
  private func refusal(of text: String, by coder: any PayloadCoder) throws -> String {
    let context = try Context(coder: coder)
    var reports: [FailureReport] = []
    let watching = try context.observe(FailureReport.self) { report, _ in reports.append(report) }
    let cart = try context.observe(Cart.self) { _, _ in }
    // As another program would write it: in one context, two Swift types of one name are refused.
    try Context(borrowing: context.handle).send(WrittenCart(text: text))
    watching.cancel()
    cart.cancel()
    return reports.first?.message ?? ""
  }

  @Test(arguments: [
    (#"{"owner":"Ada"}"#, "Cart: items: is missing; the fields are owner"),
    ("{}", "Cart: owner: is missing; there are no fields"),
    (#"{"owner":3,"items":[]}"#, "Cart: owner: expected String, got the number 3"),
    (#"{"owner":null,"items":[]}"#, "Cart: owner: expected String, got null"),
    (#"{"owner":"Ada","items":{}}"#, "Cart: items: expected a list, got an object"),
    (#"{"owner":"Ada","items":[3]}"#, "Cart: items[0]: expected an object, got the number 3"),
    (
      #"{"owner":"Ada","items":[{"title":"Milk","count":"two"}]}"#,
      #"Cart: items[0].count: expected Int8, got the text "two""#
    ),
    (
      #"{"owner":"Ada","items":[{"title":"Milk","count":300}]}"#,
      "Cart: a number in it does not fit its field"
    ),
    (
      #"{"owner":"Ada","items":[{"title":"Milk"}]}"#,
      "Cart: items[0].count: is missing; the fields are title"
    ),
    (
      #"{"owner":"Ada","items":[{"title":"Milk","count":1,"tags":[true]}]}"#,
      "Cart: items[0].tags[0]: expected String, got true"
    ),
    (
      #"{"owner":"Ada","items":[],"mood":"gald"}"#,
      "Cart: mood: Cannot initialize Mood from invalid String value gald"
    ),
    ("[1]", "Cart: expected an object, got a list"),
    ("hello", #"Cart: expected JSON, got "hello""#),
    ("", "Cart: expected JSON, got an empty payload"),
    (
      #"{"owner":"A line that is much longer than forty characters","items":[]"#,
      #"Cart: expected JSON, got "{\"owner\":\"A line that is much longer tha"…"#
    ),
  ])
  func `it is said with type, field, what was expected and what was there`(
    text: String, message: String
  ) throws {
    for coder in [JSONCoder(), FoundationCoder()] as [any PayloadCoder] {
      let said = try refusal(of: text, by: coder)
      #expect(said == message)
      #expect(decodersWords.filter { said.contains($0) } == [])
    }
  }

  @Test func `a failure made of a decoder's error says it too`() {
    func failure(_ text: String) -> String {
      do {
        _ = try JSONDecoder().decode(Item.self, from: Data(text.utf8))
        return ""
      } catch { return Failure(error).message }
    }

    #expect(failure(#"{"title":"Milk"}"#) == "count: is missing")
    #expect(failure(#"{"title":3,"count":1}"#) == "title: expected String, got number")
    #expect(failure(#"{"title":null,"count":1}"#) == "title: expected String, got null")
    #expect(failure("[") == "The given data was not valid JSON.")
  }

  @Test func `a value that cannot be written is named`() throws {
    struct Measured: Notice { var values: [Double] }
    for coder in [JSONCoder(), FoundationCoder()] as [any PayloadCoder] {
      let context = try Context(coder: coder)
      let error = #expect(throws: StreamError.self) {
        try context.send(Measured(values: [1, .infinity]))
      }
      #expect(
        error?.message
          == "Measured: values[1]: inf is no number in JSON: send a finite one, or nil")
    }
  }
}
