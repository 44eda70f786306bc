// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What is owed for the event that is being delivered. For the deliverer.
package struct OwedShows {
  private(set) var first: Show.Pointer?
  private var last: Show.Pointer?
  /// Those that are owed after the next event.
  var refused = List<Show, Show.Refused>()
  /// The show that is owed for the completion, or the settled function, that runs now.
  var ofCall: Show.Pointer?
  /// The last first show of what was just opened: the answer that says so comes after it.
  var ofOpened: Show.Pointer?
  /// The event they are owed for, when it is not at hand any longer.
  var event = mainstem_event()
  /// The request for which a command's function runs now, and whether that has retained it.
  var running: UnsafePointer<mainstem_event>?
  var isRetained = false

  package init() {}

  /// The one that is called last.
  var lastOwed: Show.Pointer? { first == nil ? nil : last }

  @inline(__always)
  mutating func append(_ show: Show.Pointer) {
    guard !show.pointee.isOwed else { return }
    show.pointee.isOwed = true
    show.pointee.next = nil
    if let last, first != nil { last.pointee.next = show } else { first = show }
    last = show
  }

  /// Before those that are owed since.
  mutating func prepend(_ show: Show.Pointer) {
    show.pointee.isOwed = true
    show.pointee.next = first
    if first == nil { last = show }
    first = show
  }

  @inline(__always)
  mutating func takeFirst() -> Show.Pointer? {
    guard let show = first else { return nil }
    first = show.pointee.next
    show.pointee.isOwed = false
    return show
  }
}

/// Show functions: owed when a callback of their server gets an event, called when that event has reached everybody, and
/// before the next one. For the deliverer.
///
/// Mostly a row of the event's type pays, behind all observers. What comes after the rows, and what has no row, is
/// paid between two events: `payShows`.
extension Stream {
  /// Runs a call of a server's that none of its observers gets: of a requester, or that a request is settled.
  package func oweAfter(
    _ show: Show.Pointer?, _ event: UnsafeMutablePointer<mainstem_event>, _ call: () -> Void
  ) {
    guard let show else { return call() }
    deliverer.pointee.owe(show)
    deliverer.pointee.shows.ofCall = show
    call()
    deliverer.pointee.shows.ofCall = nil
    if !isForked { locked { askToPay(for: event) } }
  }

  /// Has the deliverer pay between two events. Under the lock.
  func askToPay(for event: UnsafeMutablePointer<mainstem_event>) {
    deliverer.pointee.shows.event = event.pointee
    ask(for: Attention.shows)
    callDeliverer()
  }

  /// Pays after the first call that owes anything; false: something is unusual.
  @inline(__always)
  func payAtOnce(_ show: Show.Pointer, in frame: UnsafeMutablePointer<Frame>) -> Bool {
    guard deliverer.pointee.shows.first == nil, !show.pointee.isRefused, !show.pointee.isUnshown,
      !isIn(.fedAll)
    else { return false }
    frame.pointee.go(to: Show.row(of: show))
    let status = show.pointee.function(
      show.pointee.userData, show.pointee.server, show.pointee.types)
    if status != 0 || show.pointee.held.first != nil { finish(show, status, in: frame) }
    return true
  }

  /// What follows when a show function has returned.
  @inline(never)
  private func finish(
    _ show: Show.Pointer, _ status: Int32, in frame: UnsafeMutablePointer<Frame>
  ) {
    if isForked { return }
    if status != 0 { take(status, of: show, in: frame) }
    if show.pointee.held.first != nil { sendHeld(by: show, in: frame) }
  }

  /// The function of the row behind all observers.
  static func payHere() {
    guard let frame = Frame.innermost, let event = frame.pointee.event else { return }
    let stream = frame.pointee.stream
    // The row was counted as a call.
    stream.state.pointee.delivery.add(calls: ~0)
    guard stream.deliverer.pointee.shows.first != nil else { return }
    // The requester comes first.
    guard event.pointee.reply == 0 else {
      return stream.locked { stream.askToPay(for: event) }
    }
    let row = frame.pointee.current
    stream.pay(in: frame)
    frame.pointee.go(to: row)
  }

  /// Pays for an event that has reached its observers, in a frame of its own.
  func pay(for event: UnsafeMutablePointer<mainstem_event>) {
    Frame.enter(self, event) { pay(in: $0) }
  }

  private func pay(in frame: UnsafeMutablePointer<Frame>) {
    while let show = deliverer.pointee.shows.takeFirst() {
      call(show, in: frame)
      if !isUndisturbed { attendObservers(between: false) }
      if isForked { return }
    }
  }

  private func call(_ show: Show.Pointer, in frame: UnsafeMutablePointer<Frame>) {
    if show.pointee.isRefused { forgetRefusal(of: show) }
    var status: Int32 = 0
    if Show.isLive(show), !isIn(.fedAll) {
      if show.pointee.isUnshown { forgetUnshown(show) }
      frame.pointee.go(to: Show.row(of: show))
      status = show.pointee.function(
        show.pointee.userData, show.pointee.server, show.pointee.types)
    }
    finish(show, status, in: frame)
    if show.pointee.hasEnded, !isForked { Show.free(show) }
  }

  /// What a show function has returned, if that is not OK.
  @inline(never)
  private func take(_ status: Int32, of show: Show.Pointer, in frame: UnsafeMutablePointer<Frame>) {
    switch status {
    case Status.full.rawValue, Status.noMemory.rawValue:
      show.pointee.isRefused = true
      show.pointee.refusedAt = frame.pointee.event?.pointee.position ?? 0
      deliverer.pointee.shows.refused.append(show)
      locked {
        ask(for: Attention.shows)
        forbidQuickSends()
        callDeliverer()
      }
    // While the stream closes it is refused everything: that is no failure.
    case Status.stale.rawValue where (try? demandOpen()) == nil: break
    default: failShow(in: frame, status)
    }
  }

  private func forgetRefusal(of show: Show.Pointer) {
    show.pointee.isRefused = false
    deliverer.pointee.shows.refused.remove(show)
  }

  /// An event has reached everybody: those that found no room after an earlier one are owed for it.
  @inline(never)
  func oweRefused(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard isAsked(for: Attention.shows) else { return }
    var left: Show.Pointer?
    while let show = deliverer.pointee.shows.refused.first, show != left {
      if show.pointee.refusedAt != event.pointee.position {
        forgetRefusal(of: show)
        deliverer.pointee.owe(show)
      } else {
        // It was called for this event.
        deliverer.pointee.shows.refused.remove(show)
        deliverer.pointee.shows.refused.append(show)
        left = left ?? show
      }
    }
    if deliverer.pointee.shows.first != nil { deliverer.pointee.shows.event = event.pointee }
  }

  /// Pays what is owed for the last event, and what waits for the next. For the deliverer, between two events.
  @inline(never)
  func payShows() {
    if isForked { return }
    if deliverer.pointee.shows.first != nil {
      var event = deliverer.pointee.shows.event
      // What its pointers showed may be gone.
      (event.data, event.size, event.user_message) = (Draft.nothing, 0, nil)
      withUnsafeMutablePointer(to: &event) { pay(for: $0) }
      if isForked { return }
    }
    if isAsked(for: Attention.dueShows) { payUnshown() }
    if isForked { return }
    locked {
      if deliverer.pointee.shows.refused.isEmpty { endAsking(for: Attention.shows) }
      allowQuickSends()
    }
  }

  /// Gives a new server its show function. Under the lock; nobody can be called yet.
  package func addShow(
    _ given: Show.Function, _ userData: UnsafeMutableRawPointer?, to scope: Scope.Pointer
  ) throws(Refusal) {
    guard makePayer(), let show = Show.make(given, userData, scope.pointee.handle) else {
      throw .noMemory
    }
    show.pointee.isUnshown = eventOfAdding == nil
    scope.pointee.show = show
    state.pointee.delivery.hasShows.store(true, ordering: .relaxed)
  }

  /// Takes it back. Under the lock.
  package func removeShow(of scope: Scope.Pointer) {
    if let show = scope.pointee.show { Show.free(show) }
    scope.pointee.show = nil
  }

  /// Ends the show of a subscription that ends. Under both locks.
  func endShow(_ show: Show.Pointer, of scope: Scope.Pointer) {
    scope.pointee.show = nil
    if show.pointee.isUnshown { removeUnshown(show) }
    if show.pointee.isRefused { forgetRefusal(of: show) }
    Show.join(nil, to: show)
    // Answers may wait for it.
    if show.pointee.isOwed { show.pointee.hasEnded = true } else { Show.free(show) }
  }
}

extension DelivererState {
  /// A callback of a server is about to be called.
  @inline(__always)
  mutating func owe(_ show: Show.Pointer?) {
    if let show { shows.append(show) }
  }
}

/// Answers that are held until the show is paid.
extension Stream {
  /// Whether a server has not said yet what it shows.
  var owesShows: Bool { isAsked(for: Attention.shows | Attention.unshown | Attention.dueShows) }

  /// Keeps an answer back.
  @inline(never)
  func hold(_ kept: KeptEvent, for show: Show.Pointer, in frame: UnsafeMutablePointer<Frame>) {
    let cause = frame.pointee.event
    kept.queued.pointee.event = kept.draft.event(
      at: 0, cause: cause?.pointee.position ?? 0, chain: cause?.pointee.correlation ?? 0, time: 0,
      isOutside: false, depth: cause.map { Stream.depth(of: $0) &+ 1 } ?? 0)
    show.pointee.held.append(kept.queued)
  }

  /// Sends what was held: after what the show function has said, or failed to say.
  @inline(never)
  private func sendHeld(by show: Show.Pointer, in frame: UnsafeMutablePointer<Frame>) {
    while let queued = show.pointee.held.takeFirst() {
      makeWay()
      enqueueHeld(queued, in: frame)
    }
  }
}

extension DelivererState {
  /// The server that shows after the callback of a frame; nil: none.
  func show(after frame: UnsafeMutablePointer<Frame>) -> Show.Pointer? {
    shows.ofOpened ?? showOfCall(in: frame)
  }

  /// The server that shows because of the callback of a frame; nil: none.
  func showOfCall(in frame: UnsafeMutablePointer<Frame>) -> Show.Pointer? {
    guard let row = frame.pointee.row else {
      return frame.pointee.event == nil ? nil : shows.ofCall
    }
    return row.pointee.call.shows ? row.pointee.scope.pointee.show : nil
  }
}

/// What a show function may do.
extension Stream {
  /// Whether this thread is in a show function of this stream.
  var isInShow: Bool { Frame.of(self)?.pointee.row?.pointee.call.isShow ?? false }

  /// Refuses what changes the stream in a show function: it may only say what is.
  package func demandNoShow() throws(Refusal) {
    guard !isInShow else {
      throw Refusal(
        .busy, "",
        "a show function only sets values and sends notices: do everything else in a handler")
    }
  }

  /// Like `demandNoShow`, for an event of a type.
  func demandShowable(_ type: UInt32) throws(Refusal) {
    switch contract(of: type).role {
    case .request, .response: try demandNoShow()
    default: break
    }
  }
}

extension Frame {
  /// Whether this thread may be in a show function, of whatever stream.
  @inline(__always)
  package static var mayBeShow: Bool {
    guard let frame = innermost else { return false }
    return frame.pointee.previous != nil || frame.pointee.row?.pointee.call.isShow ?? false
  }
}

/// Whether a call of the owner's has servers show that have shown nothing yet.
package enum FirstShow {
  case never
  /// Unless the context delivers on the host: then functions run in drains only.
  case inSend
  case inDrain
}

/// First shows: of a server that a callback adds, after the callback's event; of any other, before the next event is
/// accepted, or a drain.
extension Stream {
  /// A server that shows was added: what it shows is said as soon as that may be. Under the lock.
  package func oweFirst(_ show: Show.Pointer) {
    guard let event = eventOfAdding else { return addUnshown(show) }
    deliverer.pointee.owe(show)
    askToPay(for: event)
  }

  /// The event of the callback that adds a server, if a replay calls that callback again.
  var eventOfAdding: UnsafeMutablePointer<mainstem_event>? {
    guard let frame = Frame.of(self), !frame.pointee.sendsInputs else { return nil }
    return frame.pointee.event
  }

  /// Under the lock.
  private func addUnshown(_ show: Show.Pointer) {
    show.pointee.isUnshown = true
    state.pointee.unshown.append(show)
    ask(for: Attention.unshown)
    forbidQuickSends()
  }

  /// It is about to show for another reason.
  func forgetUnshown(_ show: Show.Pointer) {
    locked { removeUnshown(show) }
  }

  /// Under the lock.
  func removeUnshown(_ show: Show.Pointer) {
    show.pointee.isUnshown = false
    state.pointee.unshown.remove(show)
    if state.pointee.unshown.isEmpty { endAsking(for: Attention.unshown) }
  }

  /// Has the deliverer call those that have shown nothing yet. Under the lock.
  func readyUnshown(_ call: FirstShow) {
    guard isAsked(for: Attention.unshown), isMine, !isIn(.fedAll) else { return }
    switch call {
    case .never: break
    case .inSend where isDeferred: break
    case .inSend, .inDrain: ask(for: Attention.dueShows)
    }
  }

  /// Calls those that have shown nothing yet. What they send are inputs without a cause. For the deliverer, between two
  /// events.
  func payUnshown() {
    var left = locked {
      var count = 0
      state.pointee.unshown.each { _ in count &+= 1 }
      return count
    }
    while left > 0, !isForked, let show = takeUnshown() {
      left &-= 1
      if Show.isLive(show) { showFirst(show) }
      if isForked { return }
      if !isUndisturbed { attendObservers(between: true) }
    }
    endAsking(for: Attention.dueShows)
  }

  private func takeUnshown() -> Show.Pointer? {
    locked {
      guard let show = state.pointee.unshown.first else { return nil }
      removeUnshown(show)
      return show
    }
  }

  private func showFirst(_ show: Show.Pointer) {
    Frame.enter(self, nil, Show.row(of: show)) { frame in
      let status = show.pointee.function(
        show.pointee.userData, show.pointee.server, show.pointee.types)
      guard !isForked, status != 0 else { return }
      if status == Status.full.rawValue || status == Status.noMemory.rawValue {
        locked { addUnshown(show) }
      } else {
        failShow(in: frame, status)
      }
    }
  }
}
