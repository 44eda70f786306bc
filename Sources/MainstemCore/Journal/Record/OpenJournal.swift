// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// A journal that a host reads, behind its handle. It belongs to no stream: calls depend on the journal alone.
package struct OpenJournal: ~Copyable {
  package var reader: JournalReader
  /// The event that the host holds, if any.
  private var event = mainstem_event()
  /// Whether a thread is inside a call. Set under the lock of all handles.
  private let isUsed = Atomic<Bool>(false)

  private typealias Pointer = UnsafeMutablePointer<OpenJournal>

  private init(_ reader: consuming JournalReader) { self.reader = reader }
}

extension OpenJournal {
  /// Opens a journal for a host.
  package static func open(_ path: UnsafePointer<CChar>?) throws(Refusal) -> Handle {
    let reader = try JournalReader.open(path)
    guard let journal = Memory.allocate(OpenJournal.self) else { throw .noMemory }
    journal.initialize(to: OpenJournal(reader))
    do throws(Refusal) {
      let handle = try LooseHandle.make(.journal, journal)
      journal.pointee.event.through = handle.bits
      return handle
    } catch {
      destroy(journal)
      throw error
    }
  }

  /// Runs `body` with the journal behind a handle while no other thread uses it.
  package static func with<Result>(
    _ handle: Handle, _ body: (inout OpenJournal) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let (journal, _) = try take(handle)
    defer { journal.pointee.isUsed.store(false, ordering: .releasing) }
    return try body(&journal.pointee)
  }

  /// Ends a handle and closes its journal.
  package static func close(_ handle: Handle) throws(Refusal) {
    let (journal, slot) = try take(handle)
    _ = try LooseHandle.end { slot }
    destroy(journal)
  }

  /// Reads the next event, or the next record of any kind; nil at the end.
  package mutating func next(
    amongAll: Bool = false
  ) throws(Refusal) -> UnsafePointer<mainstem_event>? {
    guard try amongAll ? reader.nextRecord(into: &event) : reader.next(into: &event) else {
      return nil
    }
    // The pointer stays valid: the journal never moves.
    return withUnsafePointer(to: &event) { $0 }
  }

  /// The contract of an event of a journal, which knows its journal; nil: it comes from a stream, and has a context.
  package static func contract(of event: UnsafePointer<mainstem_event>) -> Contract? {
    guard event.pointee.context == nil else { return nil }
    let type = event.pointee.type
    let journal = Handle(bits: event.pointee.through)
    let contract = try? with(journal) { (journal) throws(Refusal) in
      journal.reader.names.types.contract(of: type)
    }
    return (contract ?? nil) ?? Contract(bits: 0)
  }

  private static func destroy(_ journal: Pointer) {
    journal.deinitialize(count: 1)
    Memory.free(journal)
  }

  /// Looks up a handle and takes its journal in one step: closing has to take it, too.
  private static func take(_ handle: Handle) throws(Refusal) -> (Pointer, Slot.Pointer) {
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    let slot = try LooseHandle.find(handle, .journal, "journal")
    guard let journal = slot.pointee.object?.assumingMemoryBound(to: OpenJournal.self) else {
      throw .ended
    }
    guard !journal.pointee.isUsed.exchange(true, ordering: .acquiring) else {
      throw Refusal(.wrongThread, "journal", "is in use on another thread")
    }
    return (journal, slot)
  }
}

extension JournalReader {
  /// The zero-ended name of an origin; empty for the context itself.
  package func nameOfOrigin(_ origin: UInt32) -> Bytes? {
    origin == 0 ? Bytes("") : names.origins.name(of: origin)
  }

  /// The zero-ended name of a layer.
  package func nameOfLayer(_ layer: UInt32) -> Bytes? {
    layer < Layers.ownCount ? Layers().name(of: layer) : names.layers.name(of: layer)
  }

  /// Writes an event of this journal as one line, as `EventLine` does.
  package func line(
    _ event: UnsafePointer<mainstem_event>, _ buffer: UnsafeMutablePointer<CChar>?, _ capacity: Int
  ) -> Int {
    var line = EventLine(buffer, capacity: capacity)
    line.write(
      event, name: names.types.name(of: event.pointee.type),
      contract: names.types.contract(of: event.pointee.type)
        ?? Contract(bits: UInt64(MAINSTEM_PAYLOAD_BYTES)),
      origin: nameOfOrigin(event.pointee.origin))
    return line.length
  }
}
