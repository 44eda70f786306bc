// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import Synchronization

/// What writes a context's journal. Its memory stays with the stream's: a thread that is late may look at
/// it when the context is closed.
///
/// Atomics are for every thread, the writer is the deliverer's, the rest is used under the lock.
package struct Recorder: ~Copyable {
  package typealias Pointer = UnsafeMutablePointer<Recorder>

  /// A thread syncs the file, without the lock. First, where no atomic and nothing that is read without the
  /// lock may stand: see `StreamState`.
  package var isSyncing = false
  package let tap: Tap.Pointer
  package let lock: Lock
  package let writer: UnsafeMutablePointer<JournalWriter>
  package var options = Options()
  package var id: (UInt64, UInt64) = (0, 0)
  package var path: Name?
  package var file: OutputFile?
  package var onDurable = DurableHook()
  /// Files before this one of which the disk was not asked yet. Under the lock.
  package var unsynced = EarlierFiles()

  /// Where the next record goes.
  package let end = Atomic<UInt64>(0)
  /// Up to where the disk has room for us.
  package let reserved = Atomic<UInt64>(0)
  /// The last position in the file.
  package let written = Atomic<UInt64>(0)
  /// The last position that was on the disk when that was last asked for.
  package let durable = Atomic<UInt64>(0)
  package let events = Atomic<UInt64>(0)
  package let bytes = Atomic<UInt64>(0)
  package let segments = Atomic<UInt64>(0)
  package let torn = Atomic<UInt64>(0)
  /// The status for which it has stopped; 0: it has not.
  package let failure = Atomic<Int32>(0)

  fileprivate init(_ tap: Tap.Pointer, _ lock: Lock, _ writer: UnsafeMutablePointer<JournalWriter>)
  {
    self.tap = tap
    self.lock = lock
    self.writer = writer
  }

  /// Files of a journal that went on in another one, by their numbers: from the first to before the last.
  package struct EarlierFiles {
    package var first: UInt64 = 0
    package var end: UInt64 = 0

    package init() {}
  }

  /// When what is recorded is safe, and from what: the header's MAINSTEM_JOURNAL_PROCESS …
  package enum Level: UInt32 {
    case process = 0
    case power = 1
    case buffered = 2
  }

  /// What the host wants of a journal.
  package struct Options {
    package var level = Level.process
    package var goesOn = false
    package var isNew = false
    package var segmentSize: UInt64 = 0
    package var keep: UInt32 = 0

    package init() {}
  }
}

extension Recorder {
  /// Memory for one; nil when there is none.
  static func make() -> Pointer? {
    guard let recorder = Memory.allocateAligned(Recorder.self) else { return nil }
    guard let tap = Memory.allocate(Tap.self) else {
      Memory.free(recorder)
      return nil
    }
    guard let lock = Lock() else {
      Memory.free(tap)
      Memory.free(recorder)
      return nil
    }
    guard let writer = Memory.allocateAligned(JournalWriter.self) else {
      lock.destroy()
      Memory.free(tap)
      Memory.free(recorder)
      return nil
    }
    tap.initialize(to: Stream.tap(of: recorder))
    recorder.initialize(to: Recorder(tap, lock, writer))
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

/// Room.
extension Recorder {
  /// What is kept free for what nobody asks for: answers of the library's own, timers, names.
  static var spare: UInt64 { 65536 }

  /// How much is reserved at a time, behind what is reserved already. At level power the next sync waits for
  /// that: a few milliseconds.
  private func chunk(after reserved: UInt64) -> UInt64 {
    let usual: UInt64 = reserved < 1 << 20 ? 1 << 20 : 4 << 20
    return options.segmentSize == 0 ? usual : min(usual, max(options.segmentSize, Recorder.spare))
  }

  /// Makes sure that what ends at a place has room on the disk, and some more.
  static func reserve(_ recorder: Pointer, to place: UInt64) throws(OutputError) {
    guard place > recorder.pointee.reserved.load(ordering: .relaxed) else { return }
    try locked(recorder) { () throws(OutputError) in
      let reserved = recorder.pointee.reserved.load(ordering: .relaxed)
      guard place > reserved, let file = recorder.pointee.file else { return }
      let usual = reserved &+ recorder.pointee.chunk(after: reserved)
      let more = max(place, usual)
      // What is longer is written at once, mostly: it would only be written twice.
      let isFilled = recorder.pointee.options.level == .power && place <= usual
      // Else a file that somebody has cut looked whole again.
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

  /// Whether an event of a size will have room, behind all that waits already.
  static func admit(_ recorder: Pointer, _ stream: Stream, _ size: Int) -> Int32 {
    if recorder.pointee.options.goesOn { return 0 }
    let failure = recorder.pointee.failure.load(ordering: .acquiring)
    guard failure == 0, size >= 0 else { return failure }
    let (waiting, bytes) = stream.waiting
    var length = RecordFormat.length(of: size) &+ bytes &+ waiting &* RecordFormat.length(of: 7)
    if recorder.pointee.options.level == .buffered { length &+= RecordBuilder.capacity }
    do throws(OutputError) {
      try reserve(
        recorder, to: recorder.pointee.end.load(ordering: .relaxed) &+ UInt64(length) &+ spare)
      return 0
    } catch {
      // For want of room it may be tried again.
      if error.isChanged { fail(recorder, stream, error.status) }
      return error.status.rawValue
    }
  }
}
