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
    try Held(body).keep { userData, release in
      let call: mainstem_durable_fn = {
        Kept.behind($0, as: Held<(UInt64) -> Void>.self)?.content($1)
      }
      return mainstem_journal_on_durable(handle, call, userData, release)
    }
  }
}

/// Options for recording a context.
public struct JournalOptions: Sendable, Hashable {
  /// What the journal survives.
  public var durability: Durability
  /// Whether to create a new journal; an existing one is refused.
  public var isNew: Bool
  /// Whether the context keeps working unrecorded, after a ``JournalReport``, when writing fails.
  public var continuesUnrecorded: Bool
  /// Bytes after which a new file (PATH.000001 …) begins; `nil`: one file, PATH.
  public var segmentSize: UInt64?
  /// How many of the newest files to keep; `nil`: all. Needs ``segmentSize``.
  public var keep: UInt32?

  /// Makes options.
  ///
  /// - Parameters:
  ///   - durability: What the journal survives.
  ///   - isNew: Whether to create a new journal; an existing one is refused.
  ///   - continuesUnrecorded: Whether the context keeps working unrecorded when writing fails.
  ///   - segmentSize: Bytes after which a new file begins; `nil`: one file.
  ///   - keep: How many of the newest files to keep; `nil`: all.
  public init(
    durability: Durability = .process, isNew: Bool = false, continuesUnrecorded: Bool = false,
    segmentSize: UInt64? = nil, keep: UInt32? = nil
  ) {
    self.durability = durability
    self.isNew = isNew
    self.continuesUnrecorded = continuesUnrecorded
    self.segmentSize = segmentSize
    self.keep = keep
  }
}

extension JournalOptions {
  /// Returns the options as C's struct.
  func options() throws(StreamError) -> mainstem_journal_options {
    var options = mainstem_journal_options()
    options.size = UInt32(MemoryLayout<mainstem_journal_options>.size)
    options.durability = durability.number
    if isNew { options.flags |= UInt32(MAINSTEM_JOURNAL_NEW) }
    if continuesUnrecorded { options.flags |= UInt32(MAINSTEM_JOURNAL_CONTINUE_UNRECORDED) }
    options.segment_size = segmentSize ?? 0
    options.keep = keep ?? 0
    return options
  }
}

/// What a journal survives.
public enum Durability: Sendable, Hashable {
  /// The end of the process, however it ends: the record is written before any observer sees it. The default.
  case process
  /// Also a power cut: outermost sends and requests, and ``Context/flush()``, return when the record is on the disk.
  case power
  /// An orderly end: the record is copied before any observer sees it, and written 64 KiB at a time.
  case buffered
}

extension Durability {
  var number: UInt32 {
    switch self {
    case .process: UInt32(MAINSTEM_JOURNAL_PROCESS)
    case .power: UInt32(MAINSTEM_JOURNAL_POWER)
    case .buffered: UInt32(MAINSTEM_JOURNAL_BUFFERED)
    }
  }
}

/// Counters of a context's journal.
public struct JournalStats: Sendable, Hashable {
  /// ``Status/ok``, or why recording stopped.
  public let status: Status
  /// The last position in the file.
  public let written: UInt64
  /// The last position on the disk, as of the last sync.
  public let durable: UInt64
  /// Events recorded by this context.
  public let events: UInt64
  /// Bytes written by this context.
  public let bytes: UInt64
  /// Files begun by this context.
  public let segments: UInt64
  /// Bytes of an unfinished end, dropped on opening.
  public let torn: UInt64
}

extension Context {
  /// Reads the counters of the context's journal.
  ///
  /// - Returns: Their current values.
  /// - Throws: ``Status/invalid`` if it is not recorded, ``Status/stale`` if it is closed.
  public func journalStats() throws(StreamError) -> JournalStats {
    var stats = mainstem_journal_stats()
    stats.size = UInt32(MemoryLayout<mainstem_journal_stats>.size)
    try StreamError.check(mainstem_journal_stats_read(handle, &stats))
    return JournalStats(
      status: Status(rawValue: stats.status), written: stats.written, durable: stats.durable,
      events: stats.events, bytes: stats.bytes, segments: stats.segments, torn: stats.torn)
  }
}

/// The library's report that a context keeps working unrecorded because writing its journal failed:
/// ``JournalOptions/continuesUnrecorded``.
public struct JournalReport: Notice {
  /// The path of the journal.
  public var path: String
  /// The name of the status that says why, for example "NO_SPACE".
  public var status: String
  /// The last position in the file.
  public var written: UInt64

  /// The name of the library's own type.
  public static let name: String = "MainstemJournalFailed"
  /// ``Layer/system``: the library's own layer.
  public static let layer: Layer = .system

  /// Makes a report to compare with.
  ///
  /// - Parameters:
  ///   - path: The path of the journal.
  ///   - status: The name of the status that says why.
  ///   - written: The last position in the file.
  public init(path: String, status: String, written: UInt64) {
    self.path = path
    self.status = status
    self.written = written
  }
}
