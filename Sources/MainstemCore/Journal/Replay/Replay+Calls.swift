// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The host's calls to a replay.
extension Replay {
  /// Feeds a number of events, and delivers everything that follows from each.
  ///
  /// - Parameter done: Receives the number of events fed: fewer only at the end.
  package static func step(
    _ handle: Handle, _ count: UInt64, _ done: inout UInt64
  ) throws(Refusal) {
    var fed: UInt64 = 0
    defer { done = fed }
    try feeding(handle) { (replay, stream) throws(Refusal) in
      while fed < count, try replay.feedNext() { fed &+= 1 }
    }
  }

  /// Feeds everything up to a position.
  package static func seek(_ handle: Handle, _ position: UInt64) throws(Refusal) {
    try feeding(handle) { (replay, stream) throws(Refusal) in
      guard position >= stream.position else {
        throw Refusal(
          .invalid, "position", "is where the replay is: it cannot go back",
          .number(stream.position))
      }
      while stream.position < position {
        guard try replay.feedNext() else { break }
      }
      guard stream.position >= position || !replay.pointee.isMatching else {
        throw Refusal(
          .invalid, "position", "is the last position of the journal", .number(stream.position)
        )
      }
    }
  }

  /// Lets the replay go on by itself whenever the context is drained.
  ///
  /// - Parameter speed: How many times as fast as recorded; 0: as fast as possible; nil: not at all.
  package static func run(_ handle: Handle, _ speed: Double?) throws(Refusal) {
    if let speed, !(speed >= 0 && speed <= 1e9) {
      throw Refusal(.invalid, "speed", "is negative, too large or not a number")
    }
    try feeding(handle) { (replay, stream) throws(Refusal) in
      try replay.pointee.setPace(speed)
    }
  }

  /// Runs `body` with the right to feed, then looks for the end and throws the reason if the replay cannot go on.
  private static func feeding(
    _ handle: Handle, _ body: (Pointer, Stream) throws(Refusal) -> Void
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.blocking(handle, .replay, "replay")
    try resolved.feeding { stream throws(Refusal) in
      let replay = try resolved.replay()
      defer { replay.pointee.updateAccount() }
      try body(replay, stream)
      try replay.findEnd()
      try replay.pointee.demandProgress()
    }
  }
}

/// Going on by itself.
extension Replay {
  /// The number of events that one drain feeds at most.
  private static var mostAtOnce: Int { 1024 }

  /// Feeds what is due, when the stream asks for it.
  static func feedDue(_ replay: Pointer, _ limit: Int) -> Int {
    let stream = replay.pointee.stream
    let duty = stream.locked { stream.lockDelivery() }
    var count = 0
    let most = min(limit, mostAtOnce)
    do throws(Refusal) {
      while count < most, try replay.pointee.dueNext() <= stream.clock,
        try replay.feedNext()
      { count &+= 1 }
    } catch {
      replay.pointee.fail(error)
    }
    replay.pointee.updateAccount()
    stream.fulfill(duty, after: stream.position)
    return count
  }

  private mutating func setPace(_ speed: Double?) throws(Refusal) {
    pace = nil
    guard let speed else { return }
    let next = try nextEvent().map { timeThere(of: $0) } ?? time
    pace = Pace(speed: speed, time: next, start: stream.clock)
  }

  /// When the next event is due, on the stream's clock.
  private mutating func dueNext() throws(Refusal) -> Int64 {
    guard let pace, isMatching, !hasEnded else { return .max }
    // At the end, one more look finds it.
    guard let next = try nextEvent(), pace.speed > 0 else { return pace.start }
    let later = Double(timeThere(of: next)) - Double(pace.time)
    let wait = later / pace.speed
    guard wait > 0 else { return pace.start }
    guard wait < 4e18 else { return .max &- 1 }
    let (due, isBeyond) = pace.start.addingReportingOverflow(Int64(wait))
    return isBeyond ? .max &- 1 : due
  }

  /// Explains a difference and updates what others see, when everything fed has been delivered.
  private mutating func updateAccount() {
    explain()
    if !isMatching { report() }
    let due = (try? dueNext()) ?? .max
    stream.locked { show() }
    stream.setFeedDue(due)
  }

  /// Throws the reason why the replay goes no further, if it does not.
  private mutating func demandProgress() throws(Refusal) {
    if difference != nil {
      throw Refusal(
        .different, "replay", "is where the program first differs from the journal",
        .number(difference?.position ?? 0))
    }
    guard let failure else { return }
    // A journal that cannot be read throws a more precise reason.
    _ = try source.next()
    throw Refusal(failure.status, "replay", failure.reason, .number(failure.number))
  }
}

/// What a replay reports about itself.
extension Replay {
  /// Updates what other threads see. Under the lock.
  mutating func show() {
    shown.mode = options.verifies ? UInt32(MAINSTEM_REPLAY_VERIFY) : UInt32(MAINSTEM_REPLAY_MUTED)
    shown.flags = hasEnded ? UInt32(MAINSTEM_REPLAY_ENDED) : 0
    if difference != nil { shown.flags |= UInt32(MAINSTEM_REPLAY_DIFFERS) }
    if source.isWhole { shown.flags |= UInt32(MAINSTEM_REPLAY_WHOLE) }
    shown.first = source.first
    shown.last = source.last
    shown.position = stream.position
    shown.fed = fed
    shown.matched = same
    shown.left_out = stream.state.pointee.port.leftOut
    shown.verified_until = options.verifies ? verifiedUntil ?? max(stream.position, from) : 0
    shown.digest = options.verifies && isDigestWhole ? digest.bits : 0
    shown.seed = source.session.seed
    shown.time = time
    shown.supplied = supplied
  }

  package static func readInfo(
    _ handle: Handle, into info: UnsafeMutablePointer<mainstem_replay_info>
  ) throws(Refusal) {
    try reading(handle) { replay in
      let size = info.pointee.size
      info.pointee = replay.pointee.shown
      info.pointee.size = size
    }
  }

  package static func readDifference(
    _ handle: Handle, into difference: UnsafeMutablePointer<mainstem_replay_difference>
  ) throws(Refusal) {
    try reading(handle) { replay in
      let size = difference.pointee.size
      difference.pointee = mainstem_replay_difference()
      difference.pointee.size = size
      difference.pointee.message = Draft.nothing.assumingMemoryBound(to: CChar.self)
      let shown = replay.pointee.shown.flags & UInt32(MAINSTEM_REPLAY_DIFFERS) != 0
      guard shown, let found = replay.pointee.difference else { return }
      difference.pointee.field = found.field.rawValue
      difference.pointee.position = found.position
      difference.pointee.offset = UInt64(found.offset)
      if let text = found.message?.text { difference.pointee.message = UnsafePointer(text) }
      difference.pointee.expected = found.expected.map { UnsafePointer(QueuedEvent.event(of: $0)) }
      difference.pointee.actual = found.actual.map { UnsafePointer(QueuedEvent.event(of: $0)) }
      difference.pointee.chain = UnsafePointer(found.chain)
      difference.pointee.chain_count = UInt64(found.chainCount)
    }
  }

  /// Runs `body` with the report, which is brought up to date first inside a callback of the delivery.
  private static func reading(
    _ handle: Handle, _ body: (Pointer) -> Void
  ) throws(Refusal) {
    let resolved = try ResolvedHandle(handle, .replay, "replay")
    try resolved.reading { () throws(Refusal) in
      guard let object = resolved.slot.pointee.object else { return }
      if Frame.holding(resolved.stream) != nil { of(object).pointee.show() }
      body(of(object))
    }
  }
}
