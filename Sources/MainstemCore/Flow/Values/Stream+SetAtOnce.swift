// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Setting a value: the short ways. Anything unusual takes the full way instead: see `setValue`.
///
/// In a context of one thread, whose values need no lock, the value is found without a call, so that setting what is
/// there already costs next to nothing; a server may say after each event all that it shows.
extension Stream {
  /// A value that its owner found, and may set at once.
  package struct Found {
    fileprivate let stream: Stream
    fileprivate let value: UnsafeMutablePointer<Value>

    package var type: UInt32 { value.pointee.type }

    /// Whether it is this scalar, and nothing is on its way.
    @inline(__always)
    package func hasScalar(_ data: UnsafeRawPointer?, _ size: Int) -> Bool {
      value.pointee.output == nil && value.pointee.hasScalar(data, size)
    }
  }

  /// The value of a scope, if this thread owns the context, and is in none of its callbacks but those of a delivery whose
  /// event a replay has too; nil also if anything else is unusual.
  ///
  /// - Parameter searches: Whether to look on if it is not found at once.
  @inline(__always)
  package static func findOwned(
    _ handle: Handle, _ type: UInt32, searches: Bool = false
  ) -> Found? {
    guard hasShortWays, let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot),
      stream.state.pointee.admissions.quickOwner.load(ordering: .relaxed) == Frame.thread,
      // Nobody else ends it, so it is looked at where registers are free.
      slot.pointee.state.load(ordering: .relaxed) == key,
      stream.isPlainHere(stream.stateWord(.relaxed))
    else { return nil }
    let origin = slot.pointee.origin.load(ordering: .relaxed)
    let value =
      searches
      ? stream.values.pointee.find(type, origin) : stream.values.pointee.findAtOnce(type, origin)
    guard let value else { return nil }
    return Found(stream: stream, value: value)
  }

  /// Whether nobody delivers, and this thread is in no callback; or it is in one of the delivery, whose event a replay
  /// has too.
  @inline(__always)
  private func isPlainHere(_ word: StateWord) -> Bool {
    guard let frame = Frame.innermost else { return word.isIdle }
    return frame.pointee.stream.state == state && !frame.pointee.sendsInputs
      && frame.pointee.event != nil && !word.isClosed
  }

  /// Sends a value that was found, if that is possible at once, unless its bytes are there or on their way; false:
  /// nothing has happened.
  @inline(__always)
  package static func setFound(
    _ found: Found, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Bool {
    let (stream, value) = (found.stream, found.value)
    guard Frame.innermost == nil else {
      return value.pointee.hasInTime(data, size, isOutput: true)
    }
    if size != MemoryLayout<Int64>.size, value.pointee.has(data, size) { return true }
    guard let observers = stream.state.pointee.observers.find(value.pointee.type),
      let payload = stream.admitted(data, size, value, observers)
    else { return false }
    stream.takeNextOwned(after: stream.stateWord(.relaxed)) { position in
      stream.keepAndDeliver(value, observers, payload, size, at: position, locks: false)
    }
    return true
  }

  /// Like both, in any context.
  @_optimize(speed)
  package static func setAtOnce(
    _ handle: Handle, _ type: UInt32, _ data: UnsafeRawPointer?, _ size: Int
  ) -> Bool {
    if let found = findOwned(handle, type, searches: true) {
      return found.hasScalar(data, size) || setFound(found, data, size)
    }
    guard hasShortWays, let (slot, key) = Slot.find(handle), let stream = Stream(ofContext: slot),
      stream.state.pointee.admissions.quickOwner.load(ordering: .relaxed) == 0,
      let observers = stream.state.pointee.observers.find(type)
    else { return false }
    let origin = slot.pointee.origin.load(ordering: .acquiring)
    let word = stream.stateWord(.acquiring)
    guard slot.pointee.state.load(ordering: .acquiring) == key, stream.isPlainHere(word) else {
      return false
    }
    stream.state.pointee.lock.acquire()
    if let value = stream.values.pointee.find(type, origin) {
      let isInside = Frame.innermost != nil
      if value.pointee.hasInTime(data, size, isOutput: isInside) {
        stream.state.pointee.lock.release()
        return true
      }
      if !isInside, let payload = stream.admitted(data, size, value, observers),
        stream.takeNext(
          after: word,
          { stream.keepAndDeliver(value, observers, payload, size, at: $0, locks: true) })
      {
        return true
      }
    }
    stream.state.pointee.lock.release()
    return false
  }
}

extension Stream {
  /// The payload of a set, if the memory of the value does, and no queue is asked.
  @inline(__always)
  private func admitted(
    _ data: UnsafeRawPointer?, _ size: Int, _ value: Value.Pointer,
    _ observers: TypeObservers.Pointer
  ) -> UnsafeRawPointer? {
    guard value.pointee.hasRoom(for: size), !observers.pointee.isAsked else {
      return nil
    }
    return observers.pointee.admitsFreely(size) ? data : lookAt(data, size, observers)
  }

  @inline(never)
  private func lookAt(
    _ data: UnsafeRawPointer?, _ size: Int, _ observers: TypeObservers.Pointer
  ) -> UnsafeRawPointer? {
    allows(size) ? observers.pointee.contract.admitted(data, size) : nil
  }

  /// Keeps a value, and delivers its event. For the deliverer.
  ///
  /// - Parameter locks: Whether the lock is held, and released before the first observer is called.
  @inline(__always)
  private func keepAndDeliver(
    _ value: Value.Pointer, _ observers: TypeObservers.Pointer, _ payload: UnsafeRawPointer,
    _ size: Int, at position: UInt64, locks: Bool
  ) {
    var event = mainstem_event()
    withUnsafeMutablePointer(to: &event) { event in
      value.pointee.keepFitting(payload, size, at: position)
      mainstem_p_event_from_outside(
        event, position, value.pointee.type, value.pointee.payload, Draft.nothing, size,
        value.pointee.origin)
      values.pointee.putLast(value, observers)
      if locks { state.pointee.lock.release() }
      deliver(event, observers, from: 1)
    }
  }
}
