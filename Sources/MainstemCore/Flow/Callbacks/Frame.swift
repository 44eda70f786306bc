// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// One callback of this library on a thread's stack. A thread's frames form a chain, innermost first. The chain says
/// what caused an event, and when a call returns BUSY.
///
/// A frame of a stream means that this thread holds the stream's delivery lock, unless it is a scheduler's frame: such
/// a callback sends as if from outside. So does the release hook of a scheduled observer that the deliverer ends: its
/// frame is a scheduler's, above one that holds the delivery lock.
package struct Frame {
  package let previous: UnsafeMutablePointer<Frame>?
  package let stream: Stream
  /// The event being delivered; nil in a release hook.
  package let event: UnsafeMutablePointer<mainstem_event>?
  /// The row being called; nil in a completion and in a hook. The only field written for every call.
  package var current: UnsafeMutablePointer<Subscription.Pointer>?
  /// The origin of a completion. For an observer, the row says it.
  package var origin: UInt32 = 0
  /// Identifies the last call that set a mark, and holds its marks: bit 0 says that it failed, bit 1 that it confirmed,
  /// the bits above count the numbers it drew.
  private var marked: UInt32 = 0
  private var marks: UInt32 = 0
  /// Who makes the call: see `Caller`. A number, so that it and the three fields before it fill 16 bytes.
  private var caller = Caller.delivery

  /// Who makes a frame's call.
  private enum Caller {
    /// The delivery itself: replay repeats the call and what it sends.
    static var delivery: UInt32 { 0 }
    /// A scheduler, which holds no delivery lock.
    static var scheduler: UInt32 { 1 }
    /// A part of the delivery that somebody outside asked for. Replay does not know who that was.
    static var outside: UInt32 { 2 }
    /// Nobody: the frame below all others on the thread of a scheduler.
    static var thread: UInt32 { 3 }
  }

  package var holdsDeliveryLock: Bool { caller != Caller.scheduler && caller != Caller.thread }

  /// Whether what the callback sends is an input, which replay feeds in.
  package var sendsInputs: Bool { caller != Caller.delivery }
}

extension Frame {
  /// The observer being called; nil in a completion.
  package var row: Subscription.Pointer? { current?.pointee }
  package var hasFailed: Bool { marked == call && marks & 1 != 0 }
  package var isConfirmed: Bool { marked == call && marks & 2 != 0 }

  package mutating func noteFailed() {
    markCall()
    marks |= 1
  }

  package mutating func noteConfirmed() {
    markCall()
    marks |= 2
  }

  /// Counts a number drawn by the current call.
  ///
  /// - Returns: How many it has drawn, from 1.
  package mutating func countDraw() -> UInt32 {
    markCall()
    marks &+= 4
    return marks >> 2
  }

  /// Lets this call draw other numbers than the calls of the same event that have no row, either.
  package mutating func drawAs(_ ordinal: UInt32) {
    markCall()
    marks |= ordinal << 18
  }

  /// Goes on with a row that lies elsewhere in memory: what tells calls apart is only a part of its address.
  package mutating func go(to row: UnsafeMutablePointer<Subscription.Pointer>?) {
    current = row
    marked = 0
  }

  /// Tells the frame's calls apart, whose rows lie in one array; never 0.
  private var call: UInt32 { UInt32(truncatingIfNeeded: UInt(bitPattern: current)) | 1 }

  private mutating func markCall() {
    guard marked != call else { return }
    marked = call
    marks = 0
  }
}

extension Frame {
  /// This thread's innermost frame.
  @inline(__always)
  package static var innermost: UnsafeMutablePointer<Frame>? {
    mainstem_p_thread().pointee.frames?.assumingMemoryBound(to: Frame.self)
  }

  /// This thread's innermost frame of a stream; nil when the thread is in no callback of it.
  @inline(__always)
  package static func of(_ stream: Stream) -> UnsafeMutablePointer<Frame>? {
    var frame = innermost
    while let current = frame {
      if current.pointee.stream.state == stream.state { return current }
      frame = current.pointee.previous
    }
    return nil
  }

  /// The frame in which an event is being delivered on this thread.
  package static func of(
    _ event: UnsafePointer<mainstem_event>
  ) -> UnsafeMutablePointer<Frame>? {
    var frame = innermost
    while let current = frame {
      if let delivered = current.pointee.event, UnsafePointer(delivered) == event { return current }
      frame = current.pointee.previous
    }
    return nil
  }

  /// The frame in which a command runs for a request that was delivered before.
  @inline(never)
  package static func running(
    _ event: UnsafePointer<mainstem_event>
  ) -> UnsafeMutablePointer<Frame>? {
    guard let frame = innermost, frame.pointee.holdsDeliveryLock,
      frame.pointee.stream.deliverer.pointee.shows.running == event
    else { return nil }
    return frame
  }

  /// Runs `body` inside a frame.
  @inline(__always)
  package static func enter(
    _ stream: Stream, _ event: UnsafeMutablePointer<mainstem_event>?,
    _ rows: UnsafeMutablePointer<Subscription.Pointer>? = nil,
    _ body: (UnsafeMutablePointer<Frame>) -> Void
  ) {
    let thread = mainstem_p_thread()!
    var frame = Frame(
      previous: thread.pointee.frames?.assumingMemoryBound(to: Frame.self),
      stream: stream, event: event, current: rows)
    withUnsafeMutablePointer(to: &frame) { frame in
      thread.pointee.frames = UnsafeMutableRawPointer(frame)
      body(frame)
      thread.pointee.frames = UnsafeMutableRawPointer(frame.pointee.previous)
    }
  }

  /// Like `enter`, for a call on a scheduler.
  package static func enterScheduled(
    _ stream: Stream, _ event: UnsafeMutablePointer<mainstem_event>?,
    _ row: UnsafeMutablePointer<Subscription.Pointer>?,
    _ body: (UnsafeMutablePointer<Frame>) -> Void
  ) {
    enter(stream, event, row) { frame in
      frame.pointee.caller = Caller.scheduler
      body(frame)
    }
  }

  /// Runs all that a scheduler's own thread does.
  package static func enterThread(of stream: Stream, _ body: () -> Void) {
    enter(stream, nil) { frame in
      frame.pointee.caller = Caller.thread
      body()
    }
  }

  /// Whether this is the thread of a scheduler of a guarded stream.
  package static func isSerial(_ stream: Stream) -> Bool {
    var frame = innermost
    while let current = frame {
      if current.pointee.caller == Caller.thread, current.pointee.stream.state == stream.state {
        return true
      }
      frame = current.pointee.previous
    }
    return false
  }

  /// Notes that somebody outside asked for this call.
  package mutating func noteOutside() { caller = Caller.outside }

  /// The frame in which this thread runs a scheduled callback of a stream; nil if its innermost frame of that stream
  /// holds the delivery lock.
  @inline(__always)
  package static func scheduled(_ stream: Stream) -> UnsafeMutablePointer<Frame>? {
    guard let frame = of(stream), !frame.pointee.holdsDeliveryLock else { return nil }
    return frame
  }

  /// The frame in which this thread holds a stream's delivery lock.
  @inline(__always)
  package static func holding(_ stream: Stream) -> UnsafeMutablePointer<Frame>? {
    guard let frame = of(stream), frame.pointee.holdsDeliveryLock else { return nil }
    return frame
  }

  /// A number that tells threads apart.
  @inline(__always)
  package static var thread: UInt { UInt(mainstem_p_thread_identity()) }
}

/// Numbers what callbacks register that looks: observers and bindings. What merely looks must change no number of others,
/// and may itself register what looks. So the number says who registers: see `Stream.numberLook`.
package struct Looks {
  private var event: UInt64 = 0
  private var identity: UInt32 = 0
  private var count: UInt64 = 0

  package init() {}

  /// - Parameters:
  ///   - event: The `callbackKey` of the callback's event.
  ///   - identity: That of the subscription that is called.
  fileprivate mutating func next(of event: UInt64, by identity: UInt32) -> UInt64 {
    count = event == self.event && identity == self.identity ? count &+ 1 : 1
    (self.event, self.identity) = (event, identity)
    return last
  }

  /// The number given last. Above those that `CallbackCount` gives, for late events too.
  package var last: UInt64 {
    let late = event & CallbackCount.late != 0 ? CallbackCount.firstLate : 0
    return late | Looks.first | UInt64(identity) << 16 | min(count, 0xFFFF)
  }

  private static var first: UInt64 { 1 << 53 }
}

extension Stream {
  /// Numbers something that the callback on this thread registers. For the deliverer; no lock held.
  func numberLook(of event: UInt64) -> UInt64 {
    deliverer.pointee.looks.next(of: event, by: looker)
  }

  /// Whether looking is numbered apart. In the sessions of 0.10.0 and before, it counted with all else.
  package var numbersLooks: Bool { !followsOldSession }

  /// Identifies the subscription of a call that looks, the same in every run; 0: there is none.
  private var looker: UInt32 {
    guard let row = Frame.of(self)?.pointee.row, row.pointee.number != 0 else { return 0 }
    if row.pointee.looksAs == 0 {
      row.pointee.looksAs = locked { UInt32(truncatingIfNeeded: numberLooker(row)) | 1 }
    }
    return row.pointee.looksAs
  }
}
