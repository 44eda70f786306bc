// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// What a host does with a replay.
extension Replay {
  /// Opens a journal for a context that has accepted nothing.
  package static func open(
    _ handle: Handle, _ path: UnsafePointer<CChar>?, _ wish: Wish
  ) throws(Refusal) -> Handle {
    let entrance = try Entrance.waiting(handle)
    guard entrance.origin == 0 else {
      throw Refusal(.wrongKind, "context", "is a scope: a context is what replays")
    }
    let stream = entrance.stream
    try entrance.beginDrain()
    stream.claimToFeed()
    defer {
      stream.settle(after: stream.position)
      stream.endDrain()
    }
    try stream.demandUnused()
    let source = try ReplaySource.open(path, stream, wish)
    guard let replay = Memory.allocate(Replay.self) else { throw .noMemory }
    return try make(replay, stream, wish, source)
  }

  private static func make(
    _ replay: Pointer, _ stream: Stream, _ wish: Wish, _ source: consuming ReplaySource
  ) throws(Refusal) -> Handle {
    let made = stream.locked {
      stream.state.pointee.slots.make(.replay, stream: stream.address, object: replay)
    }
    guard let (slot, handle) = made else {
      Memory.free(replay)
      throw Refusal(.limit, "", "no handle is left")
    }
    let (seed, first, time) = (source.session.seed, source.first, source.time)
    replay.initialize(to: Replay(stream, slot, wish, source))
    stream.locked {
      stream.beginFeed(
        feed(replay), wish.verifies ? .inputs : .all, seed: seed, first: first, time: time)
      replay.pointee.show()
    }
    return handle
  }

  private static func feed(_ replay: Pointer) -> Feed {
    var feed = Feed()
    feed.source = UnsafeMutableRawPointer(replay)
    feed.makeWay = { Replay.of($0).pointee.makeWay(for: $1, answerTo: $2) }
    feed.look = {
      Replay.of($0).pointee.look($1.assumingMemoryBound(to: mainstem_event.self))
    }
    feed.run = { Replay.run(Replay.of($0), $1) }
    return feed
  }

  /// Feeds so many events, and delivers all that comes of each.
  ///
  /// - Parameter done: Gets how many were fed: fewer only at the end.
  package static func step(
    _ handle: Handle, _ count: UInt64, _ done: inout UInt64
  ) throws(Refusal) {
    var fed: UInt64 = 0
    defer { done = fed }
    try feeding(handle) { (replay, stream) throws(Refusal) in
      while fed < count, try replay.pointee.feedNext() {
        stream.deliverFed()
        fed &+= 1
      }
    }
  }

  /// Feeds all up to a position.
  package static func seek(_ handle: Handle, _ position: UInt64) throws(Refusal) {
    try feeding(handle) { (replay, stream) throws(Refusal) in
      guard position >= stream.position else {
        throw Refusal(
          .invalid, "position", "has passed: a replay goes forward only; the last one is",
          .number(stream.position))
      }
      while stream.position < position {
        guard try replay.pointee.feedNext() else { break }
        stream.deliverFed()
      }
      guard stream.position >= position || !replay.pointee.isMatching else {
        throw Refusal(
          .invalid, "position", "is beyond the journal, whose last one is", .number(stream.position)
        )
      }
    }
  }

  /// Lets it go on by itself, whenever the context is drained.
  ///
  /// - Parameter speed: How many times as fast as it was; 0: as fast as it can; nil: not at all.
  package static func run(_ handle: Handle, _ speed: Double?) throws(Refusal) {
    if let speed, !(speed >= 0 && speed <= 1e9) {
      throw Refusal(.invalid, "speed", "is below 0, or no number that a clock can follow")
    }
    try feeding(handle) { (replay, stream) throws(Refusal) in
      try replay.pointee.setPace(speed)
    }
  }

  /// Looks at all that was fed, or why nothing more is.
  private static func feeding<Result>(
    _ handle: Handle, _ body: (Pointer, Stream) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let entrance = try Entrance.waiting(handle, .replay, "replay")
    let stream = entrance.stream
    try entrance.beginDrain()
    stream.claimToFeed()
    defer {
      stream.settle(after: stream.position)
      stream.endDrain()
    }
    guard let object = stream.locked({ entrance.isLive ? entrance.slot.pointee.object : nil })
    else { throw Refusal(.stale, "replay", "has ended") }
    let replay = of(object)
    defer { replay.pointee.settleAccount() }
    let result = try body(replay, stream)
    try replay.pointee.demandProgress()
    return result
  }

  /// Ends the replay: the context is like others again. The claim is the caller's, and a drain has begun.
  package static func end(_ handle: Handle) throws(Refusal) -> Stream {
    let entrance = try Entrance.waiting(handle, .replay, "replay")
    let stream = entrance.stream
    try entrance.beginDrain()
    stream.claimToFeed()
    guard let object = stream.locked({ entrance.isLive ? entrance.slot.pointee.object : nil })
    else {
      stream.settle(after: stream.position)
      stream.endDrain()
      throw Refusal(.stale, "replay", "has ended")
    }
    end(of(object), stream)
    return stream
  }

  /// Ends the replay of a context that closes. For the holder.
  package static func end(on stream: Stream) {
    guard stream.isFed, let source = stream.state.pointee.feed.source else { return }
    end(of(source), stream)
  }

  private static func end(_ replay: Pointer, _ stream: Stream) {
    let tells = stream.locked {
      stream.endFeed()
      stream.state.pointee.slots.end(replay.pointee.slot)
      return stream.expectDeadline()
    }
    if tells { stream.signal() }
    replay.deinitialize(count: 1)
    Memory.free(replay)
  }
}

/// Going on by itself.
extension Replay {
  /// How many events one drain feeds at most.
  private static var mostAtOnce: Int { 1024 }

  /// The stream asks for what is due.
  static func run(_ replay: Pointer, _ limit: Int) -> Int {
    let stream = replay.pointee.stream
    stream.claimToFeed()
    var count = 0
    let most = min(limit, mostAtOnce)
    do throws(Refusal) {
      while count < most, try replay.pointee.dueNext() <= stream.clock,
        try replay.pointee.feedNext()
      {
        stream.deliverFed()
        count &+= 1
      }
    } catch {
      replay.pointee.fail(error)
    }
    replay.pointee.settleAccount()
    stream.settle(after: stream.position)
    return count
  }

  private mutating func setPace(_ speed: Double?) throws(Refusal) {
    pace = nil
    guard let speed else { return }
    let next = try nextEvent()?.pointee.event.time ?? time
    pace = Pace(speed: speed, time: next, start: stream.clock)
  }

  /// When the next is due on the stream's clock.
  private mutating func dueNext() throws(Refusal) -> Int64 {
    guard let pace, isMatching, !hasEnded else { return .max }
    // At the end one look more, which finds it.
    guard let next = try nextEvent(), pace.speed > 0 else { return pace.start }
    let later = Double(next.pointee.event.time) - Double(pace.time)
    let wait = later / pace.speed
    guard wait > 0 else { return pace.start }
    guard wait < 4e18 else { return .max &- 1 }
    let (due, isBeyond) = pace.start.addingReportingOverflow(Int64(wait))
    return isBeyond ? .max &- 1 : due
  }

  /// What is left to do when all that was fed has been delivered.
  private mutating func settleAccount() {
    explain()
    let due = (try? dueNext()) ?? .max
    stream.locked { show() }
    stream.setFeedDue(due)
  }

  /// Says why it goes no further, if it does not.
  private mutating func demandProgress() throws(Refusal) {
    if difference != nil {
      throw Refusal(
        .different, "replay", "is where something else happened than the journal has",
        .number(difference?.position ?? 0))
    }
    guard let failure else { return }
    // A journal that cannot be read says more itself.
    _ = try source.next()
    throw Refusal(failure.status, "replay", failure.reason, .number(failure.number))
  }
}

/// What a replay says of itself.
extension Replay {
  /// For other threads. Under the lock.
  mutating func show() {
    shown.mode = wish.verifies ? UInt32(MAINSTEM_REPLAY_VERIFY) : UInt32(MAINSTEM_REPLAY_MUTED)
    shown.flags = hasEnded ? UInt32(MAINSTEM_REPLAY_ENDED) : 0
    if difference != nil { shown.flags |= UInt32(MAINSTEM_REPLAY_DIFFERS) }
    if source.isWhole { shown.flags |= UInt32(MAINSTEM_REPLAY_WHOLE) }
    shown.first = source.first
    shown.last = source.last
    shown.position = stream.position
    shown.fed = fed
    shown.same = same
    shown.left_out = stream.state.pointee.unaccepted.load(ordering: .relaxed)
    shown.proves_until = provesUntil ?? max(stream.position, from)
    shown.digest = wish.verifies && isDigestWhole ? digest.bits : 0
    shown.seed = source.session.seed
    shown.time = time
  }

  package static func read(
    _ handle: Handle, into info: UnsafeMutablePointer<mainstem_replay_info>
  ) throws(Refusal) {
    try reading(handle) { replay in
      let size = info.pointee.size
      info.pointee = replay.pointee.shown
      info.pointee.size = size
    }
  }

  package static func read(
    _ handle: Handle, into difference: UnsafeMutablePointer<mainstem_replay_difference>
  ) throws(Refusal) {
    try reading(handle) { replay in
      let size = difference.pointee.size
      difference.pointee = mainstem_replay_difference()
      difference.pointee.size = size
      difference.pointee.sentence = Draft.nothing.assumingMemoryBound(to: CChar.self)
      let shown = replay.pointee.shown.flags & UInt32(MAINSTEM_REPLAY_DIFFERS) != 0
      guard shown, let found = replay.pointee.difference else { return }
      difference.pointee.field = found.field.rawValue
      difference.pointee.position = found.position
      difference.pointee.offset = UInt64(found.offset)
      if let text = found.sentence?.text { difference.pointee.sentence = UnsafePointer(text) }
      difference.pointee.expected = found.expected.map { UnsafePointer(KeptEvent.event(of: $0)) }
      difference.pointee.actual = found.actual.map { UnsafePointer(KeptEvent.event(of: $0)) }
      difference.pointee.chain = UnsafePointer(found.chain)
      difference.pointee.chain_count = UInt64(found.chainCount)
    }
  }

  /// Inside a callback of the delivery the numbers are those of this moment.
  private static func reading(
    _ handle: Handle, _ body: (Pointer) -> Void
  ) throws(Refusal) {
    let entrance = try Entrance(handle, .replay, "replay")
    try entrance.reading { () throws(Refusal) in
      guard let object = entrance.slot.pointee.object else { return }
      if Frame.holding(entrance.stream) != nil { of(object).pointee.show() }
      body(of(object))
    }
  }
}
