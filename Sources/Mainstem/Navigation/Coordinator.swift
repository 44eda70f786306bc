// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A flow: a component without a view, which decides where to go when its components say what has happened.
///
///     struct DiaryFlow: Coordinator {
///       static func routes(_ on: inout Routes<Self>) {
///         on.screen("diary") { _, _ in DiaryList() }
///         on.screen("diary/<int:id>") { _, route in DiaryPage(id: try route.int("id")) }
///       }
///       static func intents(_ on: inout Intents<Self>) {
///         on.intent(EntryPicked.self, of: DiaryList.self) { _, intent in .open("diary/\(intent.id)") }
///       }
///     }
///
///     try context.addRoutes { on in on.flow("app") { _, _ in DiaryFlow() } }
///     try context.navigator.open("app")
///
/// It is opened and closed like any other component, and ends with the last component on it. It is a server, too:
/// `handlers` hears events of everybody.
public protocol Coordinator: Server {
  /// Fills the table of its routes. Called once in a context.
  ///
  /// - Parameter on: The table.
  static func routes(_ on: inout Routes<Self>)

  /// Fills the table of what its components say. Called once in a context.
  ///
  /// - Parameter on: The table.
  static func intents(_ on: inout Intents<Self>)

  /// Opens what the flow shows first. The default is the first route of its table.
  ///
  /// - Returns: What is done. With it, the flow is shown; if it fails, the flow does.
  mutating func start() throws -> Moves<Self>
}

extension Coordinator {
  /// No handlers.
  public static func handlers(_ on: inout Handlers<Self>) {}

  /// No routes of its own.
  public static func routes(_ on: inout Routes<Self>) {}

  /// Nothing is heard.
  public static func intents(_ on: inout Intents<Self>) {}

  /// Opens the first route of its table.
  public mutating func start() throws -> Moves<Self> {
    var routes = Routes<Self>()
    Self.routes(&routes)
    guard let first = routes.rows.first else {
      throw Failure("\(Self.name): it opens nothing: write start()", code: .invalid)
    }
    return .open(first.pattern)
  }
}
