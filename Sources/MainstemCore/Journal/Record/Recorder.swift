// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
