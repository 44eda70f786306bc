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
    return try resolved.feeding { stream throws(Refusal) in
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
    let (seed, first, time) = (source.session.seed, source.first, source.time)
    replay.initialize(to: Replay(stream, slot, options, source))
    stream.locked {
      stream.beginFeed(
        feed(replay), options.verifies ? .inputs : .all, seed: seed, first: first, time: time)
      replay.pointee.show()
    }
    return handle
  }

  private static func feed(_ replay: Pointer) -> Feed {
    var feed = Feed()
    feed.source = UnsafeMutableRawPointer(replay)
    feed.version = replay.pointee.source.version
    feed.makeWay = { Replay.of($0).makeWay(for: $1, answerTo: $2) }
    feed.makeReadPoint = { Replay.of($0).makeReadPoint(for: $1, since: $2) }
    feed.refused = { Replay.of($0).pointee.refused($1, $2) }
    feed.isClosing = { Replay.of($0).pointee.isRefused($1) }
    feed.look = {
      Replay.of($0).pointee.look($1.assumingMemoryBound(to: mainstem_event.self))
    }
    feed.markOrigins = { Replay.of($0).pointee.markOrigins() }
    feed.forget = { Replay.of($0).pointee.origins.forget($1) }
    feed.run = { Replay.feedDue(Replay.of($0), $1) }
    return feed
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
    try resolved.feeding { stream throws(Refusal) in
      end(try resolved.replay(), stream)
      cancelOpen(stream)
    }
  }

  /// Ends the replay when its context closes. Called by the deliverer.
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
    let resolver = replay.pointee.resolver
    replay.deinitialize(count: 1)
    Memory.free(replay)
    resolver.release(on: stream)
  }
}

extension ResolvedHandle {
  /// Runs `body` with the right to feed: with the delivery lock, and as a drain.
  func feeding<Result>(
    _ body: (Stream) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    try beginDrain()
    stream.lockDeliveryToFeed()
    defer {
      stream.finishWork(after: stream.position)
      stream.endDrain()
    }
    return try body(stream)
  }

  /// The replay behind a handle, if it has not ended. Called by the deliverer, the only one to end it.
  func replay() throws(Refusal) -> Replay.Pointer {
    guard let object = stream.locked({ isLive ? slot.pointee.object : nil }) else {
      throw Refusal(.stale, "replay", "has ended")
    }
    return Replay.of(object)
  }
}
