// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Writes records into a new file, with new links.
struct RecordCopier: ~Copyable {
  private let file: OutputFile
  private let path: UnsafePointer<CChar>
  private var records: RecordBuilder
  private var end: UInt64 = 0
  /// Whether to keep the file.
  private var isWhole = false

  private init(_ file: OutputFile, _ path: UnsafePointer<CChar>, _ records: RecordBuilder) {
    self.file = file
    self.path = path
    self.records = records
  }

  /// Creates the file. The path must outlive the copier.
  static func create(_ path: UnsafePointer<CChar>) throws(Refusal) -> RecordCopier {
    guard let records = RecordBuilder() else { throw .noMemory }
    do throws(OutputError) {
      return RecordCopier(try OutputFile(path, creates: true), path, records)
    } catch {
      records.free()
      throw error.exists
        ? Refusal(.invalid, "to", "already exists", .name(Bytes(zeroEnded: path)))
        : error.refusal(Bytes(zeroEnded: path))
    }
  }

  /// Removes a file that was not finished.
  deinit {
    file.close()
    if !isWhole { _ = mainstem_p_output_remove(path, 0) }
    records.free()
  }

  /// Begins the file with its header.
  mutating func begin(first: UInt64) {
    records.begin(
      FileHeader(
        id: (mainstem_p_random(), mainstem_p_random()), number: 1, first: first, link: 0,
        made: mainstem_p_now()))
  }

  /// Adds a record with the fields of a given header, except the link.
  @inline(never)
  mutating func add(_ head: mainstem_event_header, _ payload: UnsafeRawPointer) throws(Refusal) {
    let size = Int(head.size)
    if !records.fits(size) { try flush() }
    guard !records.fits(size) else { return records.add(head, payload) }
    let (before, after) = records.frame(head, payload)
    try write(before)
    try write(Bytes(payload, size))
    try write(after)
  }

  /// Adds a record that is not an event.
  mutating func say(
    _ kind: Int32, at position: UInt64, _ payload: UnsafeRawPointer, _ size: Int
  ) throws(Refusal) {
    var head = mainstem_event_header()
    head.position = position
    head.time = mainstem_p_now()
    head.status = kind
    head.size = UInt32(truncatingIfNeeded: size)
    try add(head, payload)
  }

  /// Writes and syncs the whole file.
  mutating func finish() throws(Refusal) {
    try flush()
    do throws(OutputError) {
      try file.sync()
    } catch {
      throw error.refusal(Bytes(zeroEnded: path))
    }
    guard mainstem_p_output_sync_directory(path) == 0 else {
      throw Refusal(.io, "to", "could not be synced to disk", .name(Bytes(zeroEnded: path)))
    }
    isWhole = true
  }

  private mutating func flush() throws(Refusal) {
    let waiting = records.bytes
    records.clear()
    try write(waiting)
  }

  private mutating func write(_ bytes: Bytes) throws(Refusal) {
    do throws(OutputError) {
      try file.write(bytes, at: end)
    } catch {
      throw error.refusal(Bytes(zeroEnded: path))
    }
    end &+= UInt64(bytes.count)
  }
}
