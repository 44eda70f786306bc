// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Navigator {
  /// Opens a URL. The answer comes when what was opened has closed.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - component: What it is opened on, instead of on the asker.
  ///   - slot: Of an embed: the slot, in place of that of its route.
  ///   - kind: The kind that the route must have; `nil`: any.
  ///   - closed: Gets the answer: success if it has finished, ``Status/cancelled`` if it was closed without.
  ///   - opened: Gets the number of the component, when it is shown. Who cancels before that takes the move back.
  /// - Returns: The move, which can be cancelled.
  /// - Throws: The reason it was not accepted; no answer comes then.
  @discardableResult
  public func open(
    _ url: String, on component: UInt64? = nil, slot: String? = nil, as kind: Component.Kind? = nil,
    _ closed: @escaping (Result<Void, Failure>, borrowing Delivery) -> Void = { _, _ in },
    opened: @escaping (UInt64) -> Void = { _ in }
  ) throws(StreamError) -> Pending {
    let move = MoveRequest(
      verb: .open, url: url, component: component, slot: slot, how: kind?.name)
    return try ask(move, opened) { closed($0.outcome {}, $0) }
  }

  /// Opens a destination, and gets its typed result when it has closed.
  ///
  /// - Parameters:
  ///   - destination: The destination.
  ///   - values: A value for each placeholder. Others become the query.
  ///   - component: What it is opened on, instead of on the asker.
  ///   - closed: Gets the result, or the failure: ``Status/cancelled`` if it was closed without.
  ///   - opened: Gets the number of the component, when it is shown.
  /// - Returns: The move, which can be cancelled.
  /// - Throws: The reason it was not accepted; no answer comes then.
  @discardableResult
  public func open<R: Event>(
    _ destination: Destination<R>, _ values: KeyValuePairs<String, String> = [:],
    on component: UInt64? = nil,
    _ closed: @escaping (Result<R, Failure>, borrowing Delivery) -> Void,
    opened: @escaping (UInt64) -> Void = { _ in }
  ) throws(StreamError) -> Pending {
    let move = MoveRequest(verb: .open, url: try destination.url(values), component: component)
    return try ask(move, opened) { closed($0.closed(with: R.self), $0) }
  }

  /// Opens a URL, and awaits that it has closed, in a context of an actor.
  ///
  /// If the task is cancelled before it is shown, the move is taken back.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - component: What it is opened on, instead of on the asker.
  ///   - isolation: The context's actor.
  /// - Throws: ``Status/cancelled`` if it was closed without finishing; why it was not opened.
  public func open(
    _ url: String, on component: UInt64? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) {
    try await context.types.answer {
      (answered: @escaping (Result<Void, Failure>) -> Void) throws(StreamError) in
      try open(url, on: component) { result, _ in answered(result) }
    }
  }

  /// Opens a destination, and awaits its result, in a context of an actor.
  ///
  /// If the task is cancelled before it is shown, the move is taken back.
  ///
  /// - Parameters:
  ///   - destination: The destination.
  ///   - values: A value for each placeholder. Others become the query.
  ///   - component: What it is opened on, instead of on the asker.
  ///   - isolation: The context's actor.
  /// - Returns: The result.
  /// - Throws: ``Status/cancelled`` if it was closed without one; why it was not opened.
  public func open<R: Event>(
    _ destination: Destination<R>, _ values: KeyValuePairs<String, String> = [:],
    on component: UInt64? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Failure) -> R {
    try await context.types.answer { answered throws(StreamError) in
      try open(destination, values, on: component) { result, _ in answered(result) }
    }
  }

  /// Opens a link from outside the app: when the app is ready, it closes all dialogs and opens the URL.
  ///
  /// - Parameters:
  ///   - url: The URL, also with the app's own scheme.
  ///   - toAllFlows: Whether it opens nothing itself, but every flow is told: ``Intents/link(_:)``.
  ///   - closed: Gets the answer.
  /// - Returns: The move, which can be cancelled.
  /// - Throws: The reason it was not accepted.
  @discardableResult
  public func link(
    _ url: String, toAllFlows: Bool = false,
    _ closed: @escaping (Result<Void, Failure>, borrowing Delivery) -> Void = { _, _ in }
  ) throws(StreamError) -> Pending {
    try ask(MoveRequest(verb: .link, url: url, all: toAllFlows ? 1 : nil), closed)
  }

  /// Opens a URL in place of the topmost screen of the asker's stack. The answer comes when what was opened has closed.
  ///
  /// What is below is not uncovered: the old screen closes when the new one is shown, and its opener gets
  /// ``Status/cancelled``.
  ///
  /// - Parameters:
  ///   - url: The URL of a screen, a group or a flow.
  ///   - component: A component whose stack is meant, instead of the asker's.
  ///   - closed: Gets the answer: success if it has finished, ``Status/cancelled`` if it was closed without.
  ///   - opened: Gets the number of the component, when it is shown. Who cancels before that takes the move back.
  /// - Returns: The move, which can be cancelled.
  /// - Throws: The reason it was not accepted; no answer comes then.
  @discardableResult
  public func replace(
    _ url: String, on component: UInt64? = nil,
    _ closed: @escaping (Result<Void, Failure>, borrowing Delivery) -> Void = { _, _ in },
    opened: @escaping (UInt64) -> Void = { _ in }
  ) throws(StreamError) -> Pending {
    let move = MoveRequest(verb: .replace, url: url, component: component)
    return try ask(move, opened) { closed($0.outcome {}, $0) }
  }

  /// Opens a URL on nothing, then closes everything else.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - done: Gets the answer: success when it is shown.
  /// - Returns: The move, which can be cancelled.
  /// - Throws: The reason it was not accepted.
  @discardableResult
  public func replaceRoot(
    _ url: String,
    _ done: @escaping (Result<Void, Failure>, borrowing Delivery) -> Void = { _, _ in }
  ) throws(StreamError) -> Pending {
    try ask(MoveRequest(verb: .replaceRoot, url: url), done)
  }
}

/// Closing.
extension Navigator {
  /// Closes a component, and what stands on it.
  ///
  /// - Parameters:
  ///   - component: Its number.
  ///   - done: Gets the answer.
  /// - Returns: The move, which can be cancelled.
  /// - Throws: The reason it was not accepted.
  @discardableResult
  public func close(
    _ component: UInt64,
    _ done: @escaping (Result<Void, Failure>, borrowing Delivery) -> Void = { _, _ in }
  ) throws(StreamError) -> Pending {
    try ask(MoveRequest(verb: .close, component: component), done)
  }

  /// Closes the topmost screen of the asker's stack, if another is below.
  ///
  /// - Parameter done: Gets the answer.
  /// - Returns: The move, which can be cancelled.
  /// - Throws: The reason it was not accepted.
  @discardableResult
  public func pop(
    _ done: @escaping (Result<Void, Failure>, borrowing Delivery) -> Void = { _, _ in }
  ) throws(StreamError) -> Pending {
    try ask(MoveRequest(verb: .pop), done)
  }

  /// Closes what stands on a component, but for its embeds.
  ///
  /// - Parameters:
  ///   - component: Its number.
  ///   - done: Gets the answer.
  /// - Returns: The move, which can be cancelled.
  /// - Throws: The reason it was not accepted.
  @discardableResult
  public func popTo(
    _ component: UInt64,
    _ done: @escaping (Result<Void, Failure>, borrowing Delivery) -> Void = { _, _ in }
  ) throws(StreamError) -> Pending {
    try ask(MoveRequest(verb: .popTo, component: component), done)
  }

  /// Closes the dialog, presented component or overlay that the asker is in, or the last one opened.
  ///
  /// - Parameter done: Gets the answer.
  /// - Returns: The move, which can be cancelled.
  /// - Throws: The reason it was not accepted.
  @discardableResult
  public func dismiss(
    _ done: @escaping (Result<Void, Failure>, borrowing Delivery) -> Void = { _, _ in }
  ) throws(StreamError) -> Pending {
    try ask(MoveRequest(verb: .dismiss), done)
  }

  private func ask(
    _ move: MoveRequest, _ done: @escaping (Result<Void, Failure>, borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    try ask(move, { _ in }) { done($0.outcome {}, $0) }
  }

  /// Asks for a move.
  func ask(
    _ move: MoveRequest, _ opened: @escaping (UInt64) -> Void,
    _ answer: @escaping (borrowing Delivery) -> Void
  ) throws(StreamError) -> Pending {
    try context.ask(
      move, nil, shared: false,
      step: { opened(UInt64(bitPattern: mainstem_event_integer($0.event))) }, answer: answer)
  }
}

extension Delivery {
  /// The typed result in the answer of a move.
  func closed<R: Event>(with type: R.Type) -> Result<R, Failure> {
    Result { () throws(Failure) in try result(MoveResult.self).get().decoded(type, by: types) }
  }
}

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

/// A route whose component finishes with a result of a known type.
///
///     extension Destination<Confirmed> {
///       static let confirm = Destination("confirm")
///     }
///
///     on.dialog(.confirm) { _, route in Confirm(text: route.query("text") ?? "") }
///     let answer = try await context.navigator.open(.confirm, ["text": "Delete?"])
public struct Destination<Result: Event>: Hashable, Sendable {
  /// The pattern of the route.
  public let pattern: String

  /// Makes one from its pattern.
  ///
  /// - Parameters:
  ///   - pattern: The pattern, such as `pick/<int:id>`.
  ///   - type: The type of the result.
  public init(_ pattern: String, gives type: Result.Type = Result.self) { self.pattern = pattern }

  /// Writes a URL of it.
  ///
  /// - Parameter values: A value for each placeholder. Others become the query.
  /// - Returns: The URL.
  /// - Throws: ``Status/invalid`` if a value is missing, given twice, or cannot be written there.
  public func url(
    _ values: KeyValuePairs<String, String> = [:]
  ) throws(StreamError) -> String {
    try Router.write(pattern, values)
  }
}
