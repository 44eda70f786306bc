// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Writes one JSON object of texts, numbers and lists, also of objects: all the JSON that the core writes.
package struct JSONWriter {
  private let memory: UnsafeMutableRawPointer?
  package private(set) var length = 0
  private var isFirst = true

  /// - Parameter memory: Where to write; nil to measure.
  package init(_ memory: UnsafeMutableRawPointer?) { self.memory = memory }

  /// Begins the object, or one in a list.
  package mutating func open() {
    separate()
    add(byte: 0x7B)
    isFirst = true
  }

  package mutating func close() {
    add(byte: 0x7D)
    isFirst = false
  }

  package mutating func member(_ name: StaticString, _ value: Bytes) {
    begin(name)
    add(quoting: value)
  }

  /// Begins a list.
  package mutating func openList(_ name: StaticString) {
    begin(name)
    add(byte: 0x5B)
    isFirst = true
  }

  package mutating func element(_ value: Bytes) {
    separate()
    add(quoting: value)
  }

  package mutating func element(_ value: UInt64) {
    separate()
    add(value)
  }

  package mutating func closeList() {
    add(byte: 0x5D)
    isFirst = false
  }

  package mutating func member(_ name: StaticString, _ value: Int64) {
    begin(name)
    if value < 0 { add(byte: 0x2D) }
    add(value.magnitude)
  }

  package mutating func member(_ name: StaticString, unsigned value: UInt64) {
    begin(name)
    add(value)
  }

  package mutating func member(_ name: StaticString, hex value: Bytes) {
    begin(name)
    add(byte: 0x22)
    var index = 0
    while index < value.count {
      add(hexDigit: value[index] >> 4)
      add(hexDigit: value[index] & 0xF)
      index &+= 1
    }
    add(byte: 0x22)
  }

  private mutating func separate() {
    if !isFirst { add(byte: 0x2C) }
    isFirst = false
  }

  private mutating func begin(_ name: StaticString) {
    separate()
    add(byte: 0x22)
    add(Bytes(name))
    add(byte: 0x22)
    add(byte: 0x3A)
  }

  private mutating func add(_ value: UInt64) {
    var rest = value
    repeat {
      length &+= 1
      rest /= 10
    } while rest > 0
    guard let memory else { return }
    rest = value
    var place = length
    repeat {
      place &-= 1
      let digit = UInt8(truncatingIfNeeded: 0x30 &+ rest % 10)
      memory.storeBytes(of: digit, toByteOffset: place, as: UInt8.self)
      rest /= 10
    } while rest > 0
  }

  private mutating func add(quoting value: Bytes) {
    add(byte: 0x22)
    var index = 0
    while index < value.count {
      let scalar = value.lengthOfScalar(at: index)
      if scalar > 1, let escape = value.escape(at: index, scalar) {
        escape.write { add(byte: $0) }
        index &+= scalar
      } else {
        add(escaping: value[index])
        index &+= 1
      }
    }
    add(byte: 0x22)
  }

  private mutating func add(escaping byte: UInt8) {
    let isControl = byte < 0x20 || byte == 0x7F
    guard isControl || byte == 0x22 || byte == 0x5C else { return add(byte: byte) }
    add(byte: 0x5C)
    guard isControl else { return add(byte: byte) }
    add(Bytes("u00"))
    add(hexDigit: byte >> 4)
    add(hexDigit: byte & 0xF)
  }

  private mutating func add(hexDigit: UInt8) {
    add(byte: hexDigit < 10 ? 0x30 &+ hexDigit : 0x57 &+ hexDigit)
  }

  private mutating func add(_ bytes: Bytes) {
    var index = 0
    while index < bytes.count {
      add(byte: bytes[index])
      index &+= 1
    }
  }

  private mutating func add(byte: UInt8) {
    memory?.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
    length &+= 1
  }
}
