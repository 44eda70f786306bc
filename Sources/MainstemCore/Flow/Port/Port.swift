// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The port: the one place where the stations above connect to the stream. Their functions are given with the memory
/// and serve every context in it.
///
/// Any thread reads it; under both locks it is changed. `feed` has fields that are no atomics. It comes first for the
/// reason given at `StreamState`.
package struct Port: ~Copyable {
  /// See `Feed`.
  var feed = Feed()
  /// Handlers, which knows the requests.
  let requests: Listener<RequestFunctions>
  /// The recorder. Its state stays connected after recording, for another context.
  let recorder: Listener<RecorderFunctions>
  /// What feeds the stream.
  let source: Listener<SourceFunctions>
  fileprivate let mode = Atomic<UInt32>(Mode.live.rawValue)

  /// What the stream's inputs are, and what becomes of them.
  enum Mode: UInt32 {
    case live = 0
    case recorded = 1
    /// Every event is fed. No handler is called, and what callbacks send is not accepted.
    case fedAll = 2
    /// The events from outside are fed. The others are what callbacks send.
    case fedInputs = 3
  }

  package init(
    requests: RequestFunctions, recorder: RecorderFunctions, source: SourceFunctions
  ) {
    self.requests = Listener(requests)
    self.recorder = Listener(recorder)
    self.source = Listener(source)
  }
}

extension Stream {
  /// Connects the station of requests of a new context; nothing is recorded or fed.
  package func openPort(_ requests: UnsafeMutableRawPointer) {
    setMode(.live)
    state.pointee.port.source.disconnect()
    state.pointee.port.feed.reset()
    state.pointee.port.requests.connect(requests)
  }

  @inline(__always)
  func isIn(_ mode: Port.Mode) -> Bool {
    state.pointee.port.mode.load(ordering: .acquiring) == mode.rawValue
  }

  /// Begins or ends recording or feeding. Under both locks.
  func setMode(_ mode: Port.Mode) {
    state.pointee.port.mode.store(mode.rawValue, ordering: .releasing)
  }

  /// Whether the stream is recorded or fed: its callbacks do the same again in a replay.
  @inline(__always)
  package var isTapped: Bool {
    state.pointee.port.mode.load(ordering: .acquiring) != Port.Mode.live.rawValue
  }

  /// Whether everything from outside comes from a source.
  @inline(__always)
  package var isFed: Bool {
    state.pointee.port.mode.load(ordering: .acquiring) >= Port.Mode.fedAll.rawValue
  }

  /// Whether the handlers on a scheduler are not called, because what they sent is fed: all of it, or all inputs.
  package func mutesHandlers(at scheduler: UInt32) -> Bool {
    isIn(.fedAll) || isFed && scheduler != Schedulers.immediate
  }
}

/// Origins. For the deliverer, under the lock.
extension Stream {
  /// Marks the origins that the stations above name, and returns how many things they looked at.
  package func markOriginsAbove() -> Int {
    var count = 0
    if let requests = requestState {
      count &+= state.pointee.port.requests.functions.markOrigins(
        requests, UnsafeMutableRawPointer(state))
    }
    if let source {
      count &+= state.pointee.port.source.functions.markOrigins(
        source, UnsafeMutableRawPointer(state))
    }
    return count
  }

  /// Tells the stations above that an origin is forgotten.
  package func forgetOriginAbove(_ origin: UInt32) {
    if let source {
      state.pointee.port.source.functions.forget(source, UnsafeMutableRawPointer(state), origin)
    }
    if let recorder = connectedRecorder {
      state.pointee.port.recorder.functions.forget(recorder, UnsafeMutableRawPointer(state), origin)
    }
  }
}
