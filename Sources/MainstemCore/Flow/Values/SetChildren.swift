// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Which child a host wants: its key, and whether another one is opened even if there is one.
package struct ChildGiven {
  let key: Bytes
  let isAnew: Bool

  package init(key: Bytes, isAnew: Bool) { (self.key, self.isAnew) = (key, isAnew) }
}

/// Children that are given one by one.
package protocol GivenChildren {
  /// The child with a number below the count that is said beside it.
  func child(_ index: Int) -> ChildGiven
}

/// The children of a scope: a list whose rows are the numbers of scopes below it. The list itself says which there are,
/// so a replay finds them again.
extension Stream {
  /// Opens the children that a list does not have yet, sets the list, and ends those that it has no longer.
  ///
  /// - Parameters:
  ///   - ends: Which rows of which version stay around those that are given; nil: none.
  ///   - given: The children between them.
  ///   - open: Opens the child of a given row. No lock is held.
  /// - Returns: The version that the list now has.
  package static func setChildren<Given: GivenChildren>(
    _ handle: Handle, _ type: UInt32, _ ends: Ends?, _ given: Given, count: Int,
    _ open: (Int) -> (status: Int32, child: Handle)
  ) throws(Refusal) -> UInt64 {
    let resolved = try ResolvedHandle.sending(handle)
    let stream = resolved.stream
    let list = try stream.trying { _ throws(Refusal) in try resolved.childList(type) }
    defer {
      ListVersion.release(list.base)
      ListVersion.release(list.known)
    }
    let version = list.base?.pointee.number ?? 0
    let (first, last) = try Ends.check(ends, list.base)
    guard list.opens else { return version }
    guard let rows = ChildRows(on: list.known, first, last, given, count: count) else {
      throw .noMemory
    }
    defer { rows.free() }
    try resolved.keep(rows)
    let differ = try rows.demandKeys(
      stream.contract(of: type), stream.state.pointee.admissions.limits)
    if list.sends, differ { try resolved.demandSet(type) }
    try resolved.adopt(rows)
    do throws(Refusal) {
      try resolved.openNew(rows, open)
      guard list.sends else { return version }
      let next = try setList(
        handle, type, Ends(version: version, first: first, last: last), nil, rows, count: count,
        isStrict: true)
      rows.eachGone { resolved.endChild($0) }
      return next
    } catch {
      rows.eachNew { resolved.takeBack($0) }
      guard error.status == .stale, resolved.isLive, first | last == 0 else { throw error }
      throw Refusal(.stale, "children", "were set by another call meanwhile: call again")
    }
  }
}

/// The list that children are compared with. The versions are held for the caller.
private struct ChildList {
  /// Whether the list is set. A program that starts in a replay only opens its children: the journal has their list.
  var sends: Bool
  var opens: Bool
  /// What the set follows.
  var base: ListVersion.Pointer?
  /// What is known of the list: even if an event of it found no memory, its children are there.
  var known: ListVersion.Pointer?
}

extension ResolvedHandle {
  fileprivate func childList(_ type: UInt32) throws(Refusal) -> ChildList {
    let contract = stream.contract(of: type)
    guard contract.bits != 0 else { throw .noType(type) }
    guard contract.isList, contract.payload == .integer else {
      throw stream.refusal(
        type, "has no children: register it with MAINSTEM_LIST and MAINSTEM_PAYLOAD_INTEGER")
    }
    let draft = try listDraft(type)
    let sends = (try? stream.goesAhead()) == true
    let isOutput = stream.sendsOutput
    return stream.withValues {
      let base = stream.values.pointee.version(of: draft, isOutput: isOutput)
      let value = stream.values.pointee.find(type, draft.origin)
      let isWhole = value?.pointee.isMarked == true || value?.pointee.isEnding == true
      let known = base ?? (isWhole ? value?.pointee.newest : nil)
      if let known { ListVersion.retain(known) }
      return ChildList(
        sends: sends, opens: sends || Frame.of(stream)?.pointee.event == nil, base: base,
        known: known)
    }
  }

  /// Refuses what would refuse the list, before anything is opened for it.
  fileprivate func demandSet(_ type: UInt32) throws(Refusal) {
    try stream.trying { _ throws(Refusal) in
      let draft = try listDraft(type)
      try stream.demandOwner(of: draft)
      try stream.demandNoFetch(draft)
      try stream.demandRecording()
    }
  }

  /// Those of the base whose scope has ended are opened again.
  fileprivate func keep<Given>(_ rows: ChildRows<Given>) throws(Refusal) {
    let areKept = try locked { () throws(Refusal) in rows.keep { child(with: $0) != nil } }
    guard areKept else { throw .noMemory }
  }

  /// A child that the program has added before a replay gave it the list is one from here on.
  fileprivate func adopt<Given>(_ rows: ChildRows<Given>) throws(Refusal) {
    try locked { () throws(Refusal) in
      try rows.eachKept { number throws(Refusal) in
        if let scope = child(with: number) { try adopt(scope) }
      }
    }
  }

  fileprivate func openNew<Given>(
    _ rows: ChildRows<Given>, _ open: (Int) -> (status: Int32, child: Handle)
  ) throws(Refusal) {
    var index = 0
    while let next = rows.nextNew(from: index) {
      let (status, child) = open(next)
      guard status == 0 else {
        throw Refusal(
          Status(rawValue: status) ?? .cancelled, "open", "has failed: the list stays as it was",
          .row(UInt64(next)))
      }
      do throws(Refusal) {
        rows.take(try adopt(child, at: next), for: next)
      } catch {
        if error.status == .noMemory { try? Stream.endScope(child) }
        throw error
      }
      index = next &+ 1
    }
  }

  private func adopt(_ child: Handle, at index: Int) throws(Refusal) -> UInt64 {
    try locked { () throws(Refusal) in
      guard let scope = stream.live(child), scope.pointee.parent == self.scope else {
        throw Refusal(
          .invalid, "child", "is not a scope that was added through context", .row(UInt64(index)))
      }
      guard scope.pointee.endNotice?.pointee.isBegun != true else {
        throw Refusal(
          .invalid, "child", "is a child already: add another scope", .row(UInt64(index)))
      }
      try adopt(scope)
      return scope.pointee.number
    }
  }

  /// From here on, a scope ends like one that a factory has made: by an event, which comes behind the list without it.
  /// Under the lock.
  private func adopt(_ scope: Scope.Pointer) throws(Refusal) {
    guard scope.pointee.endNotice?.pointee.isBegun != true else { return }
    guard stream.state.pointee.scopes.opened.reserve() else { throw .noMemory }
    try stream.reserveEnd(of: scope)
    guard let notice = scope.pointee.endNotice else { throw .noMemory }
    notice.pointee.isBegun = true
    stream.state.pointee.scopes.opened.add(notice, askedBy: self.scope?.pointee.number ?? 0)
  }

  /// The child with a number, unless its end is told. Under the lock.
  private func child(with number: UInt64) -> Scope.Pointer? {
    guard let scope = stream.state.pointee.scopes.origins[live: number],
      scope.pointee.parent == self.scope, scope.pointee.endNotice?.pointee.isTold != true
    else { return nil }
    return scope
  }

  /// Ends a child that the list has no longer: when what is accepted by now has been delivered.
  fileprivate func endChild(_ number: UInt64) {
    let handle = stream.locked { () -> Handle? in
      guard isLive, let scope = child(with: number) else { return nil }
      try? adopt(scope)
      return scope.pointee.handle
    }
    if let handle, let child = try? ResolvedHandle.own(handle) { try? Stream.endScope(child) }
  }

  /// Ends a child that no list has had, at once; in a show function, which cannot have added it, it stays.
  fileprivate func takeBack(_ number: UInt64) {
    let handle = stream.locked { () -> Handle? in
      guard isLive, let scope = child(with: number) else { return nil }
      stream.state.pointee.scopes.forgetChild(scope)
      return scope.pointee.handle
    }
    if let handle, !stream.isInShow { try? Stream.endScope(handle) }
  }
}

extension Scopes {
  /// A scope ends at once again. Under the lock.
  fileprivate mutating func forgetChild(_ scope: Scope.Pointer) {
    guard let notice = scope.pointee.endNotice else { return }
    opened.remove(notice)
    notice.pointee.isOpened = false
    notice.pointee.isBegun = false
  }
}

/// The rows of a list of children, while it is made: for each that is given, the number of its scope.
private struct ChildRows<Given: GivenChildren>: GivenRows {
  private let base: ListVersion.Pointer?
  /// How many rows of the base stay at the beginning, and how many of those behind them may go.
  private let first: Int
  private let old: Int
  private let given: Given
  private let count: Int
  /// 0: it is to be opened.
  private let numbers: UnsafeMutablePointer<UInt64>
  private let isNew: UnsafeMutablePointer<Bool>
  /// Of each row of the base that may go, whether it stays.
  private let stays: UnsafeMutablePointer<Bool>

  /// Nil without memory.
  init?(
    on base: ListVersion.Pointer?, _ first: Int, _ last: Int, _ given: Given, count: Int
  ) {
    old = (base?.pointee.count ?? 0) &- first &- last
    let numbers = Memory.allocate(UInt64.self, count: max(count, 1))
    let isNew = Memory.allocate(Bool.self, count: max(count, 1))
    let stays = Memory.allocate(Bool.self, count: max(old, 1))
    guard let numbers, let isNew, let stays else {
      Memory.free(numbers)
      Memory.free(isNew)
      Memory.free(stays)
      return nil
    }
    numbers.initialize(repeating: 0, count: count)
    isNew.initialize(repeating: false, count: count)
    stays.initialize(repeating: false, count: old)
    (self.base, self.first, self.given, self.count) = (base, first, given, count)
    (self.numbers, self.isNew, self.stays) = (numbers, isNew, stays)
  }

  func free() {
    Memory.free(numbers)
    Memory.free(isNew)
    Memory.free(stays)
  }

  subscript(_ index: Int) -> ListRow {
    ListRow(key: given.child(index).key, data: Bytes(numbers + index, ChildRows.size))
  }

  private static var size: Int { MemoryLayout<UInt64>.size }

  private static func number(of row: ListRow) -> UInt64 {
    row.data.start.loadUnaligned(as: UInt64.self)
  }
}

/// What the list has already.
extension ChildRows {
  /// Finds the scopes of the keys that the base has, if they live; false without memory.
  func keep(_ isLive: (UInt64) -> Bool) -> Bool {
    guard let base, old > 0, count > 0 else { return true }
    var (front, back) = (0, 0)
    var cursor = RowCursor(base, at: first)
    while front < min(count, old), given.child(front).key == cursor.row.key {
      keep(front, cursor.row, at: front, isLive)
      front &+= 1
      cursor.goOn()
    }
    cursor = RowCursor(base, at: first &+ old &- 1)
    while back < min(count, old) &- front, given.child(count &- 1 &- back).key == cursor.row.key {
      keep(count &- 1 &- back, cursor.row, at: old &- 1 &- back, isLive)
      back &+= 1
      cursor.goBack()
    }
    return keep(between: front, and: back, of: base, isLive)
  }

  private func keep(_ index: Int, _ row: ListRow, at place: Int, _ isLive: (UInt64) -> Bool) {
    guard !given.child(index).isAnew, isLive(ChildRows.number(of: row)) else { return }
    numbers[index] = ChildRows.number(of: row)
    stays[place] = true
  }

  /// Like `keep`, for those that have other places.
  @_optimize(speed)
  private func keep(
    between front: Int, and back: Int, of base: ListVersion.Pointer, _ isLive: (UInt64) -> Bool
  ) -> Bool {
    let end = old &- back
    guard front < end, front < count &- back else { return true }
    guard var table = RowTable(end &- front) else { return false }
    defer { table.free() }
    var (cursor, place) = (RowCursor(base, at: first &+ front), front)
    while place < end {
      table.insert(place, cursor.hash)
      cursor.goOn()
      place &+= 1
    }
    var index = front
    while index < count &- back {
      let key = given.child(index).key
      if key.count > 0, key.count <= ListRow.longestKey,
        let found = table.find(
          ListVersion.hash(of: key),
          where: { ListVersion.row(first &+ $0, of: base).key == key })
      {
        keep(index, ListVersion.row(first &+ found, of: base), at: found, isLive)
      }
      index &+= 1
    }
    return true
  }

  /// Refuses what is no list, before anything is opened for it.
  ///
  /// - Returns: Whether it is another list.
  func demandKeys(_ contract: Contract, _ limits: Limits) throws(Refusal) -> Bool {
    let last = (base?.pointee.count ?? 0) &- first &- old
    var builder = ListBuilder(on: base, first: first, last: last, self, count: count, nil)
    guard !builder.isSame() else { return false }
    _ = try builder.demandRows(self, contract, limits, at: first)
    do throws(ListProblem) { try builder.demandUniqueKeys() } catch { throw .of(error) }
    return true
  }
}

/// What comes and goes.
extension ChildRows {
  /// The first that is to be opened, from an index on; nil: there is none.
  func nextNew(from index: Int) -> Int? {
    var next = index
    while next < count {
      if numbers[next] == 0 { return next }
      next &+= 1
    }
    return nil
  }

  /// Visits the numbers of those that stay.
  func eachKept(_ visit: (UInt64) throws(Refusal) -> Void) throws(Refusal) {
    var index = 0
    while index < count {
      if numbers[index] != 0 { try visit(numbers[index]) }
      index &+= 1
    }
  }

  func take(_ number: UInt64, for index: Int) {
    numbers[index] = number
    isNew[index] = true
  }

  /// Visits the numbers of those that were opened, the last one first.
  func eachNew(_ visit: (UInt64) -> Void) {
    var index = count
    while index > 0 {
      index &-= 1
      if isNew[index] { visit(numbers[index]) }
    }
  }

  /// Visits the numbers of those that go, in the order of the list.
  func eachGone(_ visit: (UInt64) -> Void) {
    guard let base, old > 0 else { return }
    var (cursor, place) = (RowCursor(base, at: first), 0)
    while place < old {
      if !stays[place] { visit(ChildRows.number(of: cursor.row)) }
      cursor.goOn()
      place &+= 1
    }
  }
}
