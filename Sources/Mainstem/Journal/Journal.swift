// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A journal that is being read, from its begin to its end, without the program that wrote it.
///
/// Every event is proven before it is given. A journal that is being written can be read, as far as it was when it
/// was opened. One thread at a time.
///
///     let journal = try Journal("session.journal")
///     while let event = try journal.next() { print(event) }
///     print(try journal.info())
public final class Journal {
  private let handle: OpaquePointer?
  private let types: EventTypes
  private var batch = JournalBatch()
  private var isClosed = false

  /// Opens a journal: the file at a path, or PATH.000001 and those that follow.
  ///
  /// With `import MainstemJSON` the coder need not be named.
  ///
  /// - Parameters:
  ///   - path: Of the file, or of the numbered files without the number.
  ///   - coder: Turns payloads into events.
  /// - Throws: ``Status/io`` where it is not there or cannot be read, ``Status/corrupt`` where it is no journal,
  ///   ``Status/version`` for one that this library cannot read.
  public init(_ path: String, coder: any PayloadCoder) throws(StreamError) {
    // No context: names are not looked up, payloads only decoded.
    types = EventTypes(coder: coder, home: nil)
    var handle: OpaquePointer?
    try StreamError.check(mainstem_journal_open(path, &handle))
    self.handle = handle
  }

  deinit {
    close()
    batch.free()
  }

  /// The next event.
  ///
  /// - Returns: The event; `nil` at the end. What a crash left half written there is dropped, and counted:
  ///   ``JournalInfo/tornBytes``.
  /// - Throws: ``Status/corrupt`` where damage comes before intact records, at this call and all that follow:
  ///   ``salvage(from:to:)``; ``Status/stale`` after ``close()``.
  public func next() throws(StreamError) -> JournalEvent? {
    try batch.next(of: handle, types: types)
  }

  /// What is known of it: of as much as was read. That are many events at once, so it may be ahead of ``next()``.
  ///
  /// - Returns: What is known now.
  /// - Throws: ``Status/stale`` after ``close()``.
  public func info() throws(StreamError) -> JournalInfo {
    var info = mainstem_journal_info()
    info.size = UInt32(MemoryLayout<mainstem_journal_info>.size)
    try StreamError.check(mainstem_journal_info_read(handle, &info))
    return JournalInfo(info)
  }

  /// Ends the reading; the second time does nothing. Its events stay.
  public func close() {
    if isClosed { return }
    isClosed = true
    batch.clear()
    mainstem_journal_close(handle)
  }
}
