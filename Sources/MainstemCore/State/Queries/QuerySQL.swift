// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Writes a query in the language of SQLite, so that it selects the same rows.
///
/// There a comparison with null is null, and `not null` is null: what is negated is false if it is null.
struct QuerySQL {
  private let query: QueryParts
  private let memory: UnsafeMutableRawPointer?
  private var length = 0

  /// Writes, or measures.
  ///
  /// - Returns: The length.
  static func write(_ query: QueryParts, to memory: UnsafeMutablePointer<CChar>?) -> Int {
    var writer = QuerySQL(query: query, memory: memory)
    writer.addCondition()
    writer.addSorts()
    writer.addWindow()
    return writer.length
  }

  private init(query: QueryParts, memory: UnsafeMutablePointer<CChar>?) {
    (self.query, self.memory) = (query, UnsafeMutableRawPointer(memory))
  }

  private mutating func addCondition() {
    var index = 0
    while index < query.steps.count {
      add(index == 0 ? "WHERE " : "")
      add(query.steps[index])
      index &+= 1
    }
  }

  private mutating func addSorts() {
    var index = 0
    while index < query.sorts.count {
      if index > 0 { add(", ") } else { add(length > 0 ? " ORDER BY " : "ORDER BY ") }
      add(query.sorts[index].operand)
      if query.sorts[index].isDescending { add(" DESC") }
      index &+= 1
    }
  }

  private mutating func addWindow() {
    guard query.offset > 0 || query.limit < .max else { return }
    add(length > 0 ? " LIMIT " : "LIMIT ")
    if query.limit < .max { add(Int64(query.limit)) } else { add("-1") }
    guard query.offset > 0 else { return }
    add(" OFFSET ")
    add(Int64(query.offset))
  }
}

// MARK: Conditions

extension QuerySQL {
  private mutating func add(_ step: QueryStep) {
    switch step.kind {
    case .open: add("(")
    case .close: add(")")
    case .and: add(" AND ")
    case .or: add(" OR ")
    case .equal:
      add(step.left)
      add(step.isNegated ? " IS NOT " : " IS ")
      add(step.right)
    default:
      if step.isNegated { add("NOT coalesce(") }
      addTest(step)
      if step.isNegated { add(", 0)") }
    }
  }

  private mutating func addTest(_ step: QueryStep) {
    switch step.kind {
    case .less, .lessOrEqual:
      add(step.left)
      add(step.kind == .less ? " < " : " <= ")
      add(step.right)
    case .contains: addSearch(step, " > 0)")
    case .begins: addSearch(step, " = 1)")
    case .among: addAmong(step)
    default:
      guard step.left.kind == .field else {
        return add(query.constants[step.left.index].isTrue ? "1" : "0")
      }
      add("(typeof(")
      add(step.left)
      add(") <> 'text' AND ")
      add(step.left)
      add(" <> 0)")
    }
  }

  private mutating func addSearch(_ step: QueryStep, _ end: Phrase) {
    guard mayBeText(step.left), mayBeText(step.right) else { return add("0") }
    add("(")
    addIsText(step.left)
    addIsText(step.right)
    add("instr(")
    addText(step.left)
    add(", ")
    addText(step.right)
    add(")")
    add(end)
  }

  private func mayBeText(_ operand: QueryOperand) -> Bool {
    operand.kind != .constant || query.constants[operand.index].isText
  }

  private mutating func addIsText(_ operand: QueryOperand) {
    guard operand.kind != .constant else { return }
    add("typeof(")
    add(field: operand.index)
    add(") = 'text' AND ")
  }

  /// Adds an operand that is a text.
  private mutating func addText(_ operand: QueryOperand) {
    guard operand.kind == .lowered else { return add(operand) }
    add("lower(")
    add(field: operand.index)
    add(")")
  }

  private mutating func addAmong(_ step: QueryStep) {
    var index = step.right.index
    var hasNull = false
    while index < step.target {
      hasNull = hasNull || query.constants[index].isNull
      index &+= 1
    }
    if hasNull {
      add("(")
      add(step.left)
      add(" IS ")
      add(QueryValue.null)
      add(" OR ")
    }
    add(step.left)
    add(" IN (")
    index = step.right.index
    while index < step.target {
      if index > step.right.index { add(", ") }
      add(query.constants[index])
      index &+= 1
    }
    add(hasNull ? "))" : ")")
  }
}

// MARK: Operands

extension QuerySQL {
  private mutating func add(_ operand: QueryOperand) {
    switch operand.kind {
    case .constant: add(query.constants[operand.index])
    case .field: add(field: operand.index)
    case .lowered:
      // lower() makes a text of a number.
      add("CASE typeof(")
      add(field: operand.index)
      add(") WHEN 'text' THEN lower(")
      add(field: operand.index)
      add(") ELSE ")
      add(field: operand.index)
      add(" END")
    }
  }

  /// Adds the name of a column: in the quotes that never make it a text where there is no such column.
  private mutating func add(field: Int) {
    add("`")
    addPath(field)
    add("`")
  }

  /// Of at most 64 names.
  private mutating func addPath(_ field: Int) {
    let parent = query.fields[field].parent
    if parent > 0 {
      addPath(parent)
      add(".")
    }
    add(query.fields[field].name, doubling: 0x60)
  }

  private mutating func add(_ value: QueryValue) {
    switch value {
    case .null: add("null")
    case .integer(let number): add(number)
    case .double(let number):
      withUnsafeTemporaryAllocation(
        byteCount: Int(MAINSTEM_P_NUMBER_CAPACITY), alignment: 1
      ) { buffer in
        let text = buffer.baseAddress!
        let count = mainstem_p_write_number(text.assumingMemoryBound(to: CChar.self), number)
        add(Bytes(text, count), doubling: 0)
      }
    case .text(let text): add(text)
    }
  }

  /// Adds a text; one with a zero, which SQL cannot have in it, as bytes.
  private mutating func add(_ text: Bytes) {
    guard text.index(of: 0) < text.count else {
      add("'")
      add(text, doubling: 0x27)
      return add("'")
    }
    // The sign takes the type from it, to which SQLite would convert what it is compared with.
    add("+CAST(x'")
    var index = 0
    while index < text.count {
      add(digit: text[index] >> 4)
      add(digit: text[index] & 0xF)
      index &+= 1
    }
    add("' AS TEXT)")
  }

  private mutating func add(_ number: Int64) {
    if number < 0 { add("-") }
    var divisor: UInt64 = 1
    while number.magnitude / divisor >= 10 { divisor &*= 10 }
    while divisor > 0 {
      add(byte: UInt8(truncatingIfNeeded: 0x30 &+ number.magnitude / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func add(_ text: Bytes, doubling quote: UInt8) {
    var index = 0
    while index < text.count {
      if text[index] == quote { add(byte: quote) }
      add(byte: text[index])
      index &+= 1
    }
  }

  private mutating func add(digit: UInt8) {
    add(byte: digit < 10 ? 0x30 &+ digit : 0x37 &+ digit)
  }

  @inline(never)
  private mutating func add(_ text: Phrase) { add(text.bytes, doubling: 0) }

  private mutating func add(byte: UInt8) {
    memory?.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
    length &+= 1
  }
}
