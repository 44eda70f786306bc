// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Opens and closes components by their routes, and knows which are there.
///
///     let pending = try context.navigator.open("diary/12") { result, _ in print(result) }
///     let answer = try await context.navigator.open(.confirm, ["text": "Delete?"])
///
/// What is opened stands on the component whose scope asks. Moves are requests, so they are recorded; they wait for each
/// other, and for the stage.
public struct Navigator {
  let context: Context
}

extension Context {
  /// The navigator, asked through this scope.
  public var navigator: Navigator { Navigator(context: self) }
}

/// What is there.
extension Navigator {
  /// The components that are shown, in the order in which they were opened: what one stands on comes before it.
  ///
  /// - Throws: ``Status/invalid`` if the context has no navigator.
  public var tree: [Component] {
    get throws(StreamError) {
      try numbers().map { number throws(StreamError) in try component(number) }
    }
  }

  /// The last component with a view of its own that is in no other; `nil`: there is none.
  ///
  /// - Throws: ``Status/invalid`` if the context has no navigator.
  public var top: Component? {
    get throws(StreamError) { try tree.last { $0.kind.isTop } }
  }

  /// Reads a component, also one that is not shown yet.
  ///
  /// - Parameter number: Its number.
  /// - Returns: The component.
  /// - Throws: ``Status/stale`` if it is not there any more.
  public func component(_ number: UInt64) throws(StreamError) -> Component {
    try Component { mainstem_component_read(context.handle, number, $0, $1, $2) }
  }

  private func numbers() throws(StreamError) -> [UInt64] {
    var count = 0
    let status = mainstem_navigator_tree(context.handle, nil, 0, &count)
    if status != Status.tooBig.rawValue { try StreamError.check(status) }
    var numbers = [UInt64](repeating: 0, count: count)
    try StreamError.check(mainstem_navigator_tree(context.handle, &numbers, count, &count))
    return numbers
  }
}

/// What a component says.
extension Navigator {
  /// Closes the component of this scope with a result, which its opener gets. Only the first one counts.
  ///
  /// - Parameter result: The result, whose type is no secret.
  /// - Throws: The reason it was not accepted.
  public func finish<R: Event>(_ result: R) throws(StreamError) {
    let number = try context.types.number(of: R.self)
    let bytes = try context.types.encode(result)
    try StreamError.check(mainstem_component_finish(context.handle, number, bytes, bytes.count))
  }

  /// Closes the component of this scope without a result: its opener is told that it went well.
  ///
  /// - Throws: The reason it was not accepted.
  public func finish() throws(StreamError) {
    try StreamError.check(mainstem_component_finish(context.handle, 0, nil, 0))
  }
}

/// What a host says.
extension Navigator {
  /// Says that the app can be seen: links that were asked for before are opened now.
  ///
  /// - Throws: The reason it was not accepted.
  public func ready() throws(StreamError) {
    try StreamError.check(mainstem_navigator_ready(context.handle))
  }

  /// Says that a component is gone already: the user went back by a gesture of the host's. It closes with what stands on
  /// it; nobody is asked, and it is not hidden.
  ///
  /// - Parameter number: The component's number.
  /// - Throws: The reason it was not accepted.
  public func gone(_ number: UInt64) throws(StreamError) {
    try StreamError.check(mainstem_component_gone(context.handle, number))
  }
}

extension Run {
  /// Closes the component of this view model with a result, which its opener gets.
  ///
  /// - Parameter result: The result.
  public func finish<R: Event>(_ result: R) {
    take { () throws(StreamError) in try house.context.navigator.finish(result) }
  }
}
