// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
package import Synchronization

/// What writes a context's journal. Its memory stays with the stream's: a thread that is late may look at
/// it when the context is closed.
///
/// Atomics are for every thread, the writer is the holder's, the rest is used under the lock.
package struct Recorder: ~Copyable {
  package typealias Pointer = UnsafeMutablePointer<Recorder>

  /// First: a pointer to the whole is a pointer to the tap.
  package let tap: Tap
  package let lock: Lock
  package let writer: UnsafeMutablePointer<JournalWriter>
  package var wish = Wish()
  package var id: (UInt64, UInt64) = (0, 0)
  package var path: Name?
  package var file: OutputFile?

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

  fileprivate init(_ tap: Tap, _ lock: Lock, _ writer: UnsafeMutablePointer<JournalWriter>) {
    self.tap = tap
    self.lock = lock
    self.writer = writer
  }

  /// What the host wants of a journal.
  package struct Wish {
    package var level: UInt32 = 0
    package var goesOn = false
    package var isNew = false
    package var segmentSize: UInt64 = 0
    package var keep: UInt32 = 0

    package init() {}
  }
}

extension Recorder {
  /// How much is reserved at a time.
  static var firstReserve: UInt64 { 1 << 20 }
  static var nextReserve: UInt64 { 4 << 20 }
  /// What is kept free for what nobody asks for: answers of the library's own, timers, names.
  static var spare: UInt64 { 65536 }

  /// Memory for one; nil when there is none.
  static func make(_ tap: Tap) -> Pointer? {
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
  /// Makes sure that what ends at a place has room on the disk, and some more.
  static func reserve(_ recorder: Pointer, to place: UInt64) throws(OutputError) {
    guard place > recorder.pointee.reserved.load(ordering: .relaxed) else { return }
    try locked(recorder) { () throws(OutputError) in
      let reserved = recorder.pointee.reserved.load(ordering: .relaxed)
      guard place > reserved, let file = recorder.pointee.file else { return }
      let more = reserved &+ (reserved == 0 ? firstReserve : nextReserve)
      do throws(OutputError) {
        try file.reserve(from: reserved, to: max(place, more))
        recorder.pointee.reserved.store(max(place, more), ordering: .relaxed)
      } catch {
        guard place < more else { throw error }
        try file.reserve(from: reserved, to: place)
        recorder.pointee.reserved.store(place, ordering: .relaxed)
      }
    }
  }

  /// Whether an event of a size will have room, behind all that waits already.
  static func admit(_ recorder: Pointer, _ stream: Stream, _ size: Int) -> Int32 {
    let failure = recorder.pointee.failure.load(ordering: .acquiring)
    guard failure == 0, size >= 0 else { return failure }
    let (waiting, bytes) = stream.waiting
    let length = RecordFormat.length(of: size) &+ bytes &+ waiting &* RecordFormat.length(of: 7)
    do throws(OutputError) {
      try reserve(
        recorder, to: recorder.pointee.end.load(ordering: .relaxed) &+ UInt64(length) &+ spare)
      return 0
    } catch {
      return error.status.rawValue
    }
  }
}

/// Writing. For the holder.
extension Recorder {
  /// Writes an event down, with what waits behind it; false: it must not be seen.
  static func record(
    _ recorder: Pointer, _ stream: Stream, _ event: UnsafePointer<mainstem_event>
  ) -> Bool {
    let writer = recorder.pointee.writer
    if event.pointee.position <= writer.pointee.last { return true }
    guard recorder.pointee.failure.load(ordering: .relaxed) == 0 else { return false }
    do throws(OutputError) {
      if writer.pointee.fits(event) {
        writer.pointee.add(event, stream)
      } else {
        try writeAlone(recorder, stream, event)
      }
      stream.eachWaiting(after: event.pointee.position) { next in
        guard writer.pointee.fits(next) else { return false }
        writer.pointee.add(next, stream)
        return true
      }
      writer.pointee.endBatch(event.pointee.time)
      try write(recorder)
      return true
    } catch {
      stop(recorder, error.status)
      return false
    }
  }

  /// Writes what has been put together.
  static func write(_ recorder: Pointer) throws(OutputError) {
    let writer = recorder.pointee.writer
    try put(recorder, writer.pointee.records.bytes)
    writer.pointee.records.clear()
    let last = writer.pointee.last
    let before = recorder.pointee.written.load(ordering: .relaxed)
    recorder.pointee.events.wrappingAdd(last &- before, ordering: .relaxed)
    recorder.pointee.written.store(last, ordering: .releasing)
  }

  /// Writes an event that is longer than the room for all.
  private static func writeAlone(
    _ recorder: Pointer, _ stream: Stream, _ event: UnsafePointer<mainstem_event>
  ) throws(OutputError) {
    let writer = recorder.pointee.writer
    let (mode, origin) = writer.pointee.prepare(event, stream)
    guard mode == .full, let data = event.pointee.data else {
      return writer.pointee.add(event, stream)
    }
    try put(recorder, writer.pointee.records.bytes)
    writer.pointee.records.clear()
    let (head, tail) = writer.pointee.records.frame(event, data)
    try put(recorder, head)
    try put(recorder, Bytes(data, Int(event.pointee.size)))
    try put(recorder, tail)
    writer.pointee.note(event, mode, origin)
  }

  /// Appends bytes to the file. Its end moves on with each write, so nothing is kept of one that fails: see
  /// `stop`.
  static func put(_ recorder: Pointer, _ bytes: Bytes) throws(OutputError) {
    guard bytes.count > 0, let file = recorder.pointee.file else { return }
    let end = recorder.pointee.end.load(ordering: .relaxed)
    let next = end &+ UInt64(bytes.count)
    try reserve(recorder, to: next)
    try file.write(bytes, at: end)
    recorder.pointee.end.store(next, ordering: .relaxed)
    recorder.pointee.bytes.wrappingAdd(UInt64(bytes.count), ordering: .relaxed)
  }

  /// Nothing is written any more: the file ends with its last whole record.
  static func stop(_ recorder: Pointer, _ status: Status) {
    locked(recorder) {
      recorder.pointee.failure.store(status.rawValue, ordering: .releasing)
      try? recorder.pointee.file?.cut(to: recorder.pointee.end.load(ordering: .relaxed))
    }
  }
}
