// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A list as it is at one moment. It never changes; the next version shares the chunks of all rows that stay where they
/// are. So an observer, a kept event and the base of a difference each hold a version, and no copy.
///
/// The pointers to its chunks follow it directly, then the index of each chunk's first row.
package struct ListVersion: ~Copyable {
  private let sharers = Atomic<Int>(0)
  package let window: ListWindow
  /// No other version of the process has it.
  package let number: UInt64
  fileprivate let chunkCount: Int
  /// Whether nobody got it, for lack of memory: then the next event is the whole list. Only the deliverer knows.
  package var isLost = false

  package typealias Pointer = UnsafeMutablePointer<ListVersion>

  fileprivate init(_ window: ListWindow, chunks: Int) {
    self.window = window
    chunkCount = chunks
    number = ListVersion.last.wrappingAdd(1, ordering: .relaxed).newValue
  }

  package var count: Int { window.count }

  private static let last = Atomic<UInt64>(0)

  fileprivate static func make(_ window: ListWindow, chunks: Int) -> Pointer? {
    let each = MemoryLayout<RowChunk.Pointer>.stride &+ MemoryLayout<Int>.stride
    guard
      let memory = Memory.allocate(
        UInt8.self, count: MemoryLayout<ListVersion>.stride &+ chunks &* each)
    else { return nil }
    let version = UnsafeMutableRawPointer(memory).bindMemory(to: ListVersion.self, capacity: 1)
    version.initialize(to: ListVersion(window, chunks: chunks))
    return version
  }

  package static func retain(_ version: Pointer) {
    version.pointee.sharers.wrappingAdd(1, ordering: .relaxed)
  }

  package static func release(_ version: Pointer?) {
    guard let version,
      version.pointee.sharers.wrappingSubtract(1, ordering: .acquiringAndReleasing).oldValue == 0
    else { return }
    var index = 0
    while index < version.pointee.chunkCount {
      RowChunk.release(chunks(of: version)[index])
      index &+= 1
    }
    Memory.free(version)
  }

  @inline(__always)
  fileprivate static func chunks(of version: Pointer) -> UnsafeMutablePointer<RowChunk.Pointer> {
    UnsafeMutableRawPointer(version + 1).assumingMemoryBound(to: RowChunk.Pointer.self)
  }

  @inline(__always)
  fileprivate static func starts(of version: Pointer) -> UnsafeMutablePointer<Int> {
    UnsafeMutableRawPointer(chunks(of: version) + version.pointee.chunkCount)
      .assumingMemoryBound(to: Int.self)
  }

  /// How many chunks end at or before a row.
  fileprivate static func chunksBefore(_ row: Int, in version: Pointer) -> Int {
    let starts = starts(of: version)
    var (low, high) = (0, version.pointee.chunkCount)
    while low < high {
      let middle = (low &+ high) / 2
      let end = starts[middle] &+ chunks(of: version)[middle].pointee.count
      if end <= row { low = middle &+ 1 } else { high = middle }
    }
    return low
  }
}

/// Reading.
extension ListVersion {
  /// The row at an index, which must be below `count`; valid as long as the version.
  package static func row(_ index: Int, of version: Pointer) -> ListRow {
    RowCursor(version, at: index).row
  }

  /// The index of a key; nil: there is none.
  package static func find(_ key: Bytes, in version: Pointer) -> Int? {
    let hash = hash(of: key)
    var chunk = 0
    while chunk < version.pointee.chunkCount {
      let rows = chunks(of: version)[chunk]
      let places = RowChunk.places(of: rows)
      var index = RowChunk.mayHave(hash, in: rows) ? 0 : rows.pointee.count
      while index < rows.pointee.count {
        if places[index].hash == hash, RowChunk.row(index, of: rows).key == key {
          return starts(of: version)[chunk] &+ index
        }
        index &+= 1
      }
      chunk &+= 1
    }
    return nil
  }

  @inline(__always)
  static func hash(of key: Bytes) -> UInt32 {
    UInt32(truncatingIfNeeded: NameTable.hash(key) >> 32)
  }

  /// Whether two versions have the same rows, as the same part of a sequence.
  package static func areSame(_ one: Pointer, _ other: Pointer) -> Bool {
    one == other
      || one.pointee.window == other.pointee.window
        && commonStart(one, other, upTo: one.pointee.count) == one.pointee.count
  }

  /// How many rows two versions have in common at the beginning, up to a limit.
  static func commonStart(_ one: Pointer, _ other: Pointer, upTo most: Int) -> Int {
    var chunk = 0
    while chunk < min(one.pointee.chunkCount, other.pointee.chunkCount),
      chunks(of: one)[chunk] == chunks(of: other)[chunk]
    {
      chunk &+= 1
    }
    let same = chunk < one.pointee.chunkCount ? starts(of: one)[chunk] : one.pointee.count
    guard same < most else { return most }
    var (here, there, count) = (RowCursor(one, at: same), RowCursor(other, at: same), same)
    while count < most, here.isSame(as: there) {
      count &+= 1
      here.goOn()
      there.goOn()
    }
    return count
  }

  /// How many rows two versions have in common at the end, up to a limit.
  static func commonEnd(_ one: Pointer, _ other: Pointer, upTo most: Int) -> Int {
    var (chunk, same) = (1, 0)
    while chunk <= min(one.pointee.chunkCount, other.pointee.chunkCount),
      chunks(of: one)[one.pointee.chunkCount &- chunk]
        == chunks(of: other)[other.pointee.chunkCount &- chunk]
    {
      same &+= chunks(of: one)[one.pointee.chunkCount &- chunk].pointee.count
      chunk &+= 1
    }
    guard same < most else { return most }
    var here = RowCursor(one, at: one.pointee.count &- same &- 1)
    var there = RowCursor(other, at: other.pointee.count &- same &- 1)
    while same < most, here.isSame(as: there) {
      same &+= 1
      here.goBack()
      there.goBack()
    }
    return same
  }
}

/// A place in a version, which moves row by row.
struct RowCursor {
  private let version: ListVersion.Pointer
  private var chunk: Int
  private var index: Int

  /// - Parameter row: At most the number of rows; there, nothing may be read.
  init(_ version: ListVersion.Pointer, at row: Int) {
    self.version = version
    chunk = ListVersion.chunksBefore(row, in: version)
    index =
      chunk < version.pointee.chunkCount ? row &- ListVersion.starts(of: version)[chunk] : 0
  }

  @inline(__always)
  private var rows: RowChunk.Pointer { ListVersion.chunks(of: version)[chunk] }
  @inline(__always)
  var row: ListRow { RowChunk.row(index, of: rows) }
  @inline(__always)
  var hash: UInt32 { RowChunk.places(of: rows)[index].hash }

  @inline(__always)
  mutating func goOn() {
    index &+= 1
    if index == rows.pointee.count { (chunk, index) = (chunk &+ 1, 0) }
  }

  /// Skips the rest of a chunk, and returns how many rows that is, if none of its keys has one of some hashes, and it
  /// ends within a number of rows; 0: it may have one.
  mutating func skip(
    _ hashes: UnsafeMutablePointer<UInt32>, _ count: Int, within most: Int
  ) -> Int {
    let left = rows.pointee.count &- index
    guard left <= most else { return 0 }
    var each = 0
    while each < count {
      if RowChunk.mayHave(hashes[each], in: rows) { return 0 }
      each &+= 1
    }
    (chunk, index) = (chunk &+ 1, 0)
    return left
  }

  /// Whether it is at the first row of a chunk.
  @inline(__always)
  var isAtChunk: Bool { index == 0 }

  /// Before the first row, nothing may be read.
  @inline(__always)
  mutating func goBack() {
    index &-= 1
    guard index < 0, chunk > 0 else { return }
    chunk &-= 1
    index = rows.pointee.count &- 1
  }

  func isSame(as other: RowCursor) -> Bool {
    if rows == other.rows, index == other.index { return true }
    return hash == other.hash && row.isSame(as: other.row)
  }
}

extension ListRow {
  func isSame(as other: ListRow) -> Bool { hasData(of: other) && hasKey(of: other) }

  func hasData(of other: ListRow) -> Bool {
    data.count == other.data.count && mainstem_p_same(data.start, other.data.start, data.count)
  }

  func hasKey(of other: ListRow) -> Bool {
    key.count == other.key.count && mainstem_p_same(key.start, other.key.start, key.count)
  }
}

/// What a builder of versions writes.
extension ListVersion {
  /// A version whose chunks are all given, and become its own; nil without memory, and then they are the caller's.
  fileprivate static func make(
    of chunks: PointerArray<RowChunk>, _ window: ListWindow
  ) -> Pointer? {
    guard let version = make(window, chunks: chunks.count) else { return nil }
    var (rows, index) = (0, 0)
    while index < chunks.count {
      (Self.chunks(of: version) + index).initialize(to: chunks[index])
      (starts(of: version) + index).initialize(to: rows)
      rows &+= chunks[index].pointee.count
      index &+= 1
    }
    return version
  }
}

/// Rows that are given one by one.
package protocol GivenRows {
  /// The row with a number below the count that is said beside it.
  subscript(_ index: Int) -> ListRow { get }
}

/// Why there is no next version.
package enum ListProblem: Error {
  /// Two rows have one key: their indices in the list.
  case duplicate(Int, Int)
  case noMemory
}

/// Makes the next version of a list: its first and its last rows are those of a base, and those between them are given.
package struct ListBuilder<Rows: GivenRows> {
  private let base: ListVersion.Pointer?
  private let given: Rows
  /// How many rows of the base stay at the beginning and at the end.
  private var first: Int
  private var last: Int
  /// The given rows that are not there in the base: from this one on, so many.
  private var start = 0
  private var count: Int
  private let window: ListWindow

  /// - Parameters:
  ///   - first: How many rows of the base stay at the beginning.
  ///   - last: How many stay at the end; together at most all.
  ///   - window: Which part the list then is of its sequence; nil: all.
  package init(
    on base: ListVersion.Pointer?, first: Int, last: Int, _ given: Rows, count: Int,
    _ window: ListWindow?
  ) {
    self.window = window ?? ListWindow(all: first &+ count &+ last)
    self.base = base
    self.first = first
    self.last = last
    self.given = given
    self.count = count
  }

  private var oldCount: Int { base?.pointee.count ?? 0 }

  /// Whether the list is that of the base, in the same window. What the rows between have in common with those of the
  /// base counts as theirs from here on.
  @_optimize(speed)
  package mutating func isSame() -> Bool {
    guard let base else { return false }
    if count > 0, first &+ last < oldCount {
      var cursor = RowCursor(base, at: first)
      while count > 0, first &+ last < oldCount, cursor.row.isSame(as: given[start]) {
        (first, start, count) = (first &+ 1, start &+ 1, count &- 1)
        cursor.goOn()
      }
    }
    if count > 0, first &+ last < oldCount {
      var cursor = RowCursor(base, at: oldCount &- last &- 1)
      while count > 0, first &+ last < oldCount, cursor.row.isSame(as: given[start &+ count &- 1]) {
        (last, count) = (last &+ 1, count &- 1)
        cursor.goBack()
      }
    }
    return hasSameRows && base.pointee.window == window
  }

  private var hasSameRows: Bool { count == 0 && first &+ last == oldCount }

  /// The rows that are new or changed: the first, and how many. After `isSame`.
  package var changed: (start: Int, count: Int) { (start, count) }

  /// How many rows the next version has.
  package var total: Int { first &+ count &+ last }

  /// The next version. After `isSame`.
  package func build() throws(ListProblem) -> ListVersion.Pointer {
    guard let hashes = Memory.allocate(UInt32.self, count: max(count, 1)) else { throw .noMemory }
    defer { Memory.free(hashes) }
    try demandUnique(hashes)
    guard let version = join(hashes) else { throw .noMemory }
    return version
  }
}

/// Keys are unique.
extension ListBuilder {
  /// Refuses a key that is there twice, before anything is built. After `isSame`.
  func demandUniqueKeys() throws(ListProblem) {
    guard let hashes = Memory.allocate(UInt32.self, count: max(count, 1)) else { throw .noMemory }
    defer { Memory.free(hashes) }
    try demandUnique(hashes)
  }

  /// Computes the hashes of the given rows, and refuses a key that is there twice.
  @_optimize(speed)
  private func demandUnique(_ hashes: UnsafeMutablePointer<UInt32>) throws(ListProblem) {
    guard var table = RowTable(count) else { throw .noMemory }
    defer { table.free() }
    var index = 0
    while index < count {
      let row = given[start &+ index]
      hashes[index] = ListVersion.hash(of: row.key)
      let other = table.find(hashes[index]) { given[start &+ $0].hasKey(of: row) }
      guard other == nil else { throw .duplicate(first &+ (other ?? 0), first &+ index) }
      table.insert(index, hashes[index])
      index &+= 1
    }
    guard let base, count > 0 else { return }
    try demandNone(of: table, hashes, in: base, from: 0, first, at: 0)
    try demandNone(of: table, hashes, in: base, from: oldCount &- last, last, at: first &+ count)
  }

  /// Refuses a given key that one of the rows that stay has.
  @_optimize(speed)
  private func demandNone(
    of table: RowTable, _ hashes: UnsafeMutablePointer<UInt32>, in base: ListVersion.Pointer,
    from row: Int, _ rows: Int, at place: Int
  ) throws(ListProblem) {
    guard rows > 0 else { return }
    var (cursor, index) = (RowCursor(base, at: row), 0)
    while index < rows {
      if count <= 16, cursor.isAtChunk {
        let skipped = cursor.skip(hashes, count, within: rows &- index)
        index &+= skipped
        if skipped > 0 { continue }
      }
      if table.mayHave(cursor.hash),
        let other = table.find(cursor.hash, where: { given[start &+ $0].hasKey(of: cursor.row) })
      {
        throw .duplicate(
          min(place &+ index, first &+ other), max(place &+ index, first &+ other))
      }
      cursor.goOn()
      index &+= 1
    }
  }
}

/// Numbers of rows by the hashes of their keys.
struct RowTable {
  private var places: UnsafeMutablePointer<(hash: UInt32, row: Int32)>
  private let mask: Int
  /// A bit for each hash: most rows that are not there need no look.
  private var bits: UInt64 = 0

  /// Room for so many; nil without memory.
  init?(_ count: Int) {
    var size = 8
    while size < count &* 2 { size &*= 2 }
    guard let memory = Memory.allocate((hash: UInt32, row: Int32).self, count: size) else {
      return nil
    }
    memory.initialize(repeating: (0, -1), count: size)
    (places, mask) = (memory, size &- 1)
  }

  func free() { Memory.free(places) }

  @inline(__always)
  func mayHave(_ hash: UInt32) -> Bool { bits &>> UInt64(hash & 63) & 1 != 0 }

  mutating func insert(_ row: Int, _ hash: UInt32) {
    var place = Int(hash) & mask
    while places[place].row >= 0 { place = (place &+ 1) & mask }
    places[place] = (hash, Int32(truncatingIfNeeded: row))
    bits |= 1 &<< UInt64(hash & 63)
  }

  @inline(__always)
  func find(_ hash: UInt32, where hasKey: (Int) -> Bool) -> Int? {
    var place = Int(hash) & mask
    while places[place].row >= 0 {
      if places[place].hash == hash, hasKey(Int(places[place].row)) {
        return Int(places[place].row)
      }
      place = (place &+ 1) & mask
    }
    return nil
  }
}

/// Chunks: those whose rows all stay are shared, and the rows of the others are copied together with what is given.
extension ListBuilder {
  /// Chunks that are shared at the beginning and at the end, and how many rows beside them are copied.
  private struct Sharing {
    /// How many chunks are shared at the beginning, and the first that is shared at the end.
    var before = 0
    var behind = 0
    /// The rows of the base to copy before what is given and behind it.
    var left = 0
    var right = 0
  }

  private func cut(_ base: ListVersion.Pointer) -> Sharing {
    var cut = Sharing()
    let starts = ListVersion.starts(of: base)
    let chunks = base.pointee.chunkCount
    cut.before = ListVersion.chunksBefore(first, in: base)
    cut.left = cut.before < chunks ? first &- starts[cut.before] : 0
    // The first chunk that begins where the last rows do, or behind that.
    let end = oldCount &- last
    cut.behind = ListVersion.chunksBefore(end, in: base)
    if cut.behind < chunks, starts[cut.behind] < end { cut.behind &+= 1 }
    cut.right = (cut.behind < chunks ? starts[cut.behind] : oldCount) &- end
    join(&cut, base)
    return cut
  }

  /// Copies a small chunk beside few rows, too: else there would be more of them with each change.
  private func join(_ cut: inout Sharing, _ base: ListVersion.Pointer) {
    let chunks = ListVersion.chunks(of: base)
    if cut.before > 0, isSmall(cut, with: chunks[cut.before &- 1], base) {
      cut.before &-= 1
      cut.left &+= chunks[cut.before].pointee.count
    }
    if cut.behind < base.pointee.chunkCount, isSmall(cut, with: chunks[cut.behind], base) {
      cut.right &+= chunks[cut.behind].pointee.count
      cut.behind &+= 1
    }
  }

  /// Whether what is copied, and a chunk, fill at most half of a chunk.
  private func isSmall(
    _ cut: Sharing, with chunk: RowChunk.Pointer, _ base: ListVersion.Pointer
  ) -> Bool {
    let rows = cut.left &+ count &+ cut.right
    guard rows &+ chunk.pointee.count <= RowChunk.mostRows / 2 else { return false }
    var (bytes, index) = (chunk.pointee.used, 0)
    while index < rows, bytes <= RowChunk.mostBytes / 2 {
      bytes &+= RowChunk.bytes(of: copied(index, cut, base).row)
      index &+= 1
    }
    return bytes <= RowChunk.mostBytes / 2
  }

  /// The version; nil without memory.
  fileprivate func join(_ hashes: UnsafeMutablePointer<UInt32>) -> ListVersion.Pointer? {
    var chunks = PointerArray<RowChunk>()
    defer { chunks.free() }
    guard collect(&chunks, hashes), let version = ListVersion.make(of: chunks, window) else {
      while chunks.count > 0 {
        RowChunk.release(chunks[chunks.count &- 1])
        chunks.remove(at: chunks.count &- 1)
      }
      return nil
    }
    return version
  }

  private func collect(
    _ chunks: inout PointerArray<RowChunk>, _ hashes: UnsafeMutablePointer<UInt32>
  ) -> Bool {
    guard let base else {
      return copy(into: &chunks, count) { hashed(given[start &+ $0], hashes[$0]) }
    }
    // Only the window differs.
    if hasSameRows { return share(0, base.pointee.chunkCount, of: base, into: &chunks) }
    let cut = cut(base)
    guard share(0, cut.before, of: base, into: &chunks) else { return false }
    let rows = cut.left &+ count &+ cut.right
    let isCopied = copy(into: &chunks, rows) { index in
      let copied = copied(index, cut, base)
      return hashed(copied.row, copied.hash ?? hashes[index &- cut.left])
    }
    return isCopied && share(cut.behind, base.pointee.chunkCount, of: base, into: &chunks)
  }

  /// A row that is copied; without its hash if it is given.
  private func copied(
    _ index: Int, _ cut: Sharing, _ base: ListVersion.Pointer
  ) -> (row: ListRow, hash: UInt32?) {
    let place = index &- cut.left
    if place >= 0, place < count { return (given[start &+ place], nil) }
    let row = place < 0 ? first &+ place : oldCount &- last &+ place &- count
    let cursor = RowCursor(base, at: row)
    return (cursor.row, cursor.hash)
  }

  private typealias Hashed = (row: ListRow, hash: UInt32)
  private func hashed(_ row: ListRow, _ hash: UInt32) -> Hashed { (row, hash) }

  private func share(
    _ from: Int, _ end: Int, of base: ListVersion.Pointer, into chunks: inout PointerArray<RowChunk>
  ) -> Bool {
    var index = from
    while index < end {
      guard chunks.reserve() else { return false }
      let chunk = ListVersion.chunks(of: base)[index]
      RowChunk.retain(chunk)
      chunks.insert(chunk, at: chunks.count)
      index &+= 1
    }
    return true
  }

  /// Copies rows into chunks of about the same size: a rest would be a chunk more with each change.
  private func copy(
    into chunks: inout PointerArray<RowChunk>, _ rows: Int, _ row: (Int) -> Hashed
  ) -> Bool {
    guard rows > 0 else { return true }
    let pieces = (rows &+ RowChunk.mostRows &- 1) / RowChunk.mostRows
    var most = (rows &+ pieces &- 1) / pieces
    var share = RowChunk.mostBytes
    var (next, piece) = (0, piece(from: 0, rows, most, share, row))
    if piece.end < most {
      (most, share) = even(rows, pieces, row)
      piece = self.piece(from: 0, rows, most, share, row)
    }
    while next < rows {
      guard chunks.reserve(), let chunk = RowChunk.make(piece.end &- next, bytes: piece.bytes)
      else { return false }
      chunks.insert(chunk, at: chunks.count)
      while next < piece.end {
        let each = row(next)
        RowChunk.append(each.row, hash: each.hash, to: chunk)
        next &+= 1
      }
      piece = self.piece(from: next, rows, most, share, row)
    }
    return true
  }

  /// Where a chunk ends that begins with a row, and its bytes: it has at most so many rows, and is full with a share.
  private func piece(
    from next: Int, _ rows: Int, _ most: Int, _ share: Int, _ row: (Int) -> Hashed
  ) -> (end: Int, bytes: Int) {
    var (end, bytes) = (next, 0)
    while end < rows, end &- next < most, bytes < share {
      let size = RowChunk.bytes(of: row(end).row)
      if end > next, bytes &+ size > RowChunk.mostBytes { break }
      bytes &+= size
      end &+= 1
    }
    return (end, bytes)
  }

  /// How many rows and bytes each of the chunks has, if there are at least so many.
  private func even(_ rows: Int, _ least: Int, _ row: (Int) -> Hashed) -> (most: Int, share: Int) {
    var (bytes, index) = (0, 0)
    while index < rows {
      bytes &+= RowChunk.bytes(of: row(index).row)
      index &+= 1
    }
    let pieces = max(least, (bytes &+ RowChunk.mostBytes &- 1) / RowChunk.mostBytes)
    return ((rows &+ least &- 1) / least, (bytes &+ pieces &- 1) / pieces)
  }
}
