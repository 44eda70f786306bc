// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// A query, which never changes once it is made. It belongs to no stream.
package struct Query: ~Copyable {
  private let parts: QueryParts
  /// Its handle, and the calls that use it.
  private let users = Atomic<Int>(1)

  private typealias Pointer = UnsafeMutablePointer<Query>

  private init(_ parts: QueryParts) { self.parts = parts }
}

extension Query {
  /// Makes a query of JSON.
  package static func make(_ json: Bytes) throws(Refusal) -> Handle {
    let parts = try QueryMaker.make(json)
    guard let query = Memory.allocate(Query.self) else {
      parts.free()
      throw .noMemory
    }
    query.initialize(to: Query(parts))
    do throws(Refusal) {
      return try LooseHandle.make(.query, query)
    } catch {
      release(query)
      throw error
    }
  }

  /// Selects rows: writes the indexes of those in the window.
  ///
  /// - Parameter indexes: Room for as many as there may be in the window; nil: they are only counted.
  package static func select<Rows: GivenRows>(
    _ handle: Handle, _ rows: Rows, _ count: Int, _ indexes: UnsafeMutablePointer<Int>?
  ) throws(Refusal) -> ListWindow {
    let query = try take(handle)
    defer { release(query) }
    return try QuerySelection.select(query.pointee.parts, rows, count, indexes)
  }

  /// Writes the query in the language of SQLite, and a zero, if there is room.
  ///
  /// - Returns: The length, without the zero.
  package static func writeSQL(
    _ handle: Handle, _ sql: UnsafeMutablePointer<CChar>?, _ capacity: Int
  ) throws(Refusal) -> Int {
    let query = try take(handle)
    defer { release(query) }
    let length = QuerySQL.write(query.pointee.parts, to: nil)
    if let sql, length < capacity {
      _ = QuerySQL.write(query.pointee.parts, to: sql)
      sql[length] = 0
    }
    return length
  }

  /// Ends a handle. The query is freed when no call uses it.
  package static func close(_ handle: Handle) throws(Refusal) {
    let object = try LooseHandle.end { () throws(Refusal) in
      try LooseHandle.find(handle, .query, "query")
    }
    if let object { release(object.assumingMemoryBound(to: Query.self)) }
  }

  private static func take(_ handle: Handle) throws(Refusal) -> Pointer {
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    let slot = try LooseHandle.find(handle, .query, "query")
    guard let query = slot.pointee.object?.assumingMemoryBound(to: Query.self) else {
      throw .ended
    }
    query.pointee.users.wrappingAdd(1, ordering: .relaxed)
    return query
  }

  private static func release(_ query: Pointer) {
    guard query.pointee.users.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
    else { return }
    query.pointee.parts.free()
    query.deinitialize(count: 1)
    Memory.free(query)
  }
}

/// What a query consists of.
struct QueryParts {
  var texts = TextArena()
  /// The fields that are read, as a tree: the first one is the row itself.
  var fields = Growing<QueryField>()
  /// The condition, in the order of its text.
  var steps = Growing<QueryStep>()
  var constants = Growing<QueryValue>()
  var sorts = Growing<QuerySort>()
  var offset = 0
  var limit = Int.max

  func free() {
    var texts = texts
    texts.free()
    fields.free()
    steps.free()
    constants.free()
    sorts.free()
  }
}

/// A name in the path of a field. Numbers of fields are indexes; 0: there is none.
struct QueryField {
  let name: Bytes
  let parent: Int
  var child = 0
  let next: Int
  /// Whether its value is compared, and whether it is in lower case.
  var isRead = false
  var isLowered = false
}

struct QueryOperand {
  enum Kind: UInt8 { case field, lowered, constant }
  let kind: Kind
  /// The field or the constant.
  let index: Int
}

struct QueryStep {
  enum Kind: UInt8 {
    /// Brackets: for SQL only.
    case open, close
    /// If what is before is false, or true, what follows up to `target` does not matter.
    case and, or
    case equal, less, lessOrEqual, contains, begins
    /// Whether the left operand is one of the constants from that of the right operand up to `target`.
    case among
    /// Whether the left operand is a number other than 0.
    case isTrue
  }
  let kind: Kind
  var isNegated = false
  var left = QueryOperand(kind: .constant, index: 0)
  var right = QueryOperand(kind: .constant, index: 0)
  var target = 0
}

struct QuerySort {
  let operand: QueryOperand
  let isDescending: Bool
}
