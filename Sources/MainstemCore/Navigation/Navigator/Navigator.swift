// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The navigator of a context: the user data of a server whose handlers are the core's own.
package struct Navigator {
  let state: UnsafeMutablePointer<NavigatorState>

  var stream: Stream { state.pointee.stream }
  var types: NavigatorTypes { state.pointee.types }
  var home: Handle { state.pointee.home }
  var guards: RouteGuard.Pointer? { state.pointee.guards }
  var tree: ComponentTree { components.pointee }
  /// The tree, for who changes it: through `state.pointee` that would count as a change of the whole state, which other
  /// threads read without the lock.
  var components: UnsafeMutablePointer<ComponentTree> { state.pointee.tree }
  var moving: UnsafeMutablePointer<NavigatorMoves> { state.pointee.moving }
  /// The move that opens something.
  var current: Move.Pointer? {
    get { moving.pointee.current }
    nonmutating set { moving.pointee.current = newValue }
  }
}

/// What does not change after the first event, so that any thread may read it.
struct NavigatorState: ~Copyable {
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
  /// The first of a list.
  var stages: MutedStage.Pointer?
  /// The scope of its server.
  var home = Handle.none
  let moving: UnsafeMutablePointer<NavigatorMoves>
  /// Changed by the deliverer, under the lock; others read it under the lock.
  let tree: UnsafeMutablePointer<ComponentTree>
  /// How many may use its memory: the server, its moves, the hides, and calls from other threads.
  fileprivate let holders = Atomic<Int>(1)
}

/// The moves of a navigator. For the deliverer.
struct NavigatorMoves {
  /// All that are not answered. Changed under the lock.
  var moves = List<Move, Move.OfNavigator>()
  /// Of these, those whose answer others may share.
  var shared = List<Move, Move.Shared>()
  /// Those whose guards have let them go, in that order.
  var queue = Chain<Move>()
  /// The one that opens something.
  var current: Move.Pointer?
  /// What has closed, and found no memory to be hidden, or to be told of.
  var owing = List<Component, Component.InTree>()
  /// The position of what closed them.
  var owedSince: UInt64 = 0
  /// How many hides the stage has not answered.
  var hides = 0
  var isReady = false
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
      try demandNoEvents(on: resolved.stream)
      guard Navigator(on: resolved.stream) == nil else {
        throw Refusal(.invalid, "context", "has a navigator already: there is one")
      }
      return try NavigatorTypes.add(to: resolved.stream)
    }
    let kept = scheme.flatMap { Name(copying: $0) }
    let state = Memory.allocate(NavigatorState.self)
    let moving = Memory.allocate(NavigatorMoves.self)
    let tree = Memory.allocate(ComponentTree.self)
    do throws(Refusal) {
      guard let state, let moving, let tree, scheme == nil || kept != nil else { throw .noMemory }
      let router = try Router()
      moving.initialize(to: NavigatorMoves())
      tree.initialize(to: ComponentTree())
      state.initialize(
        to: NavigatorState(
          stream: resolved.stream, types: types, showTimeout: showTimeout, scheme: kept,
          router: router, moving: moving, tree: tree))
      return Navigator(state: state)
    } catch {
      kept?.free()
      Memory.free(state)
      Memory.free(moving)
      Memory.free(tree)
      throw error
    }
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

  func hold() { state.pointee.holders.wrappingAdd(1, ordering: .relaxed) }

  /// Gives one use of its memory back; the last frees it. Any thread may be the last.
  package func drop() {
    let left = state.pointee.holders.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue
    guard left == 0 else { return }
    moving.pointee.owing.each { Component.free($0) }
    components.pointee.free()
    Memory.free(moving)
    Memory.free(components)
    state.pointee.scheme?.free()
    state.pointee.router.free()
    state.pointee.destinations.free()
    RouteGuard.free(guards)
    MutedStage.free(state.pointee.stages)
    state.deinitialize(count: 1)
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
    return HandlerRow(mainstem_handler_row(type: text, fn: tellNavigator, flags: 0))
  }

  package static var rowCount: Int { 5 }

  /// The name of its server.
  package static var name: Bytes { Bytes("Navigator") }

  /// The types of the navigator of a stream.
  package static func types(of stream: Stream) throws(Refusal) -> NavigatorTypes {
    try using(stream) { $0.types }
  }

  /// Does something with the navigator of a stream, which cannot end meanwhile, whatever other threads do.
  package static func using<Result>(
    _ stream: Stream, _ body: (Navigator) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let found = stream.locked { () -> Navigator? in
      let navigator = Navigator(on: stream)
      navigator?.hold()
      return navigator
    }
    guard let navigator = found else { throw .noNavigator }
    defer { navigator.drop() }
    return try body(navigator)
  }

  /// The navigator of a stream, for a call that changes it.
  package static func of(_ stream: Stream) throws(Refusal) -> Navigator {
    guard let navigator = stream.locked({ Navigator(on: stream) }) else { throw .noNavigator }
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
  while let move = navigator.moving.pointee.queue.takeFirst() { Move.drop(move) }
  while let move = navigator.moving.pointee.moves.first {
    while let other = navigator.follower(of: move) { Move.unfollow(other) }
    navigator.forget(move)
  }
  navigator.current = nil
  navigator.drop()
}

extension Navigator {
  /// The navigator of a stream, if there is one. Under the lock.
  private init?(on stream: Stream) {
    let type = stream.state.pointee.types.find(Bytes("MainstemMove"))
    guard type != 0, let observers = stream.state.pointee.observers.find(type) else { return nil }
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
    guard let found else { return nil }
    self = found
  }

  /// Refuses what must come before the first event, so that a replay has it, too. Under the lock.
  static func demandNoEvents(on stream: Stream) throws(Refusal) {
    guard !stream.hasBegun else {
      throw Refusal(.invalid, "context", "has had events: add routes before the first")
    }
  }
}

/// The types of a navigator's events.
package struct NavigatorTypes {
  package let move: UInt32
  let result: UInt32
  let opened: UInt32
  let show: UInt32
  let hide: UInt32
  let tree: UInt32
  package let ready: UInt32
  package let gone: UInt32
  package let finish: UInt32
  let link: UInt32
  let ended: UInt32
}

extension NavigatorTypes {
  /// Registers the types of a navigator. Under the lock.
  fileprivate static func add(to stream: Stream) throws(Refusal) -> NavigatorTypes {
    func add(
      _ name: StaticString, _ payload: Contract.Payload, _ role: Contract.Role,
      answeredBy response: StaticString? = nil
    ) throws(Refusal) -> UInt32 {
      let bits = payload.rawValue << 32 | role.rawValue << 36 | layer
      return try stream.addType(Bytes(name), bits, response: response.map { Bytes($0) })
    }
    let result = try add("MainstemResult", .bytes, .response)
    _ = try add("MainstemShown", .none, .response)
    _ = try add("MainstemHidden", .none, .response)
    let move = try add("MainstemMove", .json, .request, answeredBy: "MainstemResult")
    let show = try add("MainstemShow", .json, .request, answeredBy: "MainstemShown")
    let hide = try add("MainstemHide", .json, .request, answeredBy: "MainstemHidden")
    try stream.addEndType()
    return NavigatorTypes(
      move: move, result: result, opened: try add("MainstemOpened", .integer, .notice),
      show: show,
      hide: hide, tree: try add("MainstemTree", .json, .notice),
      ready: try add("MainstemReady", .none, .notice),
      gone: try add("MainstemGone", .integer, .notice),
      finish: try add("MainstemFinish", .bytes, .notice),
      link: try add("MainstemLink", .text, .notice),
      ended: stream.state.pointee.reports.ended)
  }
}

extension NavigatorTypes {
  /// Whether an event of a type says what is shown, and what is hidden.
  package func isShow(_ type: UInt32) -> Bool { type == show || type == tree }
  package func isHide(_ type: UInt32) -> Bool { type == hide || type == tree }

  /// The bits of the layer navigation in a contract.
  static var layer: UInt64 { 4 << 40 }
}

/// What a route of the navigator leads to.
struct Destination {
  let route: UInt32
  let pattern: Name
  let kind: ComponentKind
  /// Of its factory; nil: it has none.
  let name: Name?
  /// The type that opens an owner; 0: it has none.
  let open: UInt32
  /// Whether the factory gets the URL.
  let tellsURL: Bool
  /// Of an embed, its slot; of a group, the URLs of its parts.
  let parts: Name?

  typealias Pointer = UnsafeMutablePointer<Destination>
}

/// The destinations of a navigator, in the order of adding, which is that of the numbers of their routes.
struct Destinations {
  private var array = PointerArray<Destination>()

  /// The destination of a route.
  @inline(never)
  subscript(route: UInt32) -> Destination.Pointer? {
    let place = array.first { $0.pointee.route < route }
    return self[at: place].flatMap { $0.pointee.route == route ? $0 : nil }
  }

  /// The destination that was added after so many others; nil: there is none.
  subscript(at index: Int) -> Destination.Pointer? {
    index >= 0 && index < array.count ? array[index] : nil
  }

  /// Adds one; false without memory.
  mutating func add(
    _ route: UInt32, _ pattern: Bytes, _ kind: ComponentKind, name: Bytes?, open: UInt32,
    tellsURL: Bool, parts: Bytes?
  ) -> Bool {
    let kept = Name(copying: pattern)
    let keptName = name.flatMap { Name(copying: $0) }
    let keptParts = parts.flatMap { Name(copying: $0) }
    guard array.reserve(), let kept, name == nil || keptName != nil,
      parts == nil || keptParts != nil,
      let destination = Memory.allocate(Destination.self)
    else {
      kept?.free()
      keptName?.free()
      keptParts?.free()
      return false
    }
    destination.initialize(
      to: Destination(
        route: route, pattern: kept, kind: kind, name: keptName, open: open, tellsURL: tellsURL,
        parts: keptParts))
    array.insert(destination, at: array.count)
    return true
  }

  func free() {
    var index = 0
    while let destination = self[at: index] {
      destination.pointee.pattern.free()
      destination.pointee.name?.free()
      destination.pointee.parts?.free()
      Memory.free(destination)
      index &+= 1
    }
    array.free()
  }
}
