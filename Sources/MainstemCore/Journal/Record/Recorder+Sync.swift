// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The function called when more has become durable.
package struct DurableHook {
  package var function: mainstem_durable_fn?
  package var userData: UnsafeMutableRawPointer?
  package var release: mainstem_release_fn?

  package init() {}
}

/// Durability: which events are on the disk. One thread syncs for all that wait.
extension Recorder {
  /// Keeps the level's promise before a call that sends or waits returns.
  ///
  /// - Returns: The status for that call.
  static func acknowledge(_ recorder: Pointer, _ stream: Stream, waits: Bool) -> Int32 {
    let level = recorder.pointee.options.durability
    let isInside = Frame.of(stream) != nil
    // What is held for the host is written at once, so that it survives.
    if waits && level == .buffered || !isInside && level != .buffered && stream.isDeferred {
      stream.writeWaiting(recorder)
    }
    if level == .power, !isInside { _ = sync(recorder, stream, to: stream.position) }
    return recorder.pointee.options.continuesUnrecorded
      ? 0 : recorder.pointee.failure.load(ordering: .acquiring)
  }

  /// Waits until everything up to a position is on the disk. The caller must not hold the delivery lock, unless all of
  /// it is written.
  ///
  /// - Returns: Why it is not on the disk; nil if it is.
  static func sync(_ recorder: Pointer, _ stream: Stream, to position: UInt64) -> Status? {
    while recorder.pointee.written.load(ordering: .acquiring) < position,
      recorder.pointee.failure.load(ordering: .acquiring) == 0
    {
      stream.writeWaiting(recorder)
    }
    recorder.pointee.lock.acquire()
    while recorder.pointee.durable.load(ordering: .relaxed) < position,
      recorder.pointee.failure.load(ordering: .relaxed) == 0, recorder.pointee.file != nil
    {
      if recorder.pointee.isSyncing {
        recorder.pointee.lock.wait()
      } else {
        syncUnlocked(recorder, stream)
      }
    }
    recorder.pointee.lock.release()
    return Status(rawValue: recorder.pointee.failure.load(ordering: .acquiring))
      .flatMap { $0 == .ok ? nil : $0 }
  }

  /// Syncs the file under the recorder's lock, which it releases meanwhile.
  private static func syncUnlocked(_ recorder: Pointer, _ stream: Stream) {
    guard let file = recorder.pointee.file, let path = recorder.pointee.path else { return }
    let unsynced = recorder.pointee.unsynced
    let written = recorder.pointee.written.load(ordering: .acquiring)
    let reserved = recorder.pointee.reserved.load(ordering: .relaxed)
    let hook = recorder.pointee.onDurable
    recorder.pointee.isSyncing = true
    recorder.pointee.lock.release()
    var failure: Status?
    do throws(OutputError) {
      try file.check(size: reserved)
      try syncEarlier(unsynced, path)
      try file.sync()
    } catch {
      // What is on the disk is unknown now, and another sync would not tell.
      failure = error.isChanged ? .corrupt : .poisoned
    }
    if let failure {
      fail(recorder, stream, failure)
    } else {
      recorder.pointee.durable.store(written, ordering: .releasing)
      if let function = hook.function {
        Frame.enterScheduled(stream, nil, nil) { _ in function(hook.userData, written) }
        // In the child of a fork, nobody releases the lock.
        if stream.isForked { recorder.pointee.lock.renew() }
      }
    }
    recorder.pointee.lock.acquire()
    recorder.pointee.isSyncing = false
    // The recorder cannot have begun another file meanwhile.
    if failure == nil { recorder.pointee.unsynced = EarlierFiles() }
    recorder.pointee.lock.wakeAll()
  }

  /// Syncs files that continue in another. A missing one was removed as the oldest of a flight recorder.
  @inline(never)
  static func syncEarlier(_ files: EarlierFiles, _ path: Name) throws(OutputError) {
    var number = files.first
    while number < files.end {
      do throws(OutputError) {
        let file = try OutputFile(path.text, number, creates: false)
        defer { file.close() }
        try file.sync()
      } catch {
        guard error.isMissing else { throw error }
      }
      number &+= 1
    }
  }

  /// Notes a file that continues in the next one and is not synced. Under the recorder's lock.
  @inline(never)
  mutating func addUnsynced(_ number: UInt64) {
    if unsynced.end == 0 { unsynced.first = number }
    unsynced.end = number &+ 1
  }

  /// Sets the hook for durable events, when the previous one is not being called.
  static func onDurable(_ recorder: Pointer, _ hook: DurableHook) {
    recorder.pointee.lock.acquire()
    while recorder.pointee.isSyncing { recorder.pointee.lock.wait() }
    let old = recorder.pointee.onDurable
    recorder.pointee.onDurable = hook
    recorder.pointee.lock.release()
    old.release?(old.userData)
  }
}

extension Stream {
  /// Writes what was accepted, in whichever queue it waits, once nobody delivers.
  func writeWaiting(_ recorder: Recorder.Pointer) {
    state.pointee.lock.acquire()
    var duty = claimDelivery()
    while !duty.isDeliverer {
      if isClosed { return state.pointee.lock.release() }
      waitForDeliverer()
      duty = claimDelivery()
    }
    state.pointee.lock.release()
    Recorder.recordWaiting(recorder, self)
    fulfill(duty, after: 0)
  }
}
