// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A journal being read from beginning to end, without the program that wrote it.
///
/// Every event is checked before it is returned. A journal that is still being written can be read, up to its end
/// at the time it was opened, and on from there with ``follow()``. Only one thread at a time may use it.
///
///     let journal = try Journal("session.journal")
///     while let event = try journal.next() { print(event) }
///     print(try journal.info())
public final class Journal {
  let handle: OpaquePointer?
  private let types: EventTypes
  private var batch = JournalBatch()
  private var isClosed = false

  /// Opens a journal for reading: the file PATH or, if there is none, PATH.000001 and the files after it.
  ///
  /// - Parameters:
  ///   - path: The path of the file, or of the numbered files without the number.
  ///   - coder: Decodes payloads; `nil`: there are only events that need none.
  /// - Throws: ``Status/io`` if it does not exist or cannot be read, ``Status/corrupt`` if it is not a journal,
  ///   ``Status/version`` if this library cannot read its format version.
  public init(_ path: String, coder: (any PayloadCoder)? = JSONCoder()) throws(StreamError) {
    try StreamError.demandNoZero(path, "Journal: path")
    // No context is needed: payloads are only decoded, and no type is looked up.
    types = EventTypes(coder: coder ?? NoCoder(), home: nil)
    var handle: OpaquePointer?
    try StreamError.check(mainstem_journal_open(path, &handle))
    self.handle = handle
  }

  deinit {
    close()
    batch.free()
  }

  /// Reads the next event.
  ///
  /// - Returns: The event; `nil` at the end. What a crash left half written there is dropped and counted:
  ///   ``JournalInfo/tornBytes``.
  /// - Throws: ``Status/corrupt`` at damage before intact records, in this call and all later ones
  ///   (``salvage(from:to:)`` gets the rest); ``Status/stale`` after ``close()``.
  public func next() throws(StreamError) -> JournalEvent? {
    try batch.next(of: handle, types: types)
  }

  /// Reads on behind the end: ``next()`` returns what was appended since, if anything was.
  ///
  /// - Throws: ``Status/stale`` after ``close()``, ``Status/io`` if the file cannot be read.
  public func follow() throws(StreamError) {
    try StreamError.check(mainstem_journal_follow(handle))
  }

  /// Reads what is known about the journal, as far as it was read. Events are read in batches, so this may be ahead
  /// of ``next()``.
  ///
  /// - Returns: What is known so far.
  /// - Throws: ``Status/stale`` after ``close()``.
  public func info() throws(StreamError) -> JournalInfo {
    var info = mainstem_journal_info()
    info.size = UInt32(MemoryLayout<mainstem_journal_info>.size)
    try StreamError.check(mainstem_journal_info_read(handle, &info))
    return JournalInfo(info)
  }

  /// Closes the journal; a second call does nothing. Events already read stay valid.
  public func close() {
    if isClosed { return }
    isClosed = true
    batch.clear()
    mainstem_journal_close(handle)
  }
}
