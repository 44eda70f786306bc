// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Records all that is accepted from here on in a file, each event before it is seen (law 10).
  ///
  /// Before the first event, once, until the context is closed. A journal that is there goes on, and so do the
  /// positions; one that is damaged is refused, and never changed. When writing fails, nothing unwritten is
  /// delivered: the context has stopped, and calls that send or wait throw the journal's status.
  ///
  ///     let context = try Context()
  ///     try context.record(to: "session.journal")
  ///
  /// - Parameters:
  ///   - path: Of the file; it is made where it is not there.
  ///   - options: How it is recorded.
  /// - Throws: ``Status/locked`` while another writes the journal, ``Status/corrupt`` for one that is damaged or
  ///   is none, ``Status/version`` for one of another version, ``Status/io`` and ``Status/noSpace`` where it
  ///   cannot be written, ``Status/invalid`` after the first event.
  public func record(
    to path: String, options: JournalOptions = JournalOptions()
  ) throws(StreamError) {
    var options = try options.options()
    try StreamError.check(mainstem_journal_record(handle, path, &options))
  }

  /// Returns when all that was accepted before is on the disk, whatever the level.
  ///
  /// - Throws: The journal's status where the context has stopped, ``Status/invalid`` where it is not recorded,
  ///   ``Status/busy`` inside a callback.
  public func syncJournal() throws(StreamError) {
    try StreamError.check(mainstem_journal_sync(handle))
  }

  /// Calls a closure with a position each time all up to there has reached the disk.
  ///
  /// One call at a time, in ascending order, on the thread that asked the disk: a context's own. The closure is
  /// released when another takes its place, or the context is closed.
  ///
  /// - Parameter body: Gets the position; `nil` ends the calls.
  /// - Throws: ``Status/invalid`` where the context is not recorded, ``Status/busy`` inside a callback.
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
