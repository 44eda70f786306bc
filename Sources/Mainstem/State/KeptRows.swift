// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The rows of a list as its event has them, not decoded.
///
/// It keeps the library's event, which holds a version of the list. When the context closes, it copies the rows.
///
/// Sendable because the lock guards its mutable state.
final class RawRows: @unchecked Sendable {
  let count: Int
  let offset: Int
  let total: Int
  let changes: [RowChange]
  let span: RowSpan
  private let keeper: KeptRows
  private let lock = Lock()
  /// The retained event; nil: `copies` has the rows.
  private var retained: Handle?
  private var copies: [Copy] = []

  /// A row's key and payload.
  struct Copy {
    let key: [UInt8]
    let data: [UInt8]

    init(_ row: mainstem_list_row) {
      key = Array(UnsafeRawBufferPointer(start: row.key, count: row.key_size))
      data = Array(UnsafeRawBufferPointer(start: row.data, count: row.size))
    }
  }

  /// Keeps the rows of an event. For the callback that gets it, and for who has retained it.
  init(_ event: UnsafePointer<mainstem_event>, _ keeper: KeptRows) throws(StreamError) {
    var window = mainstem_list_window()
    try StreamError.check(mainstem_list_window_get(event, &window))
    (count, offset, total) = (window.count, window.offset, window.total)
    changes = RawRows.changes(of: event)
    span = try RawRows.span(of: event)
    self.keeper = keeper
    var handle: OpaquePointer?
    if keeper.retains, mainstem_event_retain(event, &handle) == 0 {
      let handle = Handle(pointer: handle)
      retained = handle
      if keeper.add(self) { return }
      retained = nil
      copies = RawRows.copies(of: event, count)
      mainstem_retained_release(handle.pointer)
    } else {
      copies = RawRows.copies(of: event, count)
    }
  }

  deinit {
    guard let retained else { return }
    keeper.remove(self)
    mainstem_retained_release(retained.pointer)
  }

  /// A row's payload; nil: the context was closed by somebody else.
  func data(at index: Int) -> [UInt8]? {
    lock.locked {
      guard let retained else { return copies.indices.contains(index) ? copies[index].data : nil }
      return RawRows.event(retained).flatMap { RawRows.row(at: index, of: $0) }.map {
        Copy($0).data
      }
    }
  }

  /// The index of the row with a key.
  func index(ofKey key: String) -> Int? {
    var key = key
    return lock.locked {
      key.withUTF8 { key in
        guard let retained else { return copies.firstIndex { $0.key.elementsEqual(key) } }
        var index = 0
        let found = RawRows.event(retained).map { event in
          key.withMemoryRebound(to: CChar.self) {
            mainstem_list_find(event, $0.baseAddress, $0.count, &index)
          }
        }
        return found == 0 ? index : nil
      }
    }
  }

  /// Copies all rows, so that the event is needed no more.
  ///
  /// - Parameter known: The rows that were copied before, by the addresses of their keys: versions share them.
  /// - Returns: The event, to be released when all others are copied, too.
  fileprivate func copy(_ known: inout [UnsafeRawPointer: Copy]) -> Handle? {
    lock.locked {
      guard let retained, let event = RawRows.event(retained) else { return nil }
      copies = (0..<count).compactMap { index in
        guard let row = RawRows.row(at: index, of: event), let key = row.key else { return nil }
        if let copy = known[key] { return copy }
        let copy = Copy(row)
        known[key] = copy
        return copy
      }
      self.retained = nil
      return retained
    }
  }
}

extension RawRows {
  private static func event(_ retained: Handle) -> UnsafePointer<mainstem_event>? {
    var event: UnsafePointer<mainstem_event>?
    mainstem_retained_event(retained.pointer, &event)
    return event
  }

  /// A row of an event; valid as long as that is.
  static func row(
    at index: Int, of event: UnsafePointer<mainstem_event>
  ) -> mainstem_list_row? {
    var row = mainstem_list_row()
    return mainstem_list_row_get(event, index, &row) == 0 ? row : nil
  }

  private static func copies(of event: UnsafePointer<mainstem_event>, _ count: Int) -> [Copy] {
    (0..<count).compactMap { row(at: $0, of: event).map(Copy.init) }
  }

  private static func changes(of event: UnsafePointer<mainstem_event>) -> [RowChange] {
    var changes: [RowChange] = []
    var change = mainstem_list_change()
    while mainstem_list_read(event, changes.count, &change) == 0 {
      let run = change.index..<(change.index + change.count)
      switch Int32(bitPattern: change.kind) {
      case MAINSTEM_LIST_REMOVE: changes.append(.remove(run))
      case MAINSTEM_LIST_MOVE: changes.append(.move(run, to: change.to))
      case MAINSTEM_LIST_INSERT: changes.append(.insert(run))
      case MAINSTEM_LIST_UPDATE: changes.append(.update(run))
      default: changes.append(.reset)
      }
    }
    return changes
  }

  private static func span(
    of event: UnsafePointer<mainstem_event>
  ) throws(StreamError) -> RowSpan {
    var (at, removed, added) = (0, 0, 0)
    try StreamError.check(mainstem_list_span(event, &at, &removed, &added))
    return RowSpan(at: at, removed: removed, added: added)
  }
}

/// The rows of one context that its program keeps: they outlive it.
///
/// Sendable because the lock guards its mutable state.
final class KeptRows: @unchecked Sendable {
  private struct Weak { weak var rows: RawRows? }

  private let lock = Lock()
  private var kept: [ObjectIdentifier: Weak] = [:]
  /// Whether somebody else may close the context, who does not tell: then each event's rows are copied.
  private let isBorrowed: Bool
  private var isClosing = false

  init(isBorrowed: Bool = false) { self.isBorrowed = isBorrowed }

  /// Whether events are retained.
  fileprivate var retains: Bool { !isBorrowed }

  /// Keeps rows until they are released; false: the context closes, so they are to be copied now.
  fileprivate func add(_ rows: RawRows) -> Bool {
    lock.locked {
      if !isClosing { kept[ObjectIdentifier(rows)] = Weak(rows: rows) }
      return !isClosing
    }
  }

  fileprivate func remove(_ rows: RawRows) {
    lock.locked { kept[ObjectIdentifier(rows)] = nil }
  }

  /// Closes the context with `body`: before that, all rows are copied. What comes while it closes is copied at once.
  @discardableResult
  func closing(_ body: () -> mainstem_status) -> mainstem_status {
    copy()
    let status = body()
    if status != 0 { lock.locked { isClosing = false } }
    return status
  }

  private func copy() {
    let all = lock.locked {
      isClosing = true
      defer { kept = [:] }
      return kept.values.compactMap(\.rows)
    }
    var known: [UnsafeRawPointer: RawRows.Copy] = [:]
    // Only when all are copied: as long as all are held, no two rows have one address.
    let retained = all.compactMap { $0.copy(&known) }
    for handle in retained { mainstem_retained_release(handle.pointer) }
  }
}
