// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Keeping values: by the first row of their type, so that observers who ask find what they were called with.
extension Stream {
  @inline(__always)
  var values: UnsafeMutablePointer<Values> { state.pointee.values }

  /// Runs a step under the lock, if it is needed: see `Values`.
  @inline(__always)
  func withValues<Result>(_ step: () -> Result) -> Result {
    guard !isOwned else { return step() }
    state.pointee.lock.acquire()
    defer { state.pointee.lock.release() }
    return step()
  }

  /// Makes the first row of a type whose role is value. Under the lock; false without memory.
  func reserveKeeper(_ observers: TypeObservers.Pointer) -> Bool {
    guard let root = state.pointee.scopes.root,
      let kept = TypeValues.make({ Stream.keepValue($0, $1) }, root)
    else { return false }
    guard observers.pointee.reserve() else {
      TypeValues.free(kept)
      return false
    }
    observers.pointee.keepValues(kept)
    values.pointee.noteType()
    return true
  }

  /// The row's function.
  private static func keepValue(
    _ others: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
  ) {
    guard let others = others?.assumingMemoryBound(to: TypeValues.self), let event,
      let stream = Frame.innermost?.pointee.stream
    else { return }
    // Not a delivery: no observer was called.
    stream.add(calls: ~0)
    stream.withValues { stream.keep(event, others) }
  }

  @_optimize(speed)
  private func keep(_ event: UnsafePointer<mainstem_event>, _ others: TypeValues.Pointer) {
    // Of what a journal did not keep, the mark: what was there before is there no longer. Only a forged one has others.
    guard event.pointee.status == 0 || Value.isMarked(event.pointee.flags),
      let value = findOrMakeValue(event.pointee.type, event.pointee.origin)
    else { return }
    value.pointee.arrive(event.pointee.position)
    let wasSet = value.pointee.isSet
    // The event that a timer lends is overwritten the next time.
    let queued = deliverer.pointee.current
    if value.pointee.keep(event, of: queued?.pointee.lender == nil ? queued : nil) {
      if wasSet { values.pointee.takeOut(value, others) }
      values.pointee.putLast(value, others)
    } else {
      if wasSet { values.pointee.takeOut(value, others) }
      values.pointee.countLost()
    }
  }

  /// A value, made if its scope lives and there is none; nil also without memory.
  private func findOrMakeValue(_ type: UInt32, _ origin: UInt32) -> Value.Pointer? {
    if let known = values.pointee.find(type, origin) { return known }
    guard state.pointee.scopes.origins.keepsValues(origin, isFed: isFed) else { return nil }
    guard let value = makeValue(type, origin) else {
      values.pointee.countLost()
      return nil
    }
    return value
  }
}

/// What is on its way. Under the lock.
extension Stream {
  /// Makes the value that an event will change, before it is accepted. Throws OK if the event is a set of what is there.
  @_optimize(speed)
  @inline(never)
  func prepareValue(_ draft: Draft) throws(Refusal) {
    guard isValue(draft.type) else { return }
    if draft.isSet, isThere(draft) { throw Refusal(.ok, "", "is there already") }
    guard values.pointee.find(draft.type, draft.origin) == nil,
      state.pointee.scopes.origins.keepsValues(draft.origin, isFed: isFed)
    else { return }
    guard makeValue(draft.type, draft.origin) != nil else { throw .noMemory }
  }

  /// Notes an event that has its position and waits for its delivery.
  @inline(__always)
  func expectValue(_ queued: QueuedEvent.Pointer) {
    if values.pointee.areUsed { expect(queued) }
  }

  @inline(never)
  private func expect(_ queued: QueuedEvent.Pointer) {
    let (type, origin) = (queued.pointee.event.type, queued.pointee.event.origin)
    if isValue(type) { findOrMakeValue(type, origin)?.pointee.expect(queued) }
  }

  /// Forgets an event that nobody may see. No lock held.
  func forgetValue(_ event: UnsafePointer<mainstem_event>) {
    withValues {
      values.pointee.find(event.pointee.type, event.pointee.origin)?.pointee.arrive(
        event.pointee.position)
    }
  }

  package func isValue(_ type: UInt32) -> Bool { contract(of: type).isValue }
}

/// Ending.
extension Stream {
  /// Ends the values of a scope, or of an origin that the source named. Under the lock.
  func endValues(of origin: UInt32) {
    var next = state.pointee.scopes.origins.takeValues(of: origin)
    guard next != nil else { return }
    while let value = next {
      next = value.pointee.next
      if value.pointee.isSet, let others = state.pointee.observers.find(value.pointee.type) {
        others.pointee.values.map { values.pointee.takeOut(value, $0) }
      }
      values.pointee.end(value)
    }
    ask(for: Attention.values)
  }

  /// Frees the values that have ended. For the deliverer, between two events.
  @inline(__always)
  func freeEndedValues() {
    if isAsked(for: Attention.values) { freeAllEndedValues() }
  }

  @inline(never)
  private func freeAllEndedValues() {
    let ended = locked { () -> Value.Pointer? in
      endAsking(for: Attention.values)
      return values.pointee.takeEnded()
    }
    Values.freeAll(ended)
  }
}
