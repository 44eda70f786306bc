// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// What asks the navigator for a move.
struct MoveRequest: Request {
  typealias Answer = MoveResult

  enum Verb: String, Codable {
    case open, link, close, pop, dismiss, replace
    case popTo = "pop-to"
    case replaceRoot = "replace-root"
  }

  var verb: Verb
  var url: String?
  var component: UInt64?
  var slot: String?
  var how: String?
  var all: Int?

  static let name: String = "MainstemMove"
  static let layer: Layer = .navigation

  /// JSON, whatever the context's coder writes.
  func encoded(by coder: any PayloadCoder) throws -> [UInt8] { try JSONCoder().encode(self) }

  static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) throws -> Self {
    try JSONCoder().decode(Self.self, from: bytes)
  }
}

/// The answer of a move: the result of what was opened.
struct MoveResult: Response {
  /// Nothing; or the name of the result's type, a zero, and its payload.
  var bytes: [UInt8]

  static let name: String = "MainstemResult"
  static let layer: Layer = .navigation
  static let payload: Payload = .bytes

  func encoded(by coder: any PayloadCoder) -> [UInt8] { bytes }

  static func decoded(from bytes: [UInt8], by coder: any PayloadCoder) -> Self {
    Self(bytes: bytes)
  }

  /// The result, if it is of a type.
  func decoded<R: Event>(_ type: R.Type, by types: EventTypes) throws(Failure) -> R {
    let name = bytes.prefix { $0 != 0 }
    guard !bytes.isEmpty, name.elementsEqual(R.name.utf8) else {
      let given =
        bytes.isEmpty ? "without a result" : "with \(String(decoding: name, as: UTF8.self))"
      throw Failure("open: finished \(given) instead of \(R.name)", code: .invalid)
    }
    return try types.decode(type, from: Array(bytes.dropFirst(name.count + 1)), isSecret: false)
  }
}
