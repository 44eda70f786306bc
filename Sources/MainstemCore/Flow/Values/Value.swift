// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The last event of one type that was delivered through one scope. Until the first is delivered it is unset, and only
/// knows what is on its way.
///
/// Without the payload it has 136 bytes, which follow from what an observer gets. The payload has memory of its own,
/// which ends with a zero byte and is used again if the next one fits.
package struct Value {
  /// 0: unset.
  private(set) var position: UInt64 = 0
  private var cause: UInt64 = 0
  private var correlation: UInt64 = 0
  private var time: Int64 = 0
  private var size: UInt32 = 0
  private var flags: UInt32 = 0
  let type: UInt32
  let origin: UInt32
  /// How many causes there are back to the outside event.
  private var depth: UInt64 = 0
  /// Nil: unset.
  private(set) var payload: UnsafeMutableRawPointer?
  /// The bytes that there is room for, the zero byte included; 0: the payload is that of a queued event.
  private var capacity = 0
  /// What `capacity` is while the payload is that of a list's step.
  private static var ofStep: Int { -1 }
  /// The last event of the scope's own callbacks, and the last one from outside, that wait for their delivery.
  fileprivate(set) var output: QueuedEvent.Pointer?
  fileprivate(set) var input: QueuedEvent.Pointer?
  /// Of a list: the newest version that was accepted; nil: there is none, or it is not known.
  fileprivate(set) var newest: ListVersion.Pointer?
  /// The position of its event, or `ending`.
  private var newestPosition: UInt64 = 0
  private var inType = Links<Value>()
  private var inStream = Links<Value>()
  /// Another value of the scope; or, when it has ended, another that has.
  var next: Pointer?

  typealias Pointer = UnsafeMutablePointer<Value>

  private init(_ type: UInt32, _ origin: UInt32) {
    self.type = type
    self.origin = origin
  }

  /// A value that is unset; nil without memory.
  static func make(_ type: UInt32, _ origin: UInt32) -> Pointer? {
    guard let value = Memory.allocate(Value.self) else { return nil }
    value.initialize(to: Value(type, origin))
    return value
  }

  static func free(_ value: Pointer) {
    value.pointee.freePayload()
    ListVersion.release(value.pointee.newest)
    Memory.free(value)
  }

  private func freePayload() {
    guard capacity <= 0, let payload else { return Memory.free(payload) }
    if capacity == Value.ofStep {
      ListStep.release(ListStep.of(data: payload))
    } else {
      QueuedEvent.release(QueuedEvent.of(payload: payload))
    }
  }
}

/// The lists that it is in while it is set, each in the order of positions.
extension Value: Listed {
  /// Those of its type.
  enum InType: ListName { static var number: Int { 0 } }
  /// All of the stream.
  enum InStream: ListName { static var number: Int { 1 } }

  @inline(__always)
  package static func links(of node: UnsafeMutablePointer<Value>, in list: Int) -> Links<Value> {
    list == InType.number ? node.pointee.inType : node.pointee.inStream
  }

  @inline(__always)
  package static func set(
    _ links: Links<Value>, of node: UnsafeMutablePointer<Value>, in list: Int
  ) {
    if list == InType.number {
      node.pointee.inType = links
    } else {
      node.pointee.inStream = links
    }
  }
}

/// What is there.
extension Value {
  var isSet: Bool { position != 0 }

  /// Whether it is of an event that a journal did not keep: then the payload is the error that says so, and that of a
  /// queued event, and the size is one that no payload has.
  var isMarked: Bool { Value.isMarked(flags) }

  /// Whether these bytes are there.
  func has(_ data: UnsafeRawPointer?, _ size: Int) -> Bool {
    guard let payload, let data, size == Int(self.size) else { return false }
    return mainstem_p_same(payload, data, size)
  }

  /// Like `has`, if they are those of a scalar. There is no call in it, so that whoever asks needs no stack.
  @inline(__always)
  func hasScalar(_ data: UnsafeRawPointer?, _ size: Int) -> Bool {
    guard let payload, let data, size == Int(self.size) else { return false }
    return mainstem_p_same_scalar(payload, data, size)
  }

  /// Whether these bytes will be there: those of the last event on its way, else those that are there. For an output, no
  /// event from outside counts, because a replay would not know of it.
  @_optimize(speed)
  func hasInTime(_ data: UnsafeRawPointer?, _ size: Int, isOutput: Bool) -> Bool {
    // NULL with a size is refused later.
    guard data != nil || size == 0 else { return false }
    let data = data ?? Draft.nothing
    guard let waiting = isOutput ? output : input ?? output else { return has(data, size) }
    let event = QueuedEvent.event(of: waiting)
    guard size == Int(event.pointee.size), !Value.isMarked(event.pointee.flags) else {
      return false
    }
    return mainstem_p_same(event.pointee.data, data, size)
  }

  /// Of an event of a journal that did not keep it, the bytes are not known.
  static func isMarked(_ flags: UInt32) -> Bool {
    flags & UInt32(MAINSTEM_EVENT_MARKED | MAINSTEM_EVENT_WITHHELD) != 0
  }

  /// The event, as an observer gets it that joined after it.
  var lateEvent: mainstem_event {
    var late = event
    late.flags |= UInt32(MAINSTEM_EVENT_LATE)
    return late
  }

  /// The event, as an observer gets it. The payload is the value's.
  var event: mainstem_event {
    if isMarked, let payload { return Value.mark(payload) }
    return mainstem_event(
      position: position, cause: cause, correlation: correlation, answers: 0, time: time,
      size: size, offset: 0, type: type, status: 0, origin: origin, flags: flags,
      data: payload.map { UnsafeRawPointer($0) } ?? Draft.nothing,
      user_message: Draft.nothing.assumingMemoryBound(to: CChar.self), context: nil, reply: 0,
      home: 0,
      through: depth)
  }
}

/// Marks.
extension Value {
  @inline(never)
  private static func mark(_ payload: UnsafeMutableRawPointer) -> mainstem_event {
    var event = QueuedEvent.of(payload: payload).pointee.event
    (event.context, event.reply) = (nil, 0)
    return event
  }

  private mutating func keepMark(
    _ event: UnsafePointer<mainstem_event>, in queued: QueuedEvent.Pointer?
  ) -> Bool {
    guard keep(event, in: queued) else { return false }
    size = .max
    return true
  }
}

/// Keeping. For the deliverer.
extension Value {
  /// Whether a payload fits into the memory that there is.
  @inline(__always)
  func hasRoom(for size: Int) -> Bool { size < capacity }

  /// Whether it also does not leave most of it empty.
  private func fits(_ size: Int) -> Bool {
    hasRoom(for: size) && capacity <= size &* 2 &+ 128
  }

  /// Keeps an event from outside at once, whose payload fits.
  @inline(__always)
  mutating func keepFitting(_ data: UnsafeRawPointer, _ size: Int, at position: UInt64) {
    self.position = position
    (cause, correlation, time, depth) = (0, position, 0, 0)
    self.size = UInt32(truncatingIfNeeded: size)
    flags = UInt32(MAINSTEM_EVENT_OUTSIDE)
    // There is memory, because the payload fits.
    mainstem_p_keep(payload.unsafelyUnwrapped, data, size)
  }

  private mutating func keepHeader(_ event: UnsafePointer<mainstem_event>) {
    position = event.pointee.position
    cause = event.pointee.cause
    correlation = event.pointee.correlation
    time = event.pointee.time
    flags = event.pointee.flags
    depth = event.pointee.through
    size = event.pointee.size
  }

  /// Keeps an event. Without memory for the payload, keeps the queued event that has it; false: there is none, and the
  /// value is unset.
  @_optimize(speed)
  mutating func keep(
    _ event: UnsafePointer<mainstem_event>, of queued: QueuedEvent.Pointer?
  ) -> Bool {
    let size = Int(event.pointee.size)
    guard !Value.isMarked(event.pointee.flags) else { return keepMark(event, in: queued) }
    guard !event.pointee.isOfList else {
      keepStep(event)
      return true
    }
    if !fits(size) {
      // In steps, so that a text that grows finds room.
      let wanted = (size &+ 24) & ~15
      guard let fresh = Memory.allocate(UInt8.self, count: wanted) else {
        return keep(event, in: queued)
      }
      freePayload()
      (payload, capacity) = (UnsafeMutableRawPointer(fresh), wanted)
    }
    keepHeader(event)
    mainstem_p_keep(payload.unsafelyUnwrapped, event.pointee.data, size)
    return true
  }

  @inline(never)
  private mutating func keepStep(_ event: UnsafePointer<mainstem_event>) {
    let step = ListStep.of(event)
    ListStep.retain(step)
    freePayload()
    (payload, capacity) = (ListStep.data(of: step), Value.ofStep)
    keepHeader(event)
  }

  /// Keeps an event together with the memory that it has.
  private mutating func keep(
    _ event: UnsafePointer<mainstem_event>, in queued: QueuedEvent.Pointer?
  ) -> Bool {
    guard let queued else {
      unset()
      return false
    }
    freePayload()
    QueuedEvent.retain(queued)
    (payload, capacity) = (QueuedEvent.payload(of: queued), 0)
    keepHeader(event)
    return true
  }

  /// There is nothing any longer.
  private mutating func unset() {
    freePayload()
    (payload, capacity, position) = (nil, 0, 0)
  }

  /// It has ended; the payload stays for whoever looks at it.
  mutating func end() { position = 0 }
}

/// What is on its way. Under the lock.
extension Value {
  mutating func expect(_ queued: QueuedEvent.Pointer) {
    if queued.pointee.event.isOfList {
      follow(ListStep.of(QueuedEvent.event(of: queued)), at: queued.pointee.event.position)
    } else if Value.isMarked(queued.pointee.event.flags) {
      forgetList()
    }
    if queued.pointee.event.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0 {
      input = queued
    } else {
      output = queued
    }
  }

  private static var ending: UInt64 { .max }

  /// Whether the end of the scope is told. What it shows ends before anything that is sent from now on, and an observer
  /// that joins does not get it: so each list is sent whole.
  var isEnding: Bool { newestPosition == Value.ending }

  mutating func noteEnding() { newestPosition = Value.ending }

  /// Of a list: it is no longer known.
  @inline(never)
  mutating func forgetList() {
    ListVersion.release(newest)
    newest = nil
  }

  /// A list goes on from the version before to that of a step.
  @inline(never)
  private mutating func follow(_ step: ListStep.Pointer, at position: UInt64) {
    if !isEnding {
      ListStep.follow(newest, at: newestPosition, step)
      newestPosition = position
    }
    ListVersion.retain(step.pointee.version)
    ListVersion.release(newest)
    newest = step.pointee.version
  }

  /// The version of a list that a set is compared with: as in `hasInTime`.
  func version(isOutput: Bool) -> ListVersion.Pointer? {
    guard !isEnding else { return nil }
    if let waiting = isOutput ? output : input ?? output {
      let event = QueuedEvent.event(of: waiting)
      guard event.pointee.isOfList, !Value.isMarked(event.pointee.flags) else { return nil }
      return ListStep.of(event).pointee.version
    }
    guard isSet, capacity == Value.ofStep, let payload else { return nil }
    return ListStep.of(data: payload).pointee.version
  }

  /// Whatever waited has come, up to a position.
  mutating func arrive(_ position: UInt64) {
    if let queued = output, queued.pointee.event.position <= position { output = nil }
    if let queued = input, queued.pointee.event.position <= position { input = nil }
  }
}
