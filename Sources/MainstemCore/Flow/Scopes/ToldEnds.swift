// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The positions of the ends that were told when a host ended scopes. These scopes ended at once, while events may have
/// waited. So the journal also says how much had been delivered by then, and a replay ends them there.
struct ToldEnds {
  private(set) var first: UInt64 = 0
  private(set) var last: UInt64 = 0
  /// The number of the scope that was ended, whose own end may be among them.
  var scope: UInt64 = 0
  /// Whether the first is its own: the others are those of scopes below it.
  var isTree = false

  var isEmpty: Bool { first == 0 }

  mutating func add(_ position: UInt64) {
    if isEmpty { first = position }
    last = position
  }

  /// Adds other ends, and what lies between: whatever else ends there is not the host's doing.
  mutating func add(_ others: ToldEnds) {
    first = isEmpty ? others.first : min(first, others.first)
    last = max(last, others.last)
    scope = others.scope
  }
}

/// Recording them.
extension Stream {
  /// The last position that has been delivered, or is being delivered. For the deliverer, under the lock.
  var delivered: UInt64 {
    takeShared()
    return firstWaiting.map { $0.pointee.position &- 1 } ?? position
  }

  /// Records ends. For the deliverer; no lock held.
  ///
  /// - Parameters:
  ///   - delivered: The last event that has been delivered, or is being delivered.
  ///   - isUnheard: Whether the scope did not hear that one.
  func note(_ told: ToldEnds, after delivered: UInt64, isUnheard: Bool = false) {
    // If nothing lies between, the first end says it all.
    guard !told.isEmpty, !told.isTree || told.first != delivered &+ 1, !isForked else { return }
    record(
      .ended(
        Ended(
          first: told.first, last: told.last, delivered: delivered,
          unheardBy: isUnheard ? told.scope : 0)))
  }

  /// Lets the deliverer record ends, between two calls. Under the lock.
  func leaveNote(of told: ToldEnds) {
    guard !told.isEmpty else { return }
    state.pointee.scopes.unnoted.add(told)
    ask(for: Attention.ends)
  }

  /// Records the ends that others left. For the deliverer, between two calls; no lock held.
  @inline(never)
  func noteEndsLeft() {
    guard isAsked(for: Attention.ends), !isForked else { return }
    let (told, last, isUnheard) = locked { () -> (ToldEnds, UInt64, Bool) in
      endAsking(for: Attention.ends)
      let (told, last) = (state.pointee.scopes.unnoted, delivered)
      state.pointee.scopes.unnoted = ToldEnds()
      return (told, last, isUnheardByEnded(last))
    }
    note(told, after: last, isUnheard: isUnheard)
  }

  /// Whether an event is being delivered, and no observer of a scope that has ended was called for it. Under the lock.
  private func isUnheardByEnded(_ position: UInt64) -> Bool {
    guard let frame = Frame.innermost, frame.pointee.stream.state == state,
      let current = frame.pointee.current,
      let event = frame.pointee.event, event.pointee.position == position,
      let observers = state.pointee.observers.find(event.pointee.type),
      let rows = observers.pointee.rows, current >= rows,
      current < rows + Int(observers.pointee.count)
    else { return false }
    var row = rows
    while row < current {
      // Nobody knows any longer whose a removed row was.
      if row.pointee == state.pointee.observers.tombstone { return false }
      if row.pointee.pointee.scope.pointee.hasEnded { return false }
      row += 1
    }
    return true
  }
}

/// Feeding them.
extension Stream {
  /// Cancels the observers of a scope that another thread had ended before they were called for the next event. For the
  /// deliverer, between two events; no lock held.
  package func silence(_ number: UInt64) {
    locked { state.pointee.scopes.origins[live: number].map { cancelObservers(below: $0) } }
  }

  /// Ends the scopes whose ends a source has fed and that have not been delivered yet. In a replay nobody else ends what
  /// the host of the session ended. For the deliverer, between two events; no lock held.
  ///
  /// - Parameters:
  ///   - first: The position of the first end.
  ///   - last: That of the last one. What else is there is left alone.
  package func endTold(_ first: UInt64, _ last: UInt64) {
    eachWaiting(after: first &- 1) { event in
      guard event.pointee.position <= last else { return false }
      endTold(UnsafeMutablePointer(mutating: event))
      return true
    }
  }

  /// The same, if an event is such an end.
  package func endTold(_ event: UnsafeMutablePointer<mainstem_event>) {
    guard event.pointee.reply == EndMark.reply,
      event.pointee.flags & UInt32(MAINSTEM_EVENT_OUTSIDE) != 0
    else { return }
    var ends = EndsToTell()
    Frame.enter(self, event) { _ in
      locked {
        guard let scope = state.pointee.scopes.origins.find(event.pointee.origin)?.pointee.live,
          scope.pointee.endNotice?.pointee.isOpened != true
        else { return }
        _ = state.pointee.scopes.countEnd()
        endTree(scope, &ends)
        // The source tells the ends of its children, and that requests are cancelled.
        while let room = ends.takeFirst() { QueuedEvent.free(room) }
        tellAbandoned(0)
      }
    }
    if ends.tellsHost { signal() }
  }
}
