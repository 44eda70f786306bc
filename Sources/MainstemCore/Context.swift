// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The composition root: a stream with the stations built on it.
package enum Context {
  /// Makes a context.
  package static func create(
    _ threads: Threads, keepsTime: Bool, isTimed: Bool = false, defers: Bool = false,
    isInterrupted: Bool = false, isVirtual: Bool = false, seed: UInt64 = 0,
    _ limits: Limits = Limits()
  ) throws(Refusal) -> Handle {
    let handle = try create(
      threads, keepsTime: keepsTime, isTimed: isTimed, defers: defers, isVirtual: isVirtual,
      seed: seed, limits)
    guard isInterrupted else { return handle }
    do throws(Refusal) {
      try Stream.openInterrupts(of: handle)
    } catch {
      try? close(handle)
      throw error
    }
    return handle
  }

  private static func create(
    _ threads: Threads, keepsTime: Bool, isTimed: Bool, defers: Bool, isVirtual: Bool,
    seed: UInt64, _ limits: Limits
  ) throws(Refusal) -> Handle {
    guard let requests = Memory.allocate(OpenRequests.self) else { throw .noMemory }
    requests.initialize(to: OpenRequests())
    do throws(Refusal) {
      return try Stream.open(
        threads, keepsTime: keepsTime, isTimed: isTimed, defers: defers, isVirtual: isVirtual,
        seed: seed, limits, port, UnsafeMutableRawPointer(requests))
    } catch {
      Memory.free(requests)
      throw error
    }
  }

  /// What the stations above the stream give its port.
  private static var port: Port {
    Port(
      requests: OpenRequests.functions, recorder: Recorder.functions, source: Replay.functions)
  }

  /// Closes a context (law 12). Schedulers stop first, so that nothing of theirs runs beside the last deliveries.
  package static func close(_ handle: Handle) throws(Refusal) {
    if try found(handle).origin != 0 {
      _ = try ResolvedHandle.own(handle)
      throw Refusal(.wrongKind, "context", "is a scope: end it with mainstem_scope_end")
    }
    let resolved = try ResolvedHandle.blocking(handle)
    let stream = resolved.stream
    stream.reportUndrained()
    try stream.beginClose(resolved)
    if !stream.isForked { Replay.end(on: stream) }
    if !stream.isForked { stream.stopSchedulers() }
    if !stream.isForked { stream.requests.cancelAllRequests() }
    if !stream.isForked { stream.runCompletions() }
    // A callback has forked, and this is the child: what is left belongs to the parent.
    guard !stream.isForked else { throw .forked }
    stream.requests.freeActivities()
    stream.requests.freeShared()
    let requests = stream.requests.open
    let unrecorded = Recorder.end(on: stream)
    stream.endClose()
    guard !stream.isForked else { throw .forked }
    Memory.free(requests)
    if let unrecorded { throw unrecorded }
  }

  /// Looks up a context that is to be closed.
  private static func found(_ handle: Handle) throws(Refusal) -> ResolvedHandle {
    do throws(Refusal) {
      return try ResolvedHandle(handle, .context)
    } catch {
      guard error.status == .stale else { throw error }
      throw Refusal(.stale, "context", "is closed already: close it once, and set it to NULL then")
    }
  }

  /// Begins a replay. In a muted one, stages draw what was shown.
  package static func openReplay(
    _ context: Handle, _ path: UnsafePointer<CChar>, _ options: Replay.Options
  ) throws(Refusal) -> Handle {
    let replay = try Replay.open(context, path, options)
    guard !options.verifies else { return replay }
    do throws(Refusal) {
      try MutedStage.drawAll(of: try ResolvedHandle(context, .context).stream)
    } catch {
      try? closeReplay(replay)
      throw error
    }
    return replay
  }

  /// Ends a replay. Requests that are still open are cancelled: whoever would have answered was never asked.
  package static func closeReplay(_ handle: Handle) throws(Refusal) {
    try Replay.end(handle) { $0.requests.cancelWhatWasFed() }
  }
}
