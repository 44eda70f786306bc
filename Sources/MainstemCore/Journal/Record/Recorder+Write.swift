// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Writing. For the deliverer.
extension Recorder {
  /// At level buffered: how much is gathered before a write.
  private static var bufferSize: Int { 65536 }

  /// Writes an event and what waits behind it; false: the event must not be seen.
  @_optimize(speed)
  static func record(
    _ recorder: Pointer, _ stream: Stream, _ event: UnsafePointer<mainstem_event>
  ) -> Bool {
    if event.pointee.position > recorder.pointee.writer.pointee.last {
      gather(recorder, stream, event)
      complete(recorder, stream, event)
    }
    return event.pointee.position <= lastToBeSeen(recorder)
  }

  /// Adds an event to the batch; `complete` follows.
  @_optimize(speed)
  static func gather(
    _ recorder: Pointer, _ stream: Stream, _ event: UnsafePointer<mainstem_event>
  ) {
    guard recorder.pointee.failure.load(ordering: .relaxed) == 0 else { return }
    do throws(OutputError) {
      try add(recorder, stream, event)
    } catch {
      stop(recorder, stream, error.status)
    }
  }

  /// Writes the batch, which ends with an event, and what waits behind it.
  static func complete(
    _ recorder: Pointer, _ stream: Stream, _ event: UnsafePointer<mainstem_event>
  ) {
    guard recorder.pointee.failure.load(ordering: .relaxed) == 0 else { return }
    addWaiting(recorder, stream)
    do throws(OutputError) {
      try endBatch(recorder, stream, event.pointee.time)
    } catch {
      stop(recorder, stream, error.status)
    }
  }

  /// The last position that observers may see. After a failure, what was gathered but not written is lost.
  static func lastToBeSeen(_ recorder: Pointer) -> UInt64 {
    let hasFailed = recorder.pointee.failure.load(ordering: .relaxed) != 0
    if hasFailed, recorder.pointee.options.continuesUnrecorded { return .max }
    return hasFailed || recorder.pointee.options.durability != .buffered
      ? recorder.pointee.written.load(ordering: .relaxed) : recorder.pointee.writer.pointee.last
  }

  /// Writes everything accepted, without showing it to anybody.
  static func recordWaiting(_ recorder: Pointer, _ stream: Stream) {
    let writer = recorder.pointee.writer
    guard recorder.pointee.failure.load(ordering: .relaxed) == 0 else { return }
    do throws(OutputError) {
      while let next = firstWaiting(stream, after: writer.pointee.last) {
        try add(recorder, stream, next)
        addWaiting(recorder, stream)
        try endBatch(recorder, stream, next.pointee.time)
      }
      try write(recorder)
    } catch {
      stop(recorder, stream, error.status)
    }
  }

  /// Adds an event to the batch, which is written first if there is no room.
  @_optimize(speed)
  private static func add(
    _ recorder: Pointer, _ stream: Stream, _ event: UnsafePointer<mainstem_event>
  ) throws(OutputError) {
    let writer = recorder.pointee.writer
    if !writer.pointee.fits(event), try !makeRoom(recorder, for: event) {
      return try writeAlone(recorder, stream, event)
    }
    writer.pointee.add(event, stream)
  }

  /// Writes the batch; false: there is still no room.
  @inline(never)
  private static func makeRoom(
    _ recorder: Pointer, for event: UnsafePointer<mainstem_event>
  ) throws(OutputError) -> Bool {
    try write(recorder)
    return recorder.pointee.writer.pointee.fits(event)
  }

  /// Adds waiting events as long as they fit.
  private static func addWaiting(_ recorder: Pointer, _ stream: Stream) {
    let writer = recorder.pointee.writer
    stream.eachWaiting(after: writer.pointee.last) { next in
      guard writer.pointee.fits(next) else { return false }
      writer.pointee.add(next, stream)
      return true
    }
  }

  /// Adds what a callback knew, to be written with what follows.
  static func addNote(
    _ recorder: Pointer, _ stream: Stream, _ add: (inout JournalWriter, Int64) -> Void
  ) {
    guard recorder.pointee.failure.load(ordering: .relaxed) == 0 else { return }
    do throws(OutputError) {
      if !recorder.pointee.writer.pointee.fitsNote { try write(recorder) }
      add(&recorder.pointee.writer.pointee, stream.time)
    } catch {
      stop(recorder, stream, error.status)
    }
  }

  private static func endBatch(
    _ recorder: Pointer, _ stream: Stream, _ time: Int64
  ) throws(OutputError) {
    let writer = recorder.pointee.writer
    writer.pointee.endBatch(time)
    guard
      recorder.pointee.options.durability != .buffered || writer.pointee.records.count >= bufferSize
        || isTurn(recorder)
    else { return }
    try write(recorder)
    if isTurn(recorder) { try turnOver(recorder, stream) }
  }

  /// Writes the batch.
  static func write(_ recorder: Pointer) throws(OutputError) {
    let writer = recorder.pointee.writer
    let bytes = writer.pointee.records.bytes
    guard bytes.count > 0, let file = writer.pointee.file else { return }
    let end = recorder.pointee.end.load(ordering: .relaxed)
    try reserve(recorder, to: end &+ UInt64(bytes.count))
    if writer.pointee.isCheckDue { try check(recorder) }
    try file.write(bytes, at: end)
    writer.pointee.records.clear()
    moveOn(recorder, by: bytes.count)
  }

  /// Checks that the file still exists at the length we gave it. Room is reserved at its end, so a cut file stays too
  /// short even if we have written since.
  static func check(_ recorder: Pointer) throws(OutputError) {
    try recorder.pointee.writer.pointee.file?.check(
      size: recorder.pointee.reserved.load(ordering: .relaxed))
  }

  /// Checks the same, and that the file still begins as one of this journal.
  static func checkAll(_ recorder: Pointer) throws(OutputError) {
    try check(recorder)
    let writer = recorder.pointee.writer
    var begin = (recorder.pointee.id, writer.pointee.number)
    try withUnsafeBytes(of: &begin) { (bytes) throws(OutputError) in
      guard let start = bytes.baseAddress else { return }
      try writer.pointee.file?.compare(
        Bytes(start, bytes.count), at: UInt64(RecordFormat.FileHeader.id))
    }
  }

  /// Writes an event that is too long for the buffer. It counts only once its end is in the file.
  private static func writeAlone(
    _ recorder: Pointer, _ stream: Stream, _ event: UnsafePointer<mainstem_event>
  ) throws(OutputError) {
    let writer = recorder.pointee.writer
    let said = writer.pointee.prepare(event, stream)
    guard said.mode.keepsAll(of: event.pointee.flags), let data = event.pointee.data,
      let file = writer.pointee.file
    else {
      return writer.pointee.add(event, stream)
    }
    try write(recorder)
    let end = recorder.pointee.end.load(ordering: .relaxed)
    let size = Int(event.pointee.size)
    let length = RecordFormat.length(of: size)
    try reserve(recorder, to: end &+ UInt64(length))
    let (head, tail) = writer.pointee.records.frame(
      writer.pointee.records.header(of: event, origin: said.origin), data)
    try file.write(head, at: end)
    try file.write(Bytes(data, size), at: end &+ UInt64(head.count))
    try file.write(tail, at: end &+ UInt64(head.count &+ size))
    writer.pointee.countEvent(event, said)
    moveOn(recorder, by: length)
  }

  /// Moves on behind what was written.
  private static func moveOn(_ recorder: Pointer, by count: Int) {
    let last = recorder.pointee.writer.pointee.last
    let before = recorder.pointee.written.load(ordering: .relaxed)
    recorder.pointee.end.wrappingAdd(UInt64(count), ordering: .relaxed)
    recorder.pointee.bytes.wrappingAdd(UInt64(count), ordering: .relaxed)
    recorder.pointee.events.wrappingAdd(last &- before, ordering: .relaxed)
    recorder.pointee.written.store(last, ordering: .releasing)
  }

  /// Stops writing and cuts the file behind its last whole record. A file that another program has changed is left as
  /// it is.
  static func stop(_ recorder: Pointer, _ stream: Stream, _ status: Status) {
    if status != .corrupt {
      try? recorder.pointee.writer.pointee.file?.cut(
        to: recorder.pointee.end.load(ordering: .relaxed))
    }
    fail(recorder, stream, status)
  }

  /// Stops writing, from any thread, and leaves the file as it is.
  static func fail(_ recorder: Pointer, _ stream: Stream, _ status: Status) {
    let isFirst = locked(recorder) { () -> Bool in
      let before = recorder.pointee.failure.load(ordering: .relaxed)
      if before == 0 { recorder.pointee.failure.store(status.rawValue, ordering: .releasing) }
      recorder.pointee.lock.wakeAll()
      return before == 0
    }
    guard isFirst else { return }
    if recorder.pointee.options.continuesUnrecorded {
      reportUnrecorded(recorder, stream)
    } else {
      stream.rouseWaiters()
    }
  }
}

extension Recorder {
  /// The event that waits directly behind a position. For the deliverer.
  private static func firstWaiting(
    _ stream: Stream, after position: UInt64
  ) -> UnsafePointer<mainstem_event>? {
    var first: UnsafePointer<mainstem_event>?
    stream.eachWaiting(after: position) { event in
      first = event
      return false
    }
    return first
  }
}

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
      writeWaiting(recorder, stream)
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
      writeWaiting(recorder, stream)
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

extension Recorder {
  /// Writes what was accepted, in whichever queue it waits, once nobody delivers.
  static func writeWaiting(_ recorder: Pointer, _ stream: Stream) {
    stream.state.pointee.lock.acquire()
    var duty = stream.claimDelivery()
    while !duty.isDeliverer {
      if stream.isClosed { return stream.state.pointee.lock.release() }
      stream.waitForDeliverer()
      duty = stream.claimDelivery()
    }
    stream.state.pointee.lock.release()
    recordWaiting(recorder, stream)
    stream.fulfill(duty, after: 0)
  }
}
