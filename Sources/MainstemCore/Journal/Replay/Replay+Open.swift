// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// The beginning and the end of a replay.
extension Replay {
  /// Opens a journal for a context that has accepted nothing.
  package static func open(
    _ handle: Handle, _ path: UnsafePointer<CChar>?, _ options: Options
  ) throws(Refusal) -> Handle {
    let resolved = try ResolvedHandle.blocking(handle)
    guard resolved.origin == 0 else {
      throw Refusal(.wrongKind, "context", "is a scope: replay into a context")
    }
    return try resolved.feeding(showing: false) { stream throws(Refusal) in
      try stream.demandUnused()
      let source = try ReplaySource.open(path, stream, options)
      guard let replay = Memory.allocate(Replay.self) else { throw .noMemory }
      return try make(replay, stream, options, source)
    }
  }

  private static func make(
    _ replay: Pointer, _ stream: Stream, _ options: Options, _ source: consuming ReplaySource
  ) throws(Refusal) -> Handle {
    let made = stream.locked {
      stream.state.pointee.slots.make(.replay, stream: stream.address, object: replay)
    }
    guard let (slot, handle) = made else {
      Memory.free(replay)
      throw Refusal(.limit, "", "out of handles")
    }
    let (version, session, first, time) =
      (source.version, source.session, source.first, source.time)
    replay.initialize(to: Replay(stream, slot, options, source))
    stream.locked {
      stream.beginFeed(
        UnsafeMutableRawPointer(replay), mutes: !options.verifies, version: version,
        seed: session.seed, drawsByRegistration: session.drawsByRegistration,
        widensNumbers: session.hasWideNumbers, first: first, time: time)
      replay.pointee.show()
    }
    return handle
  }

  /// What the stream asks and tells this station.
  package static var functions: SourceFunctions {
    SourceFunctions(
      makeWay: { replay, _, cause, request in
        Replay.of(replay).makeWay(for: cause, answerTo: request)
      },
      makeReadPoint: { replay, _, event, number, version in
        Replay.of(replay).makeReadPoint(for: event, number, since: version)
      },
      isClosing: { replay, _, callback in Replay.of(replay).pointee.isRefused(callback) },
      answered: { replay, _, event in Replay.of(replay).answered(event) },
      refused: { replay, _, event, number in Replay.of(replay).pointee.refused(event, number) },
      unhandled: { replay, _, request, response, memory, capacity in
        Replay.of(replay).pointee.unhandled(request, response, memory, capacity)
      },
      look: { replay, _, event in
        let event = event.assumingMemoryBound(to: mainstem_event.self)
        Replay.of(replay).endScopes(before: event)
        Replay.of(replay).pointee.look(event)
      },
      run: { replay, _, limit in Replay.feedDue(Replay.of(replay), limit) },
      markOrigins: { replay, _ in Replay.of(replay).pointee.markOrigins() },
      forget: { replay, _, origin in Replay.of(replay).pointee.origins.forget(origin) })
  }

  /// Marks the origins of the records it holds. Under the lock.
  private func markOrigins() -> Int {
    asked.map { stream.markOrigin(of: $0) }
    answer.map { stream.markOrigin(of: $0) }
    difference?.expected.map { stream.markOrigin(of: $0) }
    difference?.actual.map { stream.markOrigin(of: $0) }
    return source.markOrigins() &+ expected.each { stream.markOrigin(of: $0) }
  }

  /// Ends the replay: the context becomes an ordinary one.
  ///
  /// - Parameter cancelOpen: Cancels what is still open then.
  package static func end(_ handle: Handle, _ cancelOpen: (Stream) -> Void) throws(Refusal) {
    let resolved = try ResolvedHandle.blocking(handle, .replay, "replay")
    try resolved.feeding(showing: false) { stream throws(Refusal) in
      end(try resolved.replay(), stream)
      cancelOpen(stream)
    }
  }

  /// Ends the replay when its context closes. Called by the deliverer.
  package static func end(on stream: Stream) {
    if let source = stream.source { end(of(source), stream) }
  }

  private static func end(_ replay: Pointer, _ stream: Stream) {
    let tells = stream.locked {
      stream.endFeed()
      stream.state.pointee.slots.end(replay.pointee.slot)
      return stream.expectDeadline()
    }
    if tells { stream.signal() }
    let resolver = replay.pointee.resolver
    replay.deinitialize(count: 1)
    Memory.free(replay)
    resolver.release(on: stream)
  }
}

extension ResolvedHandle {
  /// Runs `body` with the right to feed: with the delivery lock, and as a drain.
  func feeding<Result>(
    showing shows: Bool = true, _ body: (Stream) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    try beginDrain(showing: shows)
    let duty = stream.locked { stream.lockDelivery() }
    let result: Result
    do throws(Refusal) {
      result = try body(stream)
    } catch {
      endFeeding(duty)
      throw error
    }
    endFeeding(duty)
    return result
  }

  private func endFeeding(_ duty: consuming Duty) {
    stream.fulfill(duty, after: stream.position)
    stream.endDrain()
  }

  /// The replay behind a handle, if it has not ended. Called by the deliverer, the only one to end it.
  func replay() throws(Refusal) -> Replay.Pointer {
    guard let object = stream.locked({ isLive ? slot.pointee.object : nil }) else {
      throw Refusal(.stale, "replay", "has ended")
    }
    return Replay.of(object)
  }
}

extension Stream {
  /// Refuses a stream that is already fed, or has accepted something. For the deliverer.
  fileprivate func demandUnused() throws(Refusal) {
    guard !isFed else {
      throw Refusal(.busy, "context", "is already replaying a journal: close that replay first")
    }
    guard !isTapped else {
      throw Refusal(.invalid, "context", "is recorded: replay into a context that is not")
    }
    guard position == 0, locked({ firstPosted }) == nil else {
      throw Refusal(.invalid, "context", "has accepted events: replay into a new context")
    }
  }
}
