// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Recording: a journal at the stream's port.
extension Stream {
  /// Records everything accepted from here on.
  package static func record(
    _ handle: Handle, _ path: Bytes, _ options: Recorder.Options
  ) throws(Refusal) {
    guard try ResolvedHandle(handle, .context).origin == 0 else {
      throw Refusal(.wrongKind, "context", "is a scope: record the whole context")
    }
    let resolved = try ResolvedHandle.blocking(handle)
    let stream = resolved.stream
    if options.continuesUnrecorded { try stream.addJournalReportType() }
    let recorder = try stream.takeRecorder(resolved)
    do throws(Refusal) {
      try Recorder.begin(recorder, stream, path, options)
    } catch {
      stream.giveBack(recorder)
      throw error
    }
    try stream.install(recorder, resolved)
  }

  /// The recorder of this stream's memory, for one caller only.
  private func takeRecorder(_ resolved: ResolvedHandle) throws(Refusal) -> Recorder.Pointer {
    try resolved.locked { () throws(Refusal) in
      try demandFresh()
      if let former = takeRecorder() { return Recorder.of(former) }
      guard let fresh = Recorder.make() else { throw .noMemory }
      return fresh
    }
  }

  private func giveBack(_ recorder: Recorder.Pointer) {
    locked { connect(UnsafeMutableRawPointer(recorder), records: false) }
  }

  /// Refuses a context that has accepted events or is recorded or replayed. Under the lock.
  private func demandFresh() throws(Refusal) {
    guard recorder == nil else {
      throw Refusal(.invalid, "context", "is already recorded: a context has one journal")
    }
    guard !isFed else { throw Refusal(.invalid, "context", "is replaying a journal") }
    guard position == 0 else {
      throw Refusal(.invalid, "context", "has accepted events: start recording before the first")
    }
  }

  /// Installs the recorder: from here on nothing is delivered unrecorded. Nobody may be delivering meanwhile.
  private func install(_ recorder: Recorder.Pointer, _ resolved: ResolvedHandle) throws(Refusal) {
    var duty = Duty.nothing
    do throws(Refusal) {
      try resolved.locked { () throws(Refusal) in
        try demandFresh()
        duty = claimDelivery()
        guard duty.isDeliverer else {
          throw Refusal(.invalid, "context", "is in use by another thread")
        }
        keepsTime = true
        forgetAttempts()
        // Positions continue where the journal ends.
        continuePositions(after: recorder.pointee.writer.pointee.last)
        connect(UnsafeMutableRawPointer(recorder), records: true)
        allowQuickSends()
      }
    } catch {
      _ = Recorder.end(recorder, self)
      giveBack(recorder)
      throw error
    }
    fulfill(duty, after: position)
  }

  /// Ends the journal when the context closes, and returns why that failed, if it did.
  package func endRecording() -> Refusal? {
    guard let recorder else { return nil }
    let status = Recorder.end(recorder, self)
    giveBack(recorder)
    guard let status else { return nil }
    guard status != .corrupt else {
      return Refusal(
        status, "context", "is closed, but another program has changed or removed its journal")
    }
    return Refusal(status, "context", "is closed, but the end of its journal could not be written")
  }

  package var recorder: Recorder.Pointer? { connectedRecorder.map { Recorder.of($0) } }
}

extension Recorder {
  /// What the stream asks and tells this station.
  package static var functions: RecorderFunctions {
    RecorderFunctions(
      admit: { Recorder.admit(Recorder.of($0), Stream(of: $1), $2) },
      record: { Recorder.record(Recorder.of($0), Stream(of: $1), $2) },
      gather: { recorder, stream, event, isLast in
        Recorder.gather(Recorder.of(recorder), Stream(of: stream), event)
        guard isLast else { return 0 }
        Recorder.complete(Recorder.of(recorder), Stream(of: stream), event)
        return Recorder.lastToBeSeen(Recorder.of(recorder))
      },
      noteReadPoint: { recorder, stream, event, number, accepted in
        Recorder.addNote(Recorder.of(recorder), Stream(of: stream)) {
          $0.addReadPoint(of: event, number, accepted, $1)
        }
      },
      noteClosing: { recorder, stream, event, accepted in
        let stream = Stream(of: stream)
        let delivered = Frame.holding(stream) == nil ? .max : stream.locked { stream.delivered }
        Recorder.addNote(Recorder.of(recorder), stream) {
          $0.addClosing(at: event, accepted, delivered: delivered, $1)
        }
      },
      noteRefused: { recorder, stream, refused in
        let refused = refused.load(as: Refused.self)
        Recorder.addNote(Recorder.of(recorder), Stream(of: stream)) { $0.addRefusal(refused, $1) }
      },
      note: { recorder, stream, noted in
        let noted = noted.load(as: Noted.self)
        Recorder.addNote(Recorder.of(recorder), Stream(of: stream)) {
          switch noted {
          case .ended(let ended): $0.addEnded(ended, $1)
          case .answered(let answered): $0.addAnswered(answered, $1)
          }
        }
      },
      acknowledge: { Recorder.acknowledge(Recorder.of($0), Stream(of: $1), waits: $2) },
      forget: { Recorder.of($0).pointee.writer.pointee.known.forget(origin: $2) })
  }
}

extension ResolvedHandle {
  /// Syncs everything accepted before.
  package func syncJournal() throws(Refusal) {
    let recorder = try demandRecorder()
    let status = Recorder.sync(recorder, stream, to: stream.position)
    guard status != nil else { return }
    try stream.demandRecording()
    throw Refusal(status ?? .io, "context", "is no longer recorded")
  }

  /// Sets the hook for durable events.
  package func onDurable(_ hook: DurableHook) throws(Refusal) {
    Recorder.onDurable(try demandRecorder(), hook)
  }

  private func demandRecorder() throws(Refusal) -> Recorder.Pointer {
    guard let recorder = stream.recorder else {
      throw Refusal(.invalid, "context", "is not recorded: call mainstem_journal_record first")
    }
    return recorder
  }

  /// Reads the journal's counters, from any thread.
  package func readJournal(
    into stats: UnsafeMutablePointer<mainstem_journal_stats>
  ) throws(Refusal) {
    try reading { () throws(Refusal) in
      Recorder.readStats(try demandRecorder(), into: stats)
    }
  }
}

extension Recorder {
  /// The recorder of a station's state.
  fileprivate static func of(_ state: UnsafeMutableRawPointer) -> Pointer {
    state.assumingMemoryBound(to: Recorder.self)
  }

  fileprivate static func readStats(
    _ recorder: Pointer, into stats: UnsafeMutablePointer<mainstem_journal_stats>
  ) {
    stats.pointee.status = recorder.pointee.failure.load(ordering: .acquiring)
    stats.pointee.written = recorder.pointee.written.load(ordering: .acquiring)
    stats.pointee.durable = recorder.pointee.durable.load(ordering: .acquiring)
    stats.pointee.events = recorder.pointee.events.load(ordering: .relaxed)
    stats.pointee.bytes = recorder.pointee.bytes.load(ordering: .relaxed)
    stats.pointee.segments = recorder.pointee.segments.load(ordering: .relaxed)
    stats.pointee.torn = recorder.pointee.torn.load(ordering: .relaxed)
  }
}
