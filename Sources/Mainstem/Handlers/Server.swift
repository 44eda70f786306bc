// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Plain state with a table of handlers: it answers requests and reacts to events.
///
/// A context owns the value and calls one handler at a time. Handlers are functions of the state,
/// so a test can call them without a context.
///
///     struct TodoServer: Server {
///       var todos: [Int: Todo] = [:]
///       mutating func toggle(_ request: RequestToggle) throws -> ResponseTodo { … }
///       static func handlers(_ on: inout Handlers<Self>) {
///         on.answer(RequestToggle.self) { try $0.toggle($1) }
///       }
///     }
public protocol Server {
  /// The origin of what it sends. The default is the name of the Swift type.
  static var name: String { get }

  /// Fills the table. Called once, when the server is installed.
  ///
  /// - Parameter on: The table.
  static func handlers(_ on: inout Handlers<Self>)
}

extension Server {
  /// The name of the Swift type.
  public static var name: String { String(describing: Self.self) }
}
