// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The navigator of a context: the user data of a server whose handlers are the core's own. For the deliverer; what others
/// read is changed under the lock.
package struct Navigator {
  let state: UnsafeMutablePointer<NavigatorState>

  var stream: Stream { state.pointee.stream }
  var types: NavigatorTypes { state.pointee.types }
  var home: Handle { state.pointee.home }
  var guards: RouteGuard.Pointer? { state.pointee.guards }
  var tree: ComponentTree { state.pointee.tree }
  /// The move that opens something.
  var current: Move.Pointer? {
    get { state.pointee.current }
    nonmutating set { state.pointee.current = newValue }
  }
}

struct NavigatorState {
  let stream: Stream
  let types: NavigatorTypes
  /// In nanoseconds.
  let showTimeout: Int64
  /// The app's own; nil: none.
  let scheme: Name?
  var router: Router
  var destinations = Destinations()
  /// The first of a list.
  var guards: RouteGuard.Pointer?
  /// The scope of its server.
  var home = Handle.none
  var tree = ComponentTree()
  /// All moves that are not answered.
  var moves = List<Move, Move.OfNavigator>()
  /// Those whose guards have let them go, in that order.
  var queue = Chain<Move>()
  var current: Move.Pointer?
  /// What has closed, and found no memory to be hidden, or to be told of.
  var owing = List<Component, Component.InTree>()
  /// The position of what closed them.
  var owedSince: UInt64 = 0
  /// How many hides the stage has not answered.
  var hides = 0
  var isReady = false
  /// How many may use its memory: the server, its moves, and the hides.
  fileprivate var holders = 1
}

/// Memory.
extension Navigator {
  /// Makes the navigator of a context: registers its types. The caller adds its server, with `row` and `freeNavigator`.
  ///
  /// - Parameter scheme: Nil: none.
  package static func prepare(
    _ resolved: ResolvedHandle, showTimeout: Int64, scheme: Bytes?
  ) throws(Refusal) -> Navigator {
    let types = try resolved.locked { () throws(Refusal) in
      try resolved.stream.demandNoEvents()
      guard resolved.stream.navigator == nil else {
        throw Refusal(.invalid, "context", "has a navigator already: there is one")
      }
      return try resolved.stream.addNavigatorTypes()
    }
    let kept = scheme.flatMap { Name(copying: $0) }
    guard let state = Memory.allocate(NavigatorState.self), scheme == nil || kept != nil else {
      kept?.free()
      throw .noMemory
    }
    do throws(Refusal) {
      state.initialize(
        to: NavigatorState(
          stream: resolved.stream, types: types, showTimeout: showTimeout, scheme: kept,
          router: try Router()))
    } catch {
      kept?.free()
      Memory.free(state)
      throw error
    }
    return Navigator(state: state)
  }

  /// Notes the scope of its server.
  package func settle(in home: Handle) { state.pointee.home = home }

  /// Whether there is anything left to do. Where the context closes, what is open is cancelled, and a replay is to stop
  /// there, too.
  var goesOn: Bool {
    if (try? stream.demandOpen()) != nil { return true }
    Stream.noteClosing()
    return false
  }

  func hold() { stream.locked { state.pointee.holders &+= 1 } }

  /// Gives one use of its memory back; the last frees it. Any thread may be the last: no lock held.
  package func drop() {
    let isLast = stream.locked {
      state.pointee.holders &-= 1
      return state.pointee.holders == 0
    }
    guard isLast else { return }
    state.pointee.scheme?.free()
    state.pointee.router.free()
    state.pointee.destinations.free()
    RouteGuard.free(guards)
    state.pointee.tree.free()
    state.pointee.owing.each { Component.free($0) }
    Memory.free(state)
  }

  /// What its server's handlers get.
  package var userData: UnsafeMutableRawPointer { UnsafeMutableRawPointer(state) }

  init?(_ userData: UnsafeMutableRawPointer?) {
    guard let userData else { return nil }
    state = userData.assumingMemoryBound(to: NavigatorState.self)
  }

  /// One of the rows of its server.
  package static func row(_ index: Int) -> HandlerRow {
    let name: StaticString =
      switch index {
      case 0: "MainstemMove"
      case 1: "MainstemReady"
      case 2: "MainstemGone"
      case 3: "MainstemFinish"
      default: "MainstemEnded"
      }
    let text = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    return HandlerRow(mainstem_handler_row(type: text, fn: tellNavigator), flags: 0)
  }

  package static var rowCount: Int { 5 }

  /// The types of the navigator of a stream.
  package static func types(of stream: Stream) throws(Refusal) -> NavigatorTypes {
    try using(stream) { $0.types }
  }

  /// Does something with the navigator of a stream, which cannot end meanwhile, whatever other threads do.
  package static func using<Result>(
    _ stream: Stream, _ body: (Navigator) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let found = stream.locked { () -> Navigator? in
      stream.navigator?.state.pointee.holders &+= 1
      return stream.navigator
    }
    guard let navigator = found else { throw .noNavigator }
    defer { navigator.drop() }
    return try body(navigator)
  }

  /// The navigator of a stream, for a call that changes it.
  package static func of(_ stream: Stream) throws(Refusal) -> Navigator {
    guard let navigator = stream.locked({ stream.navigator }) else { throw .noNavigator }
    return navigator
  }
}

extension Refusal {
  fileprivate static var noNavigator: Refusal {
    Refusal(.invalid, "context", "has no navigator: add one with mainstem_routes_add")
  }
}

/// Ends a navigator, when its server has ended. Its requests are answered, or are about to be.
package func freeNavigator(_ userData: UnsafeMutableRawPointer?) {
  guard let navigator = Navigator(userData) else { return }
  while let move = navigator.state.pointee.queue.takeFirst() { Move.drop(move) }
  while let move = navigator.state.pointee.moves.first { navigator.forget(move) }
  navigator.current = nil
  navigator.drop()
}

extension Stream {
  /// The navigator, if there is one. Under the lock.
  var navigator: Navigator? {
    let type = state.pointee.types.find(Bytes("MainstemMove"))
    guard type != 0, let observers = state.pointee.observers.find(type) else { return nil }
    let function: mainstem_event_fn = tellNavigator
    var found: Navigator?
    observers.pointee.eachHandler { handler in
      // Functions cannot be compared: another handler's user data is no navigator.
      guard
        unsafeBitCast(handler.pointee.function, to: UInt.self)
          == unsafeBitCast(function, to: UInt.self), !Subscription.isCancelled(handler)
      else { return }
      found = Navigator(handler.pointee.userData)
    }
    return found
  }

  /// Refuses what must come before the first event, so that a replay has it, too. Under the lock.
  func demandNoEvents() throws(Refusal) {
    guard !hasBegun else {
      throw Refusal(.invalid, "context", "has had events: add routes before the first")
    }
  }
}
