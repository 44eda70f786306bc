// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
package import Synchronization

/// Writes a context's journal. Its memory stays with the stream's, because a late thread may still look at it when the
/// context is closed.
///
/// The atomics are for every thread, the writer is the deliverer's, and the lock guards the rest.
package struct Recorder: ~Copyable {
  package typealias Pointer = UnsafeMutablePointer<Recorder>

  /// A thread is syncing the file, without the lock. This is the first member: no atomic and nothing read without the
  /// lock may lie there, see `StreamState`.
  package var isSyncing = false
  package let lock: Lock
  package let writer: UnsafeMutablePointer<JournalWriter>
  package var options = Options()
  package var id: (UInt64, UInt64) = (0, 0)
  package var path: Name?
  package var file: OutputFile?
  package var onDurable = DurableHook()
  /// Earlier files that are not synced yet. Under the lock.
  package var unsynced = EarlierFiles()

  /// The offset of the next record.
  package let end = Atomic<UInt64>(0)
  /// The offset up to which the disk has room for us.
  package let reserved = Atomic<UInt64>(0)
  /// The last position in the file.
  package let written = Atomic<UInt64>(0)
  /// The last position known to be on the disk.
  package let durable = Atomic<UInt64>(0)
  package let events = Atomic<UInt64>(0)
  package let bytes = Atomic<UInt64>(0)
  package let segments = Atomic<UInt64>(0)
  package let torn = Atomic<UInt64>(0)
  /// The status with which recording stopped; 0: it goes on.
  package let failure = Atomic<Int32>(0)

  fileprivate init(_ lock: Lock, _ writer: UnsafeMutablePointer<JournalWriter>) {
    self.lock = lock
    self.writer = writer
  }

  /// Files that continue in another, by number: from `first` to before `end`.
  package struct EarlierFiles {
    package var first: UInt64 = 0
    package var end: UInt64 = 0

    package init() {}
  }

  /// When recorded events are safe, and against what: MAINSTEM_JOURNAL_PROCESS and the others in the header.
  package enum Durability: UInt32 {
    case process = 0
    case power = 1
    case buffered = 2
  }

  /// The host's options for a journal.
  package struct Options {
    package var durability = Durability.process
    package var continuesUnrecorded = false
    package var isNew = false
    package var segmentSize: UInt64 = 0
    package var keep: UInt32 = 0

    package init() {}
  }
}

extension Recorder {
  /// Allocates a recorder; nil without memory.
  static func make() -> Pointer? {
    guard let recorder = Memory.allocateAligned(Recorder.self) else { return nil }
    guard let lock = Lock() else {
      Memory.free(recorder)
      return nil
    }
    guard let writer = Memory.allocateAligned(JournalWriter.self) else {
      lock.destroy()
      Memory.free(recorder)
      return nil
    }
    recorder.initialize(to: Recorder(lock, writer))
    return recorder
  }

  static func locked<Result, Failure>(
    _ recorder: Pointer, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    recorder.pointee.lock.acquire()
    defer { recorder.pointee.lock.release() }
    return try body()
  }
}

/// Room on the disk.
extension Recorder {
  /// The room kept free for what asks for none: the library's own answers, timers, names.
  static var spare: UInt64 { 65536 }

  /// How much to reserve at a time. At level power the next sync waits for that: a few milliseconds.
  private func chunk(after reserved: UInt64) -> UInt64 {
    let usual: UInt64 = reserved < 1 << 20 ? 1 << 20 : 4 << 20
    return options.segmentSize == 0 ? usual : min(usual, max(options.segmentSize, Recorder.spare))
  }

  /// Reserves room on the disk up to an offset, and some more.
  static func reserve(_ recorder: Pointer, to place: UInt64) throws(OutputError) {
    guard place > recorder.pointee.reserved.load(ordering: .relaxed) else { return }
    try locked(recorder) { () throws(OutputError) in
      let reserved = recorder.pointee.reserved.load(ordering: .relaxed)
      guard place > reserved, let file = recorder.pointee.file else { return }
      let usual = reserved &+ recorder.pointee.chunk(after: reserved)
      let more = max(place, usual)
      // More than usual is mostly written at once; filling it first would write it twice.
      let isFilled = recorder.pointee.options.durability == .power && place <= usual
      // Otherwise a file that somebody has cut would look whole again.
      try file.check(size: reserved)
      do throws(OutputError) {
        try file.reserve(from: reserved, to: more, isFilled: isFilled)
        recorder.pointee.reserved.store(more, ordering: .relaxed)
      } catch {
        guard place < more else { throw error }
        try file.reserve(from: reserved, to: place, isFilled: isFilled)
        recorder.pointee.reserved.store(place, ordering: .relaxed)
      }
    }
  }

  /// Reserves room for an event of a size, behind everything that waits; returns the status if there is none.
  static func admit(_ recorder: Pointer, _ stream: Stream, _ size: Int) -> Int32 {
    if recorder.pointee.options.continuesUnrecorded { return 0 }
    let failure = recorder.pointee.failure.load(ordering: .acquiring)
    guard failure == 0, size >= 0 else { return failure }
    let (waiting, bytes) = stream.waiting
    var length = RecordFormat.length(of: size) &+ bytes &+ waiting &* RecordFormat.length(of: 7)
    if recorder.pointee.options.durability == .buffered { length &+= RecordBuilder.capacity }
    do throws(OutputError) {
      try reserve(
        recorder, to: recorder.pointee.end.load(ordering: .relaxed) &+ UInt64(length) &+ spare)
      return 0
    } catch {
      // Without room, it may be tried again.
      if error.isChanged { fail(recorder, stream, error.status) }
      return error.status.rawValue
    }
  }
}

/// Recording: a journal at the stream's port.
extension Recorder {
  /// Records everything accepted from here on.
  package static func start(
    _ handle: Handle, _ path: Bytes, _ options: Recorder.Options
  ) throws(Refusal) {
    guard try ResolvedHandle(handle, .context).origin == 0 else {
      throw Refusal(.wrongKind, "context", "is a scope: record the whole context")
    }
    let resolved = try ResolvedHandle.blocking(handle)
    let stream = resolved.stream
    if options.continuesUnrecorded { try addReportType(to: stream) }
    let recorder = try resolved.takeRecorder()
    do throws(Refusal) {
      try begin(recorder, stream, path, options)
    } catch {
      giveBack(recorder, stream)
      throw error
    }
    try resolved.install(recorder)
  }

  fileprivate static func giveBack(_ recorder: Pointer, _ stream: Stream) {
    stream.locked { stream.connect(UnsafeMutableRawPointer(recorder), records: false) }
  }

  /// Ends a stream's journal when the context closes, and returns why that failed, if it did.
  package static func end(on stream: Stream) -> Refusal? {
    guard let recorder = stream.recorder else { return nil }
    let status = end(recorder, stream)
    giveBack(recorder, stream)
    guard let status else { return nil }
    guard status != .corrupt else {
      return Refusal(
        status, "context", "is closed, but another program has changed or removed its journal")
    }
    return Refusal(status, "context", "is closed, but the end of its journal could not be written")
  }
}

extension Stream {
  package var recorder: Recorder.Pointer? { connectedRecorder.map { Recorder.of($0) } }
}

extension ResolvedHandle {
  /// The recorder of this stream's memory, for one caller only.
  fileprivate func takeRecorder() throws(Refusal) -> Recorder.Pointer {
    try locked { () throws(Refusal) in
      try demandFresh()
      if let former = stream.state.pointee.port.takeRecorder() { return Recorder.of(former) }
      guard let fresh = Recorder.make() else { throw .noMemory }
      return fresh
    }
  }

  /// Refuses a context that has accepted events or is recorded or replayed. Under the lock.
  private func demandFresh() throws(Refusal) {
    guard stream.recorder == nil else {
      throw Refusal(
        .invalid, "context",
        """
        is already recorded, by an earlier call or by MAINSTEM_RECORD: a context has one journal
        """)
    }
    guard !stream.isFed else {
      throw Refusal(.invalid, "context", "is replaying a journal")
    }
    guard stream.position == 0 else {
      throw Refusal(.invalid, "context", "has accepted events: start recording before the first")
    }
  }

  /// Installs the recorder: from here on nothing is delivered unrecorded. Nobody may be delivering meanwhile.
  fileprivate func install(_ recorder: Recorder.Pointer) throws(Refusal) {
    var duty = Duty.nothing
    do throws(Refusal) {
      try locked { () throws(Refusal) in
        try demandFresh()
        duty = stream.claimDelivery()
        guard duty.isDeliverer else {
          throw Refusal(.invalid, "context", "is in use by another thread")
        }
        stream.keepsTime = true
        stream.deliverer.pointee.forgetAttempts()
        // Positions continue where the journal ends.
        stream.continuePositions(after: recorder.pointee.writer.pointee.last)
        stream.connect(UnsafeMutableRawPointer(recorder), records: true)
        stream.allowQuickSends()
      }
    } catch {
      _ = Recorder.end(recorder, stream)
      Recorder.giveBack(recorder, stream)
      throw error
    }
    stream.fulfill(duty, after: stream.position)
  }
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

/// The payload of "MainstemJournalFailed": the context goes on unrecorded.
private struct JournalReport: Report {
  let path: Bytes
  let status: Status
  /// The last position in the file.
  let written: UInt64

  func write(_ stream: Stream, to writer: inout JSONWriter) {
    writer.open()
    writer.member("path", path.isUTF8 ? path : Bytes(""))
    writer.member("status", status.name.bytes)
    writer.member("written", Int64(clamping: written))
    writer.close()
  }
}

extension Recorder {
  /// Registers the notice's type, for a recorded context that may go on unrecorded.
  package static func addReportType(to stream: Stream) throws(Refusal) {
    stream.state.pointee.reports.journal = try stream.addReportType("MainstemJournalFailed")
  }

  /// Reports that recording has stopped.
  static func reportUnrecorded(_ recorder: Pointer, _ stream: Stream) {
    let failure = recorder.pointee.failure.load(ordering: .relaxed)
    stream.report(
      stream.state.pointee.reports.journal,
      JournalReport(
        path: recorder.pointee.path?.bytes ?? Bytes(""), status: Status(rawValue: failure) ?? .io,
        written: recorder.pointee.written.load(ordering: .relaxed)))
  }
}
