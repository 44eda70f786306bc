// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Records the context: from here on, everything it accepts is written to a file and then delivered (law 10).
  ///
  /// Call it once, before the first event. Recording ends when the context is closed. An existing journal is
  /// continued, and positions count on from its last one. A damaged journal is refused and never changed. If
  /// writing fails, nothing unwritten is delivered: the context has stopped, and calls that send or wait throw
  /// the journal's status.
  ///
  ///     let context = try Context()
  ///     try context.record(to: "session.journal")
  ///
  /// - Parameters:
  ///   - path: The path of the file; it is created if it does not exist.
  ///   - options: The options for recording.
  /// - Throws: ``Status/locked`` if another writer has the journal, ``Status/corrupt`` if it is damaged or not a
  ///   journal, ``Status/version`` if its format version differs, ``Status/io`` and ``Status/noSpace`` if it
  ///   cannot be written, ``Status/invalid`` after the first event.
  public func record(
    to path: String, options: JournalOptions = JournalOptions()
  ) throws(StreamError) {
    try StreamError.demandNoZero(path, "record: path")
    var options = try options.options()
    try StreamError.check(mainstem_journal_record(handle, path, &options))
    types.isRecorded = true
  }

  /// Whether this session is recorded and has begun: what is added now, no replay knows of.
  var isUnderWay: Bool {
    guard types.isRecorded, let stats = try? journalStats() else { return false }
    return stats.status == .ok && stats.events > 0
  }

  /// Returns when everything accepted before the call is on the disk, whatever the level.
  ///
  /// - Throws: The journal's status if the context has stopped, ``Status/invalid`` if it is not recorded,
  ///   ``Status/busy`` inside a callback.
  public func syncJournal() throws(StreamError) {
    try StreamError.check(mainstem_journal_sync(handle))
  }

  /// Calls a closure each time more has reached the disk.
  ///
  /// The calls come one at a time, in ascending order, on the thread that synced: the context's own. The closure
  /// is released when another takes its place, or the context is closed.
  ///
  /// - Parameter body: Gets the position up to which everything is on the disk; `nil` ends the calls.
  /// - Throws: ``Status/invalid`` if the context is not recorded, ``Status/busy`` inside a callback.
  public func onDurable(_ body: ((UInt64) -> Void)?) throws(StreamError) {
    guard let body else {
      try StreamError.check(mainstem_journal_on_durable(handle, nil, nil, nil))
      return
    }
    try DurableCallback(body).keep { userData, release in
      mainstem_journal_on_durable(handle, DurableCallback.call, userData, release)
    }
  }
}
