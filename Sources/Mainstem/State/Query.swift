// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Which rows, in which order, and which part of them: a value that can be a field of an event.
///
///     let query = try Query(
///       "not done and lower(title) contains $text", values: ["text": "milk"],
///       sort: ["-priority", "title"], limit: 50)
///     let found = try query.select(todos)
///
/// docs/queries.md has the language. Fields have the names that they have in JSON.
public struct Query: Sendable {
  /// A value that a condition names: `$text`.
  public enum Value: Hashable, Sendable {
    /// A text.
    case text(String)
    /// A whole number.
    case integer(Int64)
    /// A number.
    case number(Double)
    /// True or false.
    case bool(Bool)
    /// What a missing field is, too.
    case null
  }

  /// Which rows; `nil`: all.
  public let condition: String?
  /// The values that the condition names.
  public let values: [String: Value]
  /// What the rows are sorted by: fields, or `lower(field)`, with `-` in front for descending.
  public let sort: [String]
  /// How many of the matching rows come before the first one that is selected.
  public let offset: Int
  /// How many rows are selected at most; `nil`: all.
  public let limit: Int?

  private let made: MadeQuery

  /// Makes a query.
  ///
  /// - Parameters:
  ///   - condition: Which rows; `nil`: all.
  ///   - values: The values that the condition names.
  ///   - sort: What the rows are sorted by. Rows that are equal stay in their order.
  ///   - offset: How many of the matching rows to leave out first.
  ///   - limit: How many rows to select at most.
  /// - Throws: ``Status/invalid`` if it is malformed; the message says where.
  public init(
    _ condition: String? = nil, values: [String: Value] = [:], sort: [String] = [],
    offset: Int = 0, limit: Int? = nil
  ) throws(StreamError) {
    (self.condition, self.values, self.sort) = (condition, values, sort)
    (self.offset, self.limit) = (offset, limit)
    made = try MadeQuery(
      Members(
        condition: condition, values: values.isEmpty ? nil : values,
        sort: sort.isEmpty ? nil : sort, offset: offset == 0 ? nil : offset, limit: limit))
  }

  /// Selects from rows, which are encoded as JSON objects.
  ///
  /// - Parameter rows: The rows.
  /// - Returns: Those in the window of the query, in order.
  /// - Throws: ``Status/invalid`` if a row is no object, or a field that is compared is an object or an array.
  public func select<Row: Encodable>(
    _ rows: some Sequence<Row>
  ) throws(StreamError) -> Selection<Row> {
    let rows = Array(rows)
    let coder = JSONCoder()
    var given = GivenRows()
    for (index, row) in rows.enumerated() {
      do {
        try coder.encode(row).withUnsafeBytes { given.add($0) }
      } catch {
        throw StreamError(
          .invalid, "Query: row \(index): \(CodingProblem(error)?.message ?? "\(error)")")
      }
      given.add(key: "\(index)")
    }
    var indexes = [Int](repeating: 0, count: rows.count)
    var window = mainstem_list_window()
    let status = given.withRows { given in
      mainstem_query_select(
        made.handle, given.baseAddress, MemoryLayout<mainstem_list_row>.stride, given.count,
        &indexes, &window)
    }
    try StreamError.check(status)
    return Selection(
      rows: indexes[..<window.count].map { rows[$0] }, offset: window.offset, total: window.total)
  }

  /// Writes the query for SQLite: the text from WHERE on.
  ///
  /// With columns that are named as the fields and have no type, it selects the same rows.
  public func sql() throws(StreamError) -> String {
    var length = 0
    _ = mainstem_query_sql(made.handle, nil, 0, &length)
    var text = [CChar](repeating: 0, count: length + 1)
    try StreamError.check(mainstem_query_sql(made.handle, &text, text.count, nil))
    return String(decoding: text[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension Query: Hashable {
  /// Whether all members are the same.
  public static func == (one: Query, other: Query) -> Bool { one.members == other.members }

  /// Hashes the members.
  public func hash(into hasher: inout Hasher) { hasher.combine(members) }

  private var members: Members {
    Members(condition: condition, values: values, sort: sort, offset: offset, limit: limit)
  }
}

extension Query: Codable {
  fileprivate struct Members: Codable, Hashable {
    var condition: String?
    var values: [String: Value]?
    var sort: [String]?
    var offset: Int?
    var limit: Int?

    enum CodingKeys: String, CodingKey {
      case condition = "where"
      case values, sort, offset, limit
    }
  }

  /// Decodes a query, and checks it.
  public init(from decoder: any Decoder) throws {
    let members = try Members(from: decoder)
    try self.init(
      members.condition, values: members.values ?? [:], sort: members.sort ?? [],
      offset: members.offset ?? 0, limit: members.limit)
  }

  /// Encodes the members that say something.
  public func encode(to encoder: any Encoder) throws {
    try Members(
      condition: condition, values: values.isEmpty ? nil : values, sort: sort.isEmpty ? nil : sort,
      offset: offset == 0 ? nil : offset, limit: limit
    ).encode(to: encoder)
  }
}

extension Query: CustomStringConvertible {
  /// The query as JSON.
  public var description: String {
    (try? JSONCoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "Query"
  }
}

extension Query.Value: Codable {
  /// Decodes a text, a number, a bool or null.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try value.decode(String.self))
    }
  }

  /// Encodes it as it is in JSON.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .text(let text): try value.encode(text)
    case .integer(let integer): try value.encode(integer)
    case .number(let number): try value.encode(number)
    case .bool(let bool): try value.encode(bool)
    case .null: try value.encodeNil()
    }
  }
}

extension Query.Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
  /// Makes a text.
  public init(stringLiteral value: String) { self = .text(value) }
  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// Makes true or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// Makes null.
  public init(nilLiteral: ()) { self = .null }
}

/// A query of C's. It never changes, so any thread may use it.
private final class MadeQuery: Sendable {
  private let bits: UInt

  var handle: OpaquePointer? { OpaquePointer(bitPattern: bits) }

  init(_ members: Query.Members) throws(StreamError) {
    let json: [UInt8]
    do {
      json = try JSONCoder().encode(members)
    } catch {
      throw StreamError(.invalid, "Query: \(CodingProblem(error)?.message ?? "\(error)")")
    }
    var handle: OpaquePointer?
    let status = json.withUnsafeBytes {
      mainstem_query_make($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, &handle)
    }
    try StreamError.check(status)
    bits = UInt(bitPattern: handle)
  }

  deinit { mainstem_query_release(handle) }
}
