// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// The payload of a list's event: what has changed, in bytes that follow from the two lists alone.
///
/// All numbers are little-endian, of 4 bytes: how many rows the list has then; the rows that differ (the first, how many
/// went, how many came); the number of changes; 1 if the list is only a part of its sequence, otherwise 0. In that case,
/// its offset and the total follow, of 8 bytes each. Then each change: kind, index, count, where it goes. Then the rows of
/// insertions, updates or the whole list, in that order: the sizes of key and payload, and both.
package struct ListChanges {
  private let bytes: Bytes

  package init(_ bytes: Bytes) { self.bytes = bytes }

  static var headerSize: Int { 24 }
  fileprivate static var windowSize: Int { 16 }
  fileprivate static var changeSize: Int { 16 }

  private func number(at offset: Int) -> Int {
    Int(UInt32(littleEndian: bytes.start.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  /// How many rows the list has.
  package var rowCount: Int { number(at: 0) }
  private var hasWindow: Bool { number(at: 20) != 0 }
  /// Which part of its sequence the list is.
  package var window: ListWindow {
    guard hasWindow else { return ListWindow(all: rowCount) }
    return ListWindow(
      offset: long(at: Self.headerSize), count: rowCount, total: long(at: Self.headerSize &+ 8))
  }

  /// A number of 8 bytes; -1: it is too large for this machine.
  private func long(at offset: Int) -> Int {
    let number = bytes.start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    return Int(exactly: UInt64(littleEndian: number)) ?? -1
  }

  private var changesStart: Int { Self.headerSize &+ (hasWindow ? Self.windowSize : 0) }
  /// All changes as one: so many rows from an index on were replaced by so many.
  package var span: (at: Int, removed: Int, added: Int) {
    (number(at: 4), number(at: 8), number(at: 12))
  }
  package var count: Int { number(at: 16) }

  /// The change with a number below `count`.
  package subscript(_ index: Int) -> ListChange {
    let start = changesStart &+ index &* Self.changeSize
    return ListChange(
      ListChange.Kind(rawValue: UInt32(number(at: start))) ?? .reset, number(at: start &+ 4),
      number(at: start &+ 8), to: number(at: start &+ 12))
  }

  /// Whether the list is there as a whole.
  package var isReset: Bool { count > 0 && self[0].kind == .reset }
}

/// Reading what a journal has, which may be anything.
extension ListChanges {
  private var rowsStart: Int { changesStart &+ count &* Self.changeSize }

  /// Whether these are the changes of some list, whose rows carry what the contract says.
  package func areSound(_ contract: Contract) -> Bool {
    guard bytes.count >= Self.headerSize, number(at: 20) <= 1, bytes.count >= changesStart,
      window.isSound, count <= (bytes.count &- changesStart) / Self.changeSize
    else { return false }
    var (index, rows) = (0, 0)
    while index < count {
      let place = changesStart &+ index &* Self.changeSize
      guard let kind = ListChange.Kind(rawValue: UInt32(number(at: place))) else { return false }
      let change = self[index]
      guard change.count > 0 || kind == .reset && count == 1 else { return false }
      if kind != .remove, kind != .move { rows &+= change.count }
      index &+= 1
    }
    var offset = rowsStart
    while rows > 0 {
      guard let row = row(at: &offset), contract.rowAdmits(row.data.start, row.data.count),
        row.key.count > 0, row.key.count <= ListRow.longestKey, row.key.isUTF8
      else { return false }
      rows &-= 1
    }
    return offset == bytes.count
  }

  /// The row at an offset, which then is that of the next; nil: there is none.
  private func row(at offset: inout Int) -> ListRow? {
    guard bytes.count &- offset >= 8 else { return nil }
    let (keySize, size) = (number(at: offset), number(at: offset &+ 4))
    guard keySize &+ size <= bytes.count &- offset &- 8 else { return nil }
    let start = bytes.start + offset + 8
    offset &+= 8 &+ keySize &+ size
    return ListRow(key: Bytes(start, keySize), data: Bytes(start + keySize, size))
  }

  /// The list that these changes, which are sound, make of another; nil: they do not fit, or there is no memory.
  package func applied(to base: ListVersion.Pointer?) -> ListVersion.Pointer? {
    guard isReset || base != nil else { return nil }
    guard var rows = Applied(isReset ? nil : base, most: rowCount, self) else { return nil }
    defer { rows.free() }
    var (index, offset) = (0, rowsStart)
    while index < count {
      guard rows.apply(self[index], { row(at: &offset) }) else { return nil }
      index &+= 1
    }
    guard rows.count == rowCount else { return nil }
    return rows.version(window)
  }
}

/// A list as a record has it that is not an event: of which type and origin it is, the position of its event, and then
/// its rows, as in an event that shows them all.
package struct WholeList {
  package static var headerSize: Int { 16 }

  package let type: UInt32
  package let origin: UInt32
  package let position: UInt64
  package let changes: ListChanges

  /// Nil: the bytes are too short.
  package init?(_ payload: Bytes) {
    guard payload.count >= Self.headerSize &+ ListChanges.headerSize else { return nil }
    let start = payload.start
    type = UInt32(littleEndian: start.loadUnaligned(as: UInt32.self))
    origin = UInt32(littleEndian: start.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    position = UInt64(littleEndian: start.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    changes = ListChanges(
      Bytes(start + Self.headerSize, payload.count &- Self.headerSize))
  }
}

/// A list in the middle of its changes: of each row, where its bytes are.
private struct Applied: GivenRows {
  private let base: ListVersion.Pointer?
  private var rows: UnsafeMutablePointer<ListRow>
  private var spare: UnsafeMutablePointer<ListRow>
  private let capacity: Int
  private(set) var count: Int

  init?(_ base: ListVersion.Pointer?, most total: Int, _ changes: ListChanges) {
    let old = base?.pointee.count ?? 0
    // No sequence of removals before insertions ever has more.
    capacity = max(old, total)
    guard let rows = Memory.allocate(ListRow.self, count: max(capacity, 1)) else { return nil }
    guard let spare = Memory.allocate(ListRow.self, count: max(capacity, 1)) else {
      Memory.free(rows)
      return nil
    }
    (self.base, self.rows, self.spare, count) = (base, rows, spare, old)
    guard let base, old > 0 else { return }
    var (cursor, index) = (RowCursor(base, at: 0), 0)
    while index < old {
      (rows + index).initialize(to: cursor.row)
      cursor.goOn()
      index &+= 1
    }
  }

  func free() {
    Memory.free(rows)
    Memory.free(spare)
  }

  subscript(_ index: Int) -> ListRow { rows[index] }

  /// Applies a change; false: it does not fit.
  mutating func apply(_ change: ListChange, _ next: () -> ListRow?) -> Bool {
    let (index, run) = (change.index, change.count)
    switch change.kind {
    case .reset, .insert:
      guard index <= count, run <= capacity &- count else { return false }
      (rows + index + run).update(from: rows + index, count: count &- index)
      count &+= run
      return fill(index, run, next)
    case .update:
      guard index <= count, run <= count &- index else { return false }
      return fill(index, run, next, keeps: true)
    case .remove:
      guard index <= count, run <= count &- index else { return false }
      count &-= run
      (rows + index).update(from: rows + index + run, count: count &- index)
      return true
    case .move:
      guard index <= count, run <= count &- index, change.to <= count &- run else { return false }
      spare.update(from: rows + index, count: run)
      (rows + index).update(from: rows + index + run, count: count &- run &- index)
      (rows + change.to + run).update(
        from: rows + change.to, count: count &- run &- change.to)
      (rows + change.to).update(from: spare, count: run)
      return true
    }
  }

  private func fill(
    _ index: Int, _ run: Int, _ next: () -> ListRow?, keeps: Bool = false
  ) -> Bool {
    var place = index
    while place < index &+ run {
      guard let row = next(), !keeps || row.hasKey(of: rows[place]) else { return false }
      rows[place] = row
      place &+= 1
    }
    return true
  }

  func version(_ window: ListWindow) -> ListVersion.Pointer? {
    var builder = ListBuilder(on: base, first: 0, last: 0, self, count: count, window)
    if builder.isSame(), let base {
      ListVersion.retain(base)
      return base
    }
    return try? builder.build()
  }
}

/// One step of a list: the version that it leads to, and the changes as bytes. A waiting event has only the version, and
/// the one that it follows; its changes are made when it is recorded or delivered.
///
/// The bytes follow it directly, so that whoever has the payload of an event has the list.
package struct ListStep: ~Copyable {
  private let sharers = Atomic<Int>(0)
  package let version: ListVersion.Pointer
  /// The version before, of a step whose changes are not made yet.
  private var base: ListVersion.Pointer?
  package private(set) var isMade: Bool
  /// The position of the event before; 0: there is none.
  package private(set) var basePosition: UInt64 = 0
  package let size: Int
  /// The bytes of the rows that it brings, which law 9 counts.
  package let weight: Int
  /// The number of the version whose rows it was compared with, and whether it keeps some of them unseen.
  package private(set) var comparedWith: UInt64 = 0
  package private(set) var keepsEnds = false

  package typealias Pointer = UnsafeMutablePointer<ListStep>

  private init(_ version: ListVersion.Pointer, isMade: Bool, size: Int, weight: Int) {
    (self.version, self.isMade, self.size, self.weight) = (version, isMade, size, weight)
  }

  /// Takes over the version; nil without memory: then it is the caller's.
  fileprivate static func make(
    _ version: ListVersion.Pointer, isMade: Bool, size: Int, weight: Int
  ) -> Pointer? {
    guard
      let memory = Memory.allocate(UInt8.self, count: MemoryLayout<ListStep>.stride &+ size &+ 1)
    else { return nil }
    let step = UnsafeMutableRawPointer(memory).bindMemory(to: ListStep.self, capacity: 1)
    step.initialize(to: ListStep(version, isMade: isMade, size: size, weight: weight))
    (data(of: step) + size).storeBytes(of: 0, as: UInt8.self)
    return step
  }

  /// A step whose changes are made later. Takes over the version.
  package static func make(
    to version: ListVersion.Pointer, weight: Int, after base: UInt64, keepsEnds: Bool
  ) -> Pointer? {
    let step = make(version, isMade: false, size: 0, weight: weight)
    step?.pointee.comparedWith = base
    step?.pointee.keepsEnds = keepsEnds
    return step
  }

  package static func retain(_ step: Pointer) {
    step.pointee.sharers.wrappingAdd(1, ordering: .relaxed)
  }

  package static func release(_ step: Pointer?) {
    guard let step,
      step.pointee.sharers.wrappingSubtract(1, ordering: .acquiringAndReleasing).oldValue == 0
    else { return }
    ListVersion.release(step.pointee.base)
    ListVersion.release(step.pointee.version)
    Memory.free(step)
  }

  @inline(__always)
  package static func data(of step: Pointer) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(step + 1)
  }

  /// The step whose bytes are the payload of a list's event.
  @inline(__always)
  package static func of(_ event: UnsafePointer<mainstem_event>) -> Pointer {
    of(data: event.pointee.data)
  }

  @inline(__always)
  package static func of(data: UnsafeRawPointer) -> Pointer {
    (UnsafeMutableRawPointer(mutating: data) - MemoryLayout<ListStep>.stride)
      .assumingMemoryBound(to: ListStep.self)
  }

  /// Says which version it follows, and at which position.
  package static func follow(_ base: ListVersion.Pointer?, at position: UInt64, _ step: Pointer) {
    step.pointee.basePosition = position
    guard !step.pointee.isMade, let base else { return }
    ListVersion.retain(base)
    step.pointee.base = base
  }

  /// The same step with its changes; nil without memory.
  package static func made(_ step: Pointer) -> Pointer? {
    let version = step.pointee.version
    let base = step.pointee.base.flatMap { $0.pointee.isLost ? nil : $0 }
    guard let made = encode(from: base, to: version, weight: step.pointee.weight) else {
      return nil
    }
    ListVersion.retain(version)
    made.pointee.basePosition = step.pointee.basePosition
    return made
  }

  /// The step whose changes a journal has. Takes over the version.
  package static func make(_ changes: Bytes, to version: ListVersion.Pointer) -> Pointer? {
    guard let step = make(version, isMade: true, size: changes.count, weight: changes.count) else {
      return nil
    }
    data(of: step).copyMemory(from: changes.start, byteCount: changes.count)
    return step
  }

  /// The whole list as one step, for who has nothing of it.
  package static func whole(_ version: ListVersion.Pointer) -> Pointer? {
    guard let step = encode(from: nil, to: version, weight: 0) else { return nil }
    ListVersion.retain(version)
    return step
  }
}

/// Changes as they were found, because it takes long to find them.
private struct FoundChanges {
  private var changes: UnsafeMutablePointer<ListChange>?
  private(set) var count = 0
  private var capacity = 0
  /// Whether there was memory for all.
  private(set) var areAll = true

  mutating func append(_ change: ListChange) {
    if count == capacity, !grow() { areAll = false }
    guard areAll, let changes else { return }
    (changes + count).initialize(to: change)
    count &+= 1
  }

  private mutating func grow() -> Bool {
    let wider = max(8, capacity &* 2)
    guard let fresh = Memory.allocate(ListChange.self, count: wider) else { return false }
    if let changes { fresh.update(from: changes, count: count) }
    Memory.free(changes)
    (changes, capacity) = (fresh, wider)
    return true
  }

  func each(_ visit: (ListChange) -> Void) {
    var index = 0
    while index < count, let changes {
      visit(changes[index])
      index &+= 1
    }
  }

  func free() { Memory.free(changes) }
}

/// Writing. Everything is visited twice: first to know how much memory it takes.
extension ListStep {
  private static func encode(
    from base: ListVersion.Pointer?, to version: ListVersion.Pointer, weight: Int
  ) -> Pointer? {
    guard let base else {
      return write(version, (0, 0, version.pointee.count), weight) { visit in
        visit(ListChange(.reset, 0, version.pointee.count))
        return true
      }
    }
    guard let difference = ListDifference(from: base, to: version) else { return nil }
    let span = (difference.at, difference.removed, difference.added)
    return write(version, span, weight) { visit in
      difference.each(visit)
    }
  }

  private static func write(
    _ version: ListVersion.Pointer, _ span: (Int, Int, Int), _ weight: Int,
    _ each: ((ListChange) -> Void) -> Bool
  ) -> Pointer? {
    var (found, bytes) = (FoundChanges(), 0)
    defer { found.free() }
    let isWhole = each { change in
      found.append(change)
      eachRow(of: change, in: version) { bytes &+= 8 &+ $0.key.count &+ $0.data.count }
    }
    let window = version.pointee.window
    let changes = ListChanges.headerSize &+ (window.isPart ? ListChanges.windowSize : 0)
    let rows = changes &+ found.count &* ListChanges.changeSize
    guard isWhole, found.areAll, rows &+ bytes <= Int(UInt32.max),
      let step = make(version, isMade: true, size: rows &+ bytes, weight: weight)
    else { return nil }
    let start = data(of: step)
    put(version.pointee.count, span.0, at: start)
    put(span.1, span.2, at: start + 8)
    put(found.count, window.isPart ? 1 : 0, at: start + 16)
    if window.isPart {
      let place = start + ListChanges.headerSize
      place.storeBytes(of: UInt64(window.offset).littleEndian, as: UInt64.self)
      place.storeBytes(of: UInt64(window.total).littleEndian, toByteOffset: 8, as: UInt64.self)
    }
    var (place, row) = (start + changes, start + rows)
    found.each { change in
      put(Int(change.kind.rawValue), change.index, at: place)
      put(change.count, change.to, at: place + 8)
      place += ListChanges.changeSize
      eachRow(of: change, in: version) { each in
        put(each.key.count, each.data.count, at: row)
        (row + 8).copyMemory(from: each.key.start, byteCount: each.key.count)
        (row + 8 + each.key.count).copyMemory(from: each.data.start, byteCount: each.data.count)
        row += 8 &+ each.key.count &+ each.data.count
      }
    }
    return step
  }

  private static func put(_ number: Int, _ next: Int, at place: UnsafeMutableRawPointer) {
    place.storeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian, as: UInt32.self)
    place.storeBytes(
      of: UInt32(truncatingIfNeeded: next).littleEndian, toByteOffset: 4, as: UInt32.self)
  }

  /// The rows that a change brings; those of an insertion or an update have their place in the new list.
  private static func eachRow(
    of change: ListChange, in version: ListVersion.Pointer, _ visit: (ListRow) -> Void
  ) {
    guard change.count > 0, change.kind != .remove, change.kind != .move else { return }
    var (cursor, count) = (RowCursor(version, at: change.index), 0)
    while count < change.count {
      visit(cursor.row)
      cursor.goOn()
      count &+= 1
    }
  }
}
