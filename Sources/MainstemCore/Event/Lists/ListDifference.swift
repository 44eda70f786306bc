// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// One step from a list to the next: what happens to a run of rows.
package struct ListChange: Equatable {
  package enum Kind: UInt32 {
    case reset = 0
    case remove = 1
    case move = 2
    case insert = 3
    case update = 4
  }

  package var kind: Kind
  /// The first row of the run, where it is when this step begins.
  package var index: Int
  package var count: Int
  /// Of a move: where the run goes, counted without it.
  package var to: Int = 0

  package init(_ kind: Kind, _ index: Int, _ count: Int, to: Int = 0) {
    self.kind = kind
    self.index = index
    self.count = count
    self.to = to
  }
}

/// What lies between two versions of a list. It follows from the two lists alone: rows with the same key are the same
/// row, and no more rows move than must.
///
/// In order: removals from behind, moves, insertions from the front, updates. `changes` and `span` name the same step.
package struct ListDifference: ~Copyable {
  private let old: ListVersion.Pointer
  private let new: ListVersion.Pointer
  /// The rows that differ: from this one on, so many of the old and so many of the new list.
  package let at: Int
  package let removed: Int
  package let added: Int
  private var memory: UnsafeMutablePointer<Int32>?
  private let places: Places

  /// Parts of the memory, each with a number for each row, and one more.
  private struct Places {
    /// Of each row of the old list that stays, in its order: its place in the new one.
    var target: UnsafeMutablePointer<Int32>
    /// Of each row of the new list: its number among those that stay, in the order of the old list; -1: it is new.
    var origin: UnsafeMutablePointer<Int32>
    /// Of each row of the old list: its place in the new one; -1: it is gone.
    var found: UnsafeMutablePointer<Int32>
    /// Of each row of the new list: 1 if its payload is another.
    var isChanged: UnsafeMutablePointer<Int32>
    var kept = 0
  }

  /// Nil without memory.
  package init?(from old: ListVersion.Pointer, to new: ListVersion.Pointer) {
    (self.old, self.new) = (old, new)
    let most = min(old.pointee.count, new.pointee.count)
    at = ListVersion.commonStart(old, new, upTo: most)
    let end = ListVersion.commonEnd(old, new, upTo: most &- at)
    removed = old.pointee.count &- at &- end
    added = new.pointee.count &- at &- end
    guard
      let memory = Memory.allocate(Int32.self, count: 2 &* removed &+ 2 &* added &+ 4)
    else { return nil }
    self.memory = memory
    var places = Places(
      target: memory, origin: memory + removed, found: memory + removed + added,
      isChanged: memory + 2 * removed + added)
    guard Self.match(old, new, at, removed, added, &places) else {
      Memory.free(memory)
      return nil
    }
    self.places = places
  }

  deinit { Memory.free(memory) }

  /// Finds each row of the old list in the new one; false without memory.
  @_optimize(speed)
  private static func match(
    _ old: ListVersion.Pointer, _ new: ListVersion.Pointer, _ at: Int, _ removed: Int,
    _ added: Int, _ places: inout Places
  ) -> Bool {
    places.origin.initialize(repeating: -1, count: added)
    places.isChanged.initialize(repeating: 0, count: added)
    places.found.initialize(repeating: -1, count: removed)
    places.target.initialize(repeating: -1, count: removed)
    guard removed > 0, added > 0 else { return true }
    guard var table = RowTable(added) else { return false }
    defer { table.free() }
    var (cursor, index) = (RowCursor(new, at: at), 0)
    while index < added {
      table.insert(index, cursor.hash)
      cursor.goOn()
      index &+= 1
    }
    (cursor, index) = (RowCursor(old, at: at), 0)
    while index < removed {
      let row = cursor.row
      if table.mayHave(cursor.hash),
        let place = table.find(
          cursor.hash, where: { ListVersion.row(at &+ $0, of: new).hasKey(of: row) })
      {
        places.found[index] = Int32(truncatingIfNeeded: place)
        places.target[places.kept] = Int32(truncatingIfNeeded: place)
        places.origin[place] = Int32(truncatingIfNeeded: places.kept)
        places.isChanged[place] =
          ListVersion.row(at &+ place, of: new).hasData(of: row) ? 0 : 1
        places.kept &+= 1
      }
      cursor.goOn()
      index &+= 1
    }
    return true
  }

  /// Visits the steps in their order; false without memory, perhaps in the middle.
  package func each(_ visit: (ListChange) -> Void) -> Bool {
    eachRun(.remove, fromBehind: true, removed, visit) { places.found[$0] < 0 }
    guard eachMove(visit) else { return false }
    eachRun(.insert, fromBehind: false, added, visit) { places.origin[$0] < 0 }
    eachRun(.update, fromBehind: false, added, visit) { places.isChanged[$0] != 0 }
    return true
  }

  private func eachRun(
    _ kind: ListChange.Kind, fromBehind: Bool, _ count: Int, _ visit: (ListChange) -> Void,
    where isMeant: (Int) -> Bool
  ) {
    var index = 0
    while index < count {
      let place = fromBehind ? count &- 1 &- index : index
      index &+= 1
      guard isMeant(place) else { continue }
      var run = 1
      while index < count, isMeant(fromBehind ? place &- run : place &+ run) {
        (run, index) = (run &+ 1, index &+ 1)
      }
      visit(ListChange(kind, at &+ (fromBehind ? place &- run &+ 1 : place), run))
    }
  }
}

/// Moves: all rows but those of a longest rising sequence, each run behind the row that it follows in the new list.
extension ListDifference {
  private func eachMove(_ visit: (ListChange) -> Void) -> Bool {
    let kept = places.kept
    var (index, isRising) = (1, true)
    while index < kept {
      isRising = isRising && places.target[index] > places.target[index &- 1]
      index &+= 1
    }
    guard !isRising else { return true }
    guard var moves = Moves(kept) else { return false }
    defer { moves.free() }
    moves.findStaying(places.target)
    moves.rank(places.origin, added)
    moves.each { visit(ListChange(.move, at &+ $0, $1, to: at &+ $2)) }
    return true
  }

  /// What is known of the rows that are in both lists. They are numbered in the order of the old list; their *rank* is
  /// their number in the order of the new one.
  private struct Moves {
    private let memory: UnsafeMutablePointer<Int32>
    private let count: Int
    /// The row of each rank.
    private let row: UnsafeMutablePointer<Int32>
    /// Whether a row stays: 1 or 0.
    private let stays: UnsafeMutablePointer<Int32>
    /// Of each row, the rank of the first that stays behind it in the old list; `count`: none.
    private let nextRank: UnsafeMutablePointer<Int32>
    /// How many rows stay that have a lower rank.
    private let staying: UnsafeMutablePointer<Int32>
    /// Sums over the rows that are still to be moved, as a binary indexed tree (Fenwick).
    private let waiting: UnsafeMutablePointer<Int32>

    init?(_ count: Int) {
      guard let memory = Memory.allocate(Int32.self, count: 5 &* (count &+ 1)) else { return nil }
      memory.initialize(repeating: 0, count: 5 &* (count &+ 1))
      (self.memory, self.count) = (memory, count)
      row = memory
      stays = row + count + 1
      nextRank = stays + count + 1
      staying = nextRank + count + 1
      waiting = staying + count + 1
    }

    func free() { Memory.free(memory) }

    /// Finds a longest sequence of rows whose targets rise.
    @_optimize(speed)
    mutating func findStaying(_ target: UnsafeMutablePointer<Int32>) {
      // The last row of the best sequence of each length, and the row before each row in its sequence.
      let (tails, before) = (row, nextRank)
      var (length, index) = (0, 0)
      while index < count {
        // Mostly it rises.
        let isBehind = length > 0 && target[Int(tails[length &- 1])] < target[index]
        var (low, high) = isBehind ? (length, length) : (0, length)
        while low < high {
          let middle = (low &+ high) / 2
          if target[Int(tails[middle])] < target[index] { low = middle &+ 1 } else { high = middle }
        }
        before[index] = low > 0 ? tails[low &- 1] : -1
        tails[low] = Int32(truncatingIfNeeded: index)
        length = max(length, low &+ 1)
        index &+= 1
      }
      var next = tails[length &- 1]
      while next >= 0 {
        stays[Int(next)] = 1
        next = before[Int(next)]
      }
    }

    /// Ranks the rows by the order of the new list.
    mutating func rank(_ origin: UnsafeMutablePointer<Int32>, _ added: Int) {
      var (place, rank) = (0, 0)
      while place < added {
        let each = origin[place]
        place &+= 1
        guard each >= 0 else { continue }
        row[rank] = each
        staying[rank &+ 1] = staying[rank] &+ stays[Int(each)]
        // For now, the row's own rank.
        nextRank[Int(each)] = Int32(truncatingIfNeeded: rank)
        rank &+= 1
      }
      var (index, next) = (count, Int32(truncatingIfNeeded: count))
      while index > 0 {
        index &-= 1
        let own = nextRank[index]
        nextRank[index] = next
        if stays[index] != 0 { next = own } else { add(1, at: index) }
      }
    }

    private func add(_ number: Int32, at index: Int) {
      var place = index &+ 1
      while place <= count {
        waiting[place] &+= number
        place &+= place & (0 &- place)
      }
    }

    /// How many rows before a row are still to be moved.
    private func waiting(before row: Int) -> Int {
      var (place, sum) = (row, 0)
      while place > 0 {
        sum &+= Int(waiting[place])
        place &-= place & (0 &- place)
      }
      return sum
    }

    /// Visits each run: where it begins, how long it is, and where it goes, counted without it.
    ///
    /// In the order of ranks, each row that does not stay goes behind the row before it. So all rows of lower ranks are
    /// in their order already, and between them are only rows that wait: before the last one that stays, those that were
    /// before it in the old list.
    func each(_ visit: (Int, Int, Int) -> Void) {
      var (rank, anchor) = (0, 0)
      while rank < count {
        let first = Int(row[rank])
        guard stays[first] == 0 else {
          (anchor, rank) = (first, rank &+ 1)
          continue
        }
        var run = 1
        while rank &+ run < count, Int(row[rank &+ run]) == first &+ run, stays[first &+ run] == 0 {
          run &+= 1
        }
        let from = waiting(before: first) &+ settled(before: first, rank)
        var each = first
        while each < first &+ run {
          add(-1, at: each)
          each &+= 1
        }
        visit(from, run, rank &+ waiting(before: anchor))
        rank &+= run
      }
    }

    /// How many rows before one that waits have lower ranks than the row that moves next, or stay.
    private func settled(before row: Int, _ rank: Int) -> Int {
      let next = Int(nextRank[row])
      return min(next, rank) &+ (next > rank ? Int(staying[next] &- staying[rank]) : 0)
    }
  }
}
