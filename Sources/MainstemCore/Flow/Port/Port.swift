// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The port: the one place where the stations above connect to the stream. Their functions are given with the memory
/// and serve every context in it.
///
/// Any thread reads it; under both locks it is changed. `feed` has fields that are no atomics. It comes first for the
/// reason given at `StreamState`.
package struct Port: ~Copyable {
  /// See `Feed`.
  var feed = Feed()
  /// Handlers, which knows the requests.
  let requests: Listener<RequestFunctions>
  /// The recorder. Its state stays connected after recording, for another context.
  let recorder: Listener<RecorderFunctions>
  /// What feeds the stream.
  let source: Listener<SourceFunctions>
  fileprivate let mode = Atomic<UInt32>(Mode.live.rawValue)

  /// What the stream's inputs are, and what becomes of them.
  enum Mode: UInt32 {
    case live = 0
    case recorded = 1
    /// Every event is fed. No handler is called, and what callbacks send is not accepted.
    case fedAll = 2
    /// The events from outside are fed. The others are what callbacks send.
    case fedInputs = 3
  }

  package init(
    requests: RequestFunctions, recorder: RecorderFunctions, source: SourceFunctions
  ) {
    self.requests = Listener(requests)
    self.recorder = Listener(recorder)
    self.source = Listener(source)
  }
}

extension Stream {
  /// Connects the station of requests of a new context; nothing is recorded or fed.
  package func openPort(_ requests: UnsafeMutableRawPointer) {
    setMode(.live)
    state.pointee.port.source.disconnect()
    state.pointee.port.feed.reset()
    state.pointee.port.requests.connect(requests)
  }

  @inline(__always)
  func isIn(_ mode: Port.Mode) -> Bool {
    state.pointee.port.mode.load(ordering: .acquiring) == mode.rawValue
  }

  /// Begins or ends recording or feeding. Under both locks.
  func setMode(_ mode: Port.Mode) {
    state.pointee.port.mode.store(mode.rawValue, ordering: .releasing)
  }

  /// Whether the stream is recorded or fed: its callbacks do the same again in a replay.
  @inline(__always)
  package var isTapped: Bool {
    state.pointee.port.mode.load(ordering: .acquiring) != Port.Mode.live.rawValue
  }

  /// Whether everything from outside comes from a source.
  @inline(__always)
  package var isFed: Bool {
    state.pointee.port.mode.load(ordering: .acquiring) >= Port.Mode.fedAll.rawValue
  }

  /// Whether the handlers on a scheduler are not called, because what they sent is fed: all of it, or all inputs.
  package func mutesHandlers(at scheduler: UInt32) -> Bool {
    isIn(.fedAll) || isFed && scheduler != Schedulers.immediate
  }
}

/// Origins. For the deliverer, under the lock.
extension Stream {
  /// Marks the origins that the stations above name, and returns how many things they looked at.
  package func markOriginsAbove() -> Int {
    var count = 0
    if let requests = requestState {
      count &+= state.pointee.port.requests.functions.markOrigins(
        requests, UnsafeMutableRawPointer(state))
    }
    if let source {
      count &+= state.pointee.port.source.functions.markOrigins(
        source, UnsafeMutableRawPointer(state))
    }
    return count
  }

  /// Tells the stations above that an origin is forgotten.
  package func forgetOriginAbove(_ origin: UInt32) {
    if let source {
      state.pointee.port.source.functions.forget(source, UnsafeMutableRawPointer(state), origin)
    }
    if let recorder = connectedRecorder {
      state.pointee.port.recorder.functions.forget(recorder, UnsafeMutableRawPointer(state), origin)
    }
  }
}

/// A station above the stream: its functions, which never change, and its state. Each function gets the state first, then
/// the stream's memory.
///
/// Any thread reads the state. So the memory that it points to stays with the stream's as long as a late thread may
/// look at it.
package struct Listener<Functions>: ~Copyable {
  package let functions: Functions
  private let address = Atomic<UInt>(0)

  package init(_ functions: Functions) { self.functions = functions }

  @inline(__always)
  package var state: UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: address.load(ordering: .acquiring))
  }

  package func connect(_ state: UnsafeMutableRawPointer) {
    address.store(UInt(bitPattern: state), ordering: .releasing)
  }

  /// Returns the state that was connected; for one caller only.
  @discardableResult
  package func disconnect() -> UnsafeMutableRawPointer? {
    UnsafeMutableRawPointer(bitPattern: address.exchange(0, ordering: .acquiringAndReleasing))
  }
}

/// What the stream tells the station of requests. Connected as long as the context is open.
package struct RequestFunctions {
  /// A tracked request, or an answer to one, has reached its observers. If the flag is set it has not: it was dropped,
  /// because it could not be recorded. For the deliverer; no lock held.
  package let passed:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer, Bool
    ) -> Void
  /// An event of a source has its position, as an input of a stream whose servers are live: a tracked request must be
  /// tracked again, an answer must settle its request. For the deliverer; no lock held.
  package let fed:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  /// More can answer a tracked request, or fewer: gets an event that is it, and how many. 0: a handler that got it has
  /// failed. Returns whether nobody is left, and it has no answer: `unanswered` follows. Under the lock.
  package let holds: @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, Int32) -> Bool
  /// Nobody can answer a request any longer. Gets an event that is it, the origin of the last one that could, and whether
  /// what follows waits for the next drain. No lock held.
  package let unanswered:
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UInt32, Bool) -> Void
  /// A request counts as settled, although a source feeds its answer later. Gets its position. For the
  /// deliverer; no lock held.
  package let settle:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64) -> Void
  /// An answer that another thread has given is taken in. Gets the handle of its request. Under the lock.
  package let takenIn:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64) -> Void
  /// A scope is about to end. Under the lock; `abandoned` follows.
  package let ending:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  /// Types have lost the first of their handlers; they are marked with this serial. Under the lock. The caller holds
  /// the delivery lock, or the word is marked so that the deliverer looks. 0: a source has told an end, and feeds what
  /// follows from it.
  package let abandoned:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt32) -> Void
  /// Marks the origins that the station names, and returns how many things it looked at. Under the lock.
  package let markOrigins: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
  /// Finds the fetches in whose handling a request was asked that is an event or has it as its answer: `Fetches`. For
  /// the deliverer.
  package let fetch:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
}

extension Stream {
  /// The state of the station of requests.
  package var requestState: UnsafeMutableRawPointer? { state.pointee.port.requests.state }

  /// Tells that a tracked request, or an answer to one, has reached its observers, or was dropped.
  package func tellPassed(_ event: UnsafeMutablePointer<mainstem_event>, isDropped: Bool = false) {
    guard event.pointee.reply != EndMark.reply else { return endDelivered(event) }
    guard let requests = requestState else { return }
    state.pointee.port.requests.functions.passed(
      requests, UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(event), isDropped)
  }

  /// Tells that an event of a source has its position.
  func tellFed(_ event: UnsafeMutablePointer<mainstem_event>) {
    let ended = state.pointee.reports.ended
    if ended != 0, event.pointee.type == ended { return takeUpEnd(event) }
    guard isIn(.fedInputs), let requests = requestState else { return }
    state.pointee.port.requests.functions.fed(
      requests, UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(event))
  }

  /// Whether an event is a tracked request: whoever has it can answer.
  @inline(__always)
  static func isAsking(_ event: UnsafePointer<mainstem_event>) -> Bool {
    event.pointee.reply != 0 && event.pointee.answers == 0
  }

  /// Tells that more can answer a request, or fewer. Under the lock.
  ///
  /// - Parameter change: How many; 0: a handler that got it has failed.
  /// - Returns: Whether nobody is left, and it has no answer: call `tellUnanswered` after unlocking.
  @inline(never)
  func tellHeld(_ event: UnsafePointer<mainstem_event>, _ change: Int32) -> Bool {
    guard requestState != nil else { return false }
    return state.pointee.port.requests.functions.holds(
      UnsafeMutableRawPointer(state), UnsafeRawPointer(event), change)
  }

  /// Tells that nobody can answer a request any longer.
  ///
  /// - Parameter origin: Through which the last one could.
  @inline(never)
  func tellUnanswered(
    _ event: UnsafePointer<mainstem_event>, by origin: UInt32, toInbox waits: Bool
  ) {
    guard requestState != nil, !isForked else { return }
    state.pointee.port.requests.functions.unanswered(
      UnsafeMutableRawPointer(state), UnsafeRawPointer(event), origin, waits)
  }

  /// Tells that an answer is taken in. Under the lock.
  func tellTakenIn(_ request: UInt64) {
    guard let requests = requestState else { return }
    state.pointee.port.requests.functions.takenIn(requests, UnsafeMutableRawPointer(state), request)
  }

  /// The fetches in whose handling a request was asked; of an answer, those of its request. For the deliverer.
  func inheritedFetches(_ event: UnsafeMutablePointer<mainstem_event>) -> Fetches {
    var fetches = Fetches.none
    guard requestState != nil, event.pointee.reply != 0 else { return fetches }
    withUnsafeMutablePointer(to: &fetches) {
      state.pointee.port.requests.functions.fetch(
        UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(event), UnsafeMutableRawPointer($0))
    }
    return fetches
  }

  /// Tells that a scope is about to end. Under the lock; `tellAbandoned` follows.
  package func tellEnding(_ scope: Scope.Pointer) {
    guard let requests = requestState else { return }
    state.pointee.port.requests.functions.ending(
      requests, UnsafeMutableRawPointer(state), UnsafeMutableRawPointer(scope))
  }

  /// Tells that types may have lost the first of their handlers at a serial; 0: see `abandoned`. Under the lock.
  package func tellAbandoned(_ serial: UInt32) {
    guard let requests = requestState else { return }
    state.pointee.port.requests.functions.abandoned(
      requests, UnsafeMutableRawPointer(state), serial)
  }
}

/// How a station above records what is accepted before anybody sees it: law 10.
package struct RecorderFunctions {
  package typealias Note =
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64) -> Void

  /// Whether there will be room to record an event with that many bytes; below 0: only whether recording still goes on.
  /// Any thread, no lock.
  package let admit: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Int32
  /// Records an event that is about to be delivered; false: nobody may see it. For the deliverer.
  package let record:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafePointer<mainstem_event>
    ) -> Bool
  /// Like `record` for one of many events, which are written with the last of them. Then it returns the last position
  /// that may be seen. For the deliverer.
  package let gather:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafePointer<mainstem_event>, Bool
    ) -> UInt64
  /// A callback of the event at the first position depends on what was accepted up to the last. Gets the question's number
  /// in between; 0: it is counted. For the deliverer.
  package let noteReadPoint:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64, UInt64
    ) -> Void
  /// The same, if it was refused something because the stream is closing. Gets the `callbackKey` of its event.
  package let noteClosing: Note
  /// A callback was refused something for lack of room: gets a `Refused`. For the deliverer.
  package let noteRefused:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  /// A host has ended scopes, or a callback may have found a request answered whose answer waits in the inbox: gets a
  /// `Noted`. For the deliverer.
  package let note:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  /// Whether everything is as promised, when a call that sent something, or that waits for what others sent, is about
  /// to return.
  package let acknowledge:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Bool) -> Int32
  /// An origin is forgotten: its number will not come again. For the deliverer, under the lock.
  package let forget:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt32) -> Void
}

/// What a source of events is asked and told that replaces everything sent from outside; a replay is one. Connected
/// while it feeds the stream. Used by the deliverer.
package struct SourceFunctions {
  /// A callback is about to send, or to do what the stream will report: the source feeds what came in between. Gets the
  /// position of the callback's event, and that of the request it answers, or 0. No lock held.
  package let makeWay:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64) -> Void
  /// A callback is about to depend on what was accepted: the source feeds what was accepted then. Gets the position of
  /// the callback's event, the question's number or 0, and the version of the journal format since which such a read point
  /// is recorded. No lock held.
  package let makeReadPoint:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64, UInt32
    ) -> Void
  /// Whether the recorded stream was closing when a callback asked for something. Gets the `callbackKey` of the
  /// callback's event. No lock held.
  package let isClosing:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64) -> Bool
  /// The next request that is settled for callbacks of the recorded session by now, although its answer had not been
  /// taken in; 0: none is left. Gets the position of the callback's event; the last there is, if that is late. The
  /// source feeds what had been accepted by then. No lock held.
  package let answered:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64) -> UInt64
  /// What a callback was refused when it tried something. Gets the position of the callback's event, and the number of
  /// the attempt. Returns `Refused.bits`; 0: nothing was refused. No lock held.
  package let refused:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt64) -> UInt64
  /// Whether the core answered a request UNHANDLED in the recorded session, as its next output. Gets the position of the
  /// request, the type of its response, and room for the answer's payload. Returns the size of the payload, 0 if it was
  /// not recorded or has no room; -1: another answer, or none. No lock held.
  package let unhandled:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt64, UInt32, UnsafeMutableRawPointer?,
      Int
    ) -> Int
  /// An event (`mainstem_event`) is about to reach its observers: the source looks at it, and sets its time if a
  /// callback sent it. No lock held.
  package let look:
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeMutableRawPointer, UnsafeMutableRawPointer
    ) -> Void
  /// Feeds what is due, up to a limit, and returns how many events that were.
  package let run: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int) -> Int
  /// Marks the origins that the source names, and returns how many things it looked at. Under the lock.
  package let markOrigins: @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int
  /// An origin is forgotten: its number will not come again. Under the lock.
  package let forget:
    @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer, UInt32) -> Void
}
