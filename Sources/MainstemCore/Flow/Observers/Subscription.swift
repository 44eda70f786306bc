// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// An observer on the stream.
///
/// The rows of the types point here; what a call needs comes first. The rows, and so this memory, belong to the
/// deliverer; the lists are under the lock; `state` is read by the deliverer and written under the lock.
package struct Subscription: ~Copyable {
  /// How many more matches it gets, if `call` counts them. First, for the reason given at `StreamState`.
  var remaining: UInt64
  /// 0: live, and every event of its types is for it.
  let state: Atomic<UInt32>
  /// The index of its row, if it has just one.
  var row: UInt32 = 0
  let function: mainstem_event_fn
  let userData: UnsafeMutableRawPointer?
  /// The handle through which it was observed.
  let through: OpaquePointer?
  let call: Call
  let filter: Filter
  let release: mainstem_release_fn?
  /// What waits for it; nil: it is called at once.
  package let queue: SubscriptionQueue.Pointer?
  package let scope: UnsafeMutablePointer<Scope>
  let slot: Slot.Pointer
  /// When it was registered, in a count over observers and types.
  let serial: UInt64
  /// Its number within its scope, from 1; 0: none.
  package var number: UInt32 = 0
  /// Identifies it among what registers observers inside a callback; 0: it has registered none yet. For whoever calls it.
  var looksAs: UInt32 = 0
  /// What the numbers that its calls draw derive from; 0: they have drawn none yet. For whoever calls it.
  var drawsAs: UInt64 = 0
  /// The origin that it looks at, if `call` says that it looks at one.
  let origin: UInt32
  /// Its rows, if it looks at one origin.
  var originRows: OriginRow.Pointer?
  /// Its type's observers, if ending it only removes its one row: it has no hook, and is not a handler.
  var observers: UnsafeMutablePointer<TypeObservers>?
  /// It starts after this position.
  package var from: UInt64 = 0
  let failures = Atomic<UInt64>(0)
  /// How long its calls take; nil if they are not timed.
  let timing: Timing.Pointer?
  /// Its rows are in place. Until then it waits in the queue for its turn.
  var hasJoined = false
  /// An entry of the stream's queue points here, so the memory stays when everything else has ended.
  var isQueued = false
  /// Its handle has ended; only the entry of the queue still points here.
  var slotHasEnded = false

  private var inStream = Links<Subscription>()
  private var inScope = Links<Subscription>()
  private var alike = Links<Subscription>()
  private var joining = Links<Subscription>()
  /// The next in a chain that it is in for a while: a registration, until it has joined; the cancelled ones, until they
  /// end.
  package var link: Pointer?

  package typealias Pointer = UnsafeMutablePointer<Subscription>

  /// Bits of `state`.
  static var cancelled: UInt32 { 1 }
  /// `call` has conditions.
  static var conditional: UInt32 { 2 }
  /// A handler of a stream that is fed every event: not called.
  static var muted: UInt32 { 4 }
  /// Its server shows.
  static var shows: UInt32 { 8 }

  package init(
    _ options: Options, queue: SubscriptionQueue.Pointer?, timing: Timing.Pointer? = nil,
    through: OpaquePointer?,
    scope: UnsafeMutablePointer<Scope>, slot: Slot.Pointer, serial: UInt64
  ) {
    state = Atomic(
      (options.call.isConditional ? Subscription.conditional : 0)
        | (options.call.shows ? Subscription.shows : 0))
    function = options.function
    userData = options.userData
    self.through = through
    call = options.call
    filter = options.filter
    release = options.release
    self.queue = queue
    self.timing = timing
    self.scope = scope
    self.slot = slot
    self.serial = serial
    origin = options.origin
    remaining = options.count
  }

  /// A row that is no observer: it is in no list, and has no handle of its own.
  static func unlisted(_ options: Options, _ root: Scope.Pointer) -> Subscription {
    Subscription(
      options, queue: nil, through: nil, scope: root, slot: root.pointee.slot, serial: 0)
  }

  /// What a host asks for when it observes.
  package struct Options {
    package let function: mainstem_event_fn
    package let userData: UnsafeMutableRawPointer?
    package var release: mainstem_release_fn?
    package var filter: Filter
    package var call = Call()
    /// The number of matches after which it ends; 0: no end.
    package var count: UInt64 = 0
    /// Where it is called, if not at once.
    package var scheduler: UInt32 = 0
    /// The origin that it looks at, if `call` says so.
    package var origin: UInt32 = 0
    /// It has no function: the host fetches what waits.
    package var isMailbox = false
    package var bounds = SubscriptionQueue.Bounds.none
    /// What its handle names.
    package var kind = Kind.subscription

    package init(
      _ function: mainstem_event_fn, _ userData: UnsafeMutableRawPointer?,
      _ release: mainstem_release_fn?, _ filter: Filter
    ) {
      self.function = function
      self.userData = userData
      self.release = release
      self.filter = filter
    }
  }
}

/// The lists that it may be in at a time.
extension Subscription: Listed {
  /// All of the stream.
  package enum InStream: ListName { package static var number: Int { 0 } }
  package enum InScope: ListName { package static var number: Int { 1 } }
  /// Others of its kind: the patterns of the stream, or the live handlers of its type.
  package enum Alike: ListName { package static var number: Int { 2 } }
  /// Those that wait for their turn to join and whose queue refuses.
  package enum Joining: ListName { package static var number: Int { 3 } }

  @inline(__always)
  package static func links(of node: Pointer, in list: Int) -> Links<Subscription> {
    switch list {
    case InStream.number: node.pointee.inStream
    case InScope.number: node.pointee.inScope
    case Alike.number: node.pointee.alike
    default: node.pointee.joining
    }
  }

  @inline(__always)
  package static func set(_ links: Links<Subscription>, of node: Pointer, in list: Int) {
    switch list {
    case InStream.number: node.pointee.inStream = links
    case InScope.number: node.pointee.inScope = links
    case Alike.number: node.pointee.alike = links
    default: node.pointee.joining = links
    }
  }
}

/// Subscriptions that end together: the last registered ends first.
extension Subscription: Ordered {
  package static func next(after node: Pointer) -> Pointer? { node.pointee.link }
  package static func link(_ node: Pointer, to next: Pointer?) { node.pointee.link = next }

  package func precedes(_ other: borrowing Subscription) -> Bool { serial > other.serial }
}

extension Subscription {
  /// Frees what the subscription alone owns.
  static func freeParts(_ subscription: Pointer) {
    subscription.pointee.filter.free()
    if let queue = subscription.pointee.queue { SubscriptionQueue.end(queue) }
    Memory.free(subscription.pointee.timing)
    OriginRow.freeAll(subscription.pointee.originRows)
  }

  /// Whether its conditions admit an event with this status and these flags.
  func isFor(_ status: Int32, _ flags: UInt32) -> Bool {
    let ended = Subscription.cancelled | Subscription.muted
    guard state.load(ordering: .relaxed) & ended == 0 else { return false }
    // What a view wrote is not there to be handled if a replay does not know it.
    let written = flags & UInt32(MAINSTEM_EVENT_WRITTEN | MAINSTEM_EVENT_WITHHELD)
    guard !call.wantsWritten || written == UInt32(MAINSTEM_EVENT_WRITTEN) else { return false }
    // A shared request is for no handler.
    guard !call.isHandler || !Draft.isAsker(flags) else { return false }
    return switch call.wants {
    case .any: true
    case .failed: status != 0
    case .succeeded: status == 0
    }
  }

  /// Whether it looks at what is sent through an origin.
  func looks(at origin: UInt32) -> Bool { !call.isOfOneOrigin || self.origin == origin }

  /// Whether it is a handler that is not called: see `muted`.
  var isMuted: Bool { state.load(ordering: .relaxed) & Subscription.muted != 0 }

  /// Whether it gets an event, if that is the next.
  func wants(_ event: UnsafeMutablePointer<mainstem_event>) -> Bool {
    isFor(event.pointee.status, event.pointee.flags) && wantsMore(than: 0)
  }

  /// Whether it gets more than a number of further matches.
  package func wantsMore(than matches: UInt64) -> Bool { !call.counts || remaining > matches }

  /// Counts a match, if it counts them.
  package mutating func countMatch() {
    if call.counts { remaining &-= 1 }
  }

  /// Whether senders are told when its queue is full.
  var refuses: Bool { queue?.pointee.bounds.policy.refuses ?? false }

  /// Whether it has been cancelled; for any thread.
  @inline(__always)
  static func isCancelled(_ subscription: Pointer) -> Bool {
    subscription.pointee.state.load(ordering: .relaxed) & cancelled != 0
  }
}

/// Which event types an observer looks at; resolved to rows, so that a send need not test it.
package enum Filter {
  /// No types: it only keeps a release hook.
  case nothing
  case one(UInt32)
  /// Several types, ascending; the filter owns the list.
  case several(UnsafeMutablePointer<UInt32>, count: Int)
  case pattern(Pattern)

  /// Types by role and layer, including those registered later.
  package struct Pattern {
    /// 0: every role.
    package let role: UInt64
    /// One bit for each layer.
    package let layers: UInt64

    package init(role: UInt64, layers: UInt64) {
      self.role = role
      self.layers = layers
    }

    /// Every type of these layers.
    package init(layers: UInt64) { self.init(role: 0, layers: layers) }

    /// The same pattern, limited to some layers.
    package func narrowed(to layers: UInt64) -> Pattern {
      Pattern(role: role, layers: self.layers & layers)
    }

    package func matches(_ contract: Contract) -> Bool {
      (role == 0 || contract.role?.rawValue == role)
        && layers & (1 << UInt64(contract.layer)) != 0
    }
  }

  package var pattern: Pattern? {
    if case .pattern(let pattern) = self { return pattern }
    return nil
  }

  package func free() {
    if case .several(let types, _) = self { Memory.free(types) }
  }
}

/// The counters of one subscription.
extension Stream {
  /// Reads the counters of a subscription, from any thread.
  package static func readSubscriptionStats(
    _ handle: Handle, into stats: UnsafeMutablePointer<mainstem_subscription_stats>
  ) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .subscription, "subscription")
    let found = resolved.stream.locked { () -> mainstem_subscription_stats? in
      guard let subscription = resolved.liveSubscription else { return nil }
      var found = mainstem_subscription_stats()
      subscription.pointee.readStats(into: &found)
      return found
    }
    guard var found else { throw Refusal(.stale, "subscription", "has ended") }
    found.size = stats.pointee.size
    stats.pointee = found
  }
}

extension Subscription {
  fileprivate func readStats(into stats: inout mainstem_subscription_stats) {
    stats.failed = failures.load(ordering: .relaxed)
    if let timing {
      stats.flags |= UInt32(MAINSTEM_SUBSCRIPTION_TIMED)
      stats.delivered = timing.pointee.calls.load(ordering: .relaxed)
      stats.total_ns = timing.pointee.total.load(ordering: .relaxed)
      stats.longest_ns = timing.pointee.longest.load(ordering: .relaxed)
      stats.current_ns = timing.pointee.current
    }
    if let queue { SubscriptionQueue.readStats(queue, into: &stats) }
  }
}

extension Subscription {
  /// Counts a failed call, on the thread that makes it.
  ///
  /// - Returns: How many have failed so far.
  static func countFailure(_ subscription: Pointer) -> UInt64 {
    if let queue = subscription.pointee.queue { return queue.pointee.countFailure() }
    return subscription.pointee.failures.wrappingAdd(1, ordering: .relaxed).newValue
  }
}
