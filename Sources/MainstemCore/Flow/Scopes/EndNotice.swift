// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// That the end of a scope is told on the stream: of one that an open made, of one that asked for an open, of one that has
/// a value. It has the room for the event, so that telling cannot fail. Under the stream's lock.
struct EndNotice {
  let scope: Scope.Pointer
  /// The room; nil once the end is told.
  var room: QueuedEvent.Pointer?
  /// Whether somebody knows of the scope who is to be told. Before that there is only the room.
  var isOwed = false
  /// Whether the end is told: what the scope shows stays until the event is delivered.
  var isTold = false
  /// Whether an open has begun the scope. Until it is opened, only the callback that fills it can end it at once.
  var isBegun = false
  /// Whether an open made the scope: then it ends when its end is delivered.
  var isOpened = false
  /// The number of the scope that asked for it.
  var opener: UInt64 = 0
  /// Others that the same scope asked for, in the order they were opened.
  fileprivate var previous: Pointer?
  fileprivate var next: Pointer?

  typealias Pointer = UnsafeMutablePointer<EndNotice>

  fileprivate init(_ scope: Scope.Pointer, _ room: QueuedEvent.Pointer) {
    self.scope = scope
    self.room = room
  }

  /// Makes one; nil without memory.
  static func make(_ scope: Scope.Pointer) -> Pointer? {
    guard let notice = Memory.allocate(EndNotice.self) else { return nil }
    guard let room = QueuedEvent.make(capacity: MemoryLayout<UInt64>.size) else {
      Memory.free(notice)
      return nil
    }
    notice.initialize(to: EndNotice(scope, room))
    return notice
  }

  static func free(_ notice: Pointer?) {
    guard let notice else { return }
    QueuedEvent.free(notice.pointee.room)
    Memory.free(notice)
  }

  /// Gives its room away, or nothing: the end is told already, or not owed.
  static func takeRoom(_ notice: Pointer?) -> QueuedEvent.Pointer? {
    guard let notice, notice.pointee.isOwed else { return nil }
    let room = notice.pointee.room
    notice.pointee.room = nil
    notice.pointee.isTold = true
    return room
  }
}

/// The scopes that opens made, by the number of the scope that asked. Under the stream's lock.
struct OpenedScopes {
  private struct Entry: HashTableEntry {
    var key: UInt64 = 0
    var first: EndNotice.Pointer?
    var last: EndNotice.Pointer?

    var isFree: Bool { first == nil }
    static func hash(_ number: UInt64) -> UInt64 { Hash.salted(number) }
  }

  private var table = HashTable<Entry>()

  /// Makes room for one more, so that `add` cannot fail; false without memory.
  mutating func reserve() -> Bool { table.reserve() }

  mutating func add(_ notice: EndNotice.Pointer, askedBy opener: UInt64) {
    notice.pointee.isOpened = true
    notice.pointee.isOwed = true
    notice.pointee.opener = opener
    guard let entry = table.find(opener) else {
      return table.insert(Entry(key: opener, first: notice, last: notice))
    }
    notice.pointee.previous = entry.pointee.last
    entry.pointee.last?.pointee.next = notice
    entry.pointee.last = notice
  }

  mutating func remove(_ notice: EndNotice.Pointer) {
    guard notice.pointee.isOpened, let entry = table.find(notice.pointee.opener) else { return }
    let (previous, next) = (notice.pointee.previous, notice.pointee.next)
    if previous == nil, next == nil { return table.remove(notice.pointee.opener) }
    if let previous { previous.pointee.next = next } else { entry.pointee.first = next }
    if let next { next.pointee.previous = previous } else { entry.pointee.last = previous }
  }

  func hasAny(askedBy opener: UInt64) -> Bool { table.find(opener) != nil }

  /// Visits what a scope asked for, in the order it was opened.
  func each(askedBy opener: UInt64, _ visit: (EndNotice.Pointer) -> Void) {
    var next = table.find(opener)?.pointee.first
    while let notice = next {
      next = notice.pointee.next
      visit(notice)
    }
  }

  mutating func free() { table.free() }
}

/// Ends that are to be told, in order.
struct EndsToTell {
  private var first: QueuedEvent.Pointer?
  private var last: QueuedEvent.Pointer?
  /// Whether the host must be told, too: something watched a scope that ended.
  var tellsHost = false
  /// Those that were told.
  var told = ToldEnds()

  mutating func add(_ room: QueuedEvent.Pointer, of scope: Scope.Pointer) {
    QueuedEvent.payload(of: room).storeBytes(of: scope.pointee.number, as: UInt64.self)
    room.pointee.event.origin = scope.pointee.origin
    room.pointee.next = nil
    if let last { last.pointee.next = room } else { first = room }
    last = room
  }

  /// Whether the first is that of an origin's scope.
  func begins(with origin: UInt32) -> Bool { first?.pointee.event.origin == origin }

  mutating func takeFirst() -> QueuedEvent.Pointer? {
    guard let room = first else { return nil }
    first = room.pointee.next
    if first == nil { last = nil }
    room.pointee.next = nil
    return room
  }
}
