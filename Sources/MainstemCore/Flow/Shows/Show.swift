// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// The show function of a server: it says what the server shows now.
///
/// Belongs to the deliverer, except its place among those that have shown nothing yet, which is under the lock. It is made
/// with its server and ends with its subscription.
package struct Show: ~Copyable {
  /// Looks at no events: it ends with the server, and what the function draws and fails at counts for it. First, so that
  /// a pointer to this is a row for a frame.
  fileprivate(set) var subscription: Subscription.Pointer?
  let function: mainstem_show_fn
  let userData: UnsafeMutableRawPointer?
  let types: UnsafePointer<mainstem_event_type>?
  /// The server's handle.
  let server: OpaquePointer?
  /// Whether the user data is a model.
  let isOfModel: Bool
  /// A callback of the server got the event that is being delivered.
  var isOwed = false
  /// It found no room, and is owed after the next event.
  var isRefused = false
  /// It waits for the next event to be accepted. Under the lock.
  var isUnshown = false
  /// Its subscription has ended while it was owed.
  var hasEnded = false
  /// The position of the event after which it found no room.
  var refusedAt: UInt64 = 0
  /// The answers that callbacks of the server have given meanwhile.
  var held = EventQueue()
  /// The next that is owed.
  var next: Pointer?
  private var refused = Links<Show>()
  private var unshown = Links<Show>()

  package typealias Pointer = UnsafeMutablePointer<Show>

  private init(_ given: Function, _ userData: UnsafeMutableRawPointer?, _ server: Handle) {
    function = given.function
    types = given.types
    isOfModel = given.isOfModel
    self.userData = userData
    self.server = server.pointer
  }
}

extension Show {
  /// What a host gives with a server.
  package struct Function {
    package let function: mainstem_show_fn
    package let types: UnsafePointer<mainstem_event_type>?
    /// Whether its user data is a model.
    let isOfModel: Bool

    package init(
      _ function: @escaping mainstem_show_fn, _ types: UnsafePointer<mainstem_event_type>?,
      isOfModel: Bool = false
    ) {
      self.function = function
      self.types = types
      self.isOfModel = isOfModel
    }
  }

  /// Makes one; nil without memory.
  static func make(
    _ given: Function, _ userData: UnsafeMutableRawPointer?, _ server: Handle
  ) -> Pointer? {
    guard let show = Memory.allocate(Show.self) else { return nil }
    show.initialize(to: Show(given, userData, server))
    return show
  }

  static func free(_ show: Pointer) { Memory.free(show) }

  /// What a host would ask for to get its subscription.
  static func options(of show: Pointer) -> Subscription.Options {
    var options = Subscription.Options(
      { _, _ in }, UnsafeMutableRawPointer(show), nil, .nothing)
    options.kind = .inner
    options.call.isShow = true
    return options
  }

  static func join(_ subscription: Subscription.Pointer?, to show: Pointer) {
    show.pointee.subscription = subscription
  }

  /// The show of a server, until it joins with the server's first handlers.
  static func unjoined(of scope: Scope.Pointer) -> Pointer? {
    guard let show = scope.pointee.show, show.pointee.subscription == nil else { return nil }
    return show
  }

  /// The show that a subscription belongs to; nil: it is an observer's.
  static func of(_ subscription: Subscription.Pointer) -> Pointer? {
    guard subscription.pointee.call.isShow else { return nil }
    return subscription.pointee.userData?.assumingMemoryBound(to: Show.self)
  }

  /// Its row, for a frame.
  @inline(__always)
  static func row(of show: Pointer) -> UnsafeMutablePointer<Subscription.Pointer> {
    UnsafeMutableRawPointer(show).assumingMemoryBound(to: Subscription.Pointer.self)
  }

  /// Whether its server lives.
  @inline(__always)
  static func isLive(_ show: Pointer) -> Bool {
    guard let subscription = show.pointee.subscription else { return false }
    return !Subscription.isCancelled(subscription)
  }
}

/// The lists that it may be in at a time.
extension Show: Listed {
  /// Those that found no room.
  enum Refused: ListName { static var number: Int { 0 } }
  /// Those that have shown nothing yet, in the order in which their servers were added.
  enum Unshown: ListName { static var number: Int { 1 } }

  package static func links(of node: Pointer, in list: Int) -> Links<Show> {
    list == Refused.number ? node.pointee.refused : node.pointee.unshown
  }

  package static func set(_ links: Links<Show>, of node: Pointer, in list: Int) {
    if list == Refused.number {
      node.pointee.refused = links
    } else {
      node.pointee.unshown = links
    }
  }
}

/// The row behind all others that pays the shows of a type's observers: the same in every type, see `payHere`.
extension Stream {
  /// Makes it, before the first server needs it that shows. Under the lock; false without memory.
  func makePayer() -> Bool {
    guard state.pointee.payer == nil else { return true }
    guard let root = state.pointee.scopes.root, let row = Memory.allocate(Subscription.self) else {
      return false
    }
    let options = Subscription.Options({ _, _ in Stream.payHere() }, nil, nil, .nothing)
    row.initialize(to: .unlisted(options, root))
    state.pointee.payer = row
    return true
  }

  /// Makes room for it in a type. Under the lock; false without memory.
  func reservePayer(_ observers: TypeObservers.Pointer) -> Bool {
    if !observers.pointee.hasRoomForPayer {
      observers.pointee.hasRoomForPayer = observers.pointee.reserve()
    }
    return observers.pointee.hasRoomForPayer
  }

  /// Under both locks.
  func joinPayer(_ observers: TypeObservers.Pointer) {
    guard let payer = state.pointee.payer, !observers.pointee.hasPayer else { return }
    observers.pointee.joinInner(payer)
    observers.pointee.hasPayer = true
  }
}
