// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// One of our callbacks on a thread's stack. A thread's frames are a chain, innermost first; from
/// it come the cause of what is sent, and BUSY.
///
/// A frame of a stream means that this thread holds the stream's delivery lock, but for one of a scheduler: such
/// a callback sends as if from outside. It is never above one that holds the delivery lock.
package struct Frame {
  package let previous: UnsafeMutablePointer<Frame>?
  package let stream: Stream
  /// The event being delivered; nil in a release hook.
  package let event: UnsafeMutablePointer<mainstem_event>?
  /// The row being called; nil in a completion, and in a hook. All that is written for each call.
  package var current: UnsafeMutablePointer<Subscription.Pointer>?
  /// Where a completion was asked for; for an observer its row says it.
  package var origin: UInt32 = 0
  /// The last call that said something of itself, and what: bit 0, that it failed; bit 1, that it is
  /// done; above them, how many numbers it drew.
  private var marked: UInt32 = 0
  private var marks: UInt32 = 0
  /// Whose call it is: see `Caller`. A number: with the three before it fills 16 bytes.
  private var caller = Caller.delivery

  /// Whose call a frame is.
  private enum Caller {
    /// The delivery's own: replay makes it again, and what is sent in it.
    static var delivery: UInt32 { 0 }
    /// A scheduler's, which holds no delivery lock.
    static var scheduler: UInt32 { 1 }
    /// A part of the delivery that somebody outside asked for: who that was, replay does not know.
    static var outside: UInt32 { 2 }
  }

  package var holdsDeliveryLock: Bool { caller != Caller.scheduler }

  /// Whether what is sent in it is an input, which replay feeds in.
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

  /// Counts the numbers that the present call has drawn, from 1.
  package mutating func countDraw() -> UInt32 {
    markCall()
    marks &+= 4
    return marks >> 2
  }

  /// What tells the frame's calls apart; never 0.
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

  /// As `enter`, for a call on a scheduler.
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

  /// Notes that somebody outside asked for this call.
  package mutating func noteOutside() { caller = Caller.outside }

  /// The frame in which this thread runs a callback of a stream's scheduler, and nothing else of it above.
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

  /// What tells threads apart.
  @inline(__always)
  package static var thread: UInt { UInt(mainstem_p_thread_identity()) }
}
