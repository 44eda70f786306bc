// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Numbers by name. The hash is keyed, so that nobody can choose names that collide.
package struct NameTable {
  private struct Numbered: HashTableEntry {
    var name = Bytes("")
    var number: UInt32 = 0

    var isFree: Bool { number == 0 }
    var key: Bytes { name }
    @_optimize(speed)
    static func hash(_ name: Bytes) -> UInt64 { NameTable.hash(name) }
  }

  private var table = HashTable<Numbered>()

  package init() {}

  /// The number stored under a name; 0 if there is none.
  package func find(_ name: Bytes) -> UInt32 { table.find(name)?.pointee.number ?? 0 }

  /// Makes room for one more name, so that the next `insert` cannot fail.
  package mutating func reserve() -> Bool { table.reserve() }

  /// Stores a name that is not there yet, after `reserve`. The bytes must live as long as the table.
  package mutating func insert(_ name: Bytes, _ number: UInt32) {
    table.insert(Numbered(name: name, number: number))
  }

  package mutating func remove(_ name: Bytes) { table.remove(name) }

  package mutating func free() { table.free() }
}

extension NameTable {
  /// SipHash-1-3 (Aumasson and Bernstein), keyed by the process's salt.
  @_optimize(speed)
  package static func hash(_ name: Bytes) -> UInt64 {
    var state = SipState(key: mainstem_p_handle_salt())
    var index = 0
    while index &+ 8 <= name.count {
      state.absorb(name.start.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index &+= 8
    }
    var last = UInt64(truncatingIfNeeded: name.count) << 56
    var shift: UInt64 = 0
    while index < name.count {
      last |= UInt64(name[index]) << shift
      shift &+= 8
      index &+= 1
    }
    state.absorb(last)
    return state.finish()
  }

  private struct SipState {
    private var a: UInt64
    private var b: UInt64
    private var c: UInt64
    private var d: UInt64

    init(key: UInt64) {
      let other = key &* 0x9E37_79B9_7F4A_7C15
      a = key ^ 0x736f_6d65_7073_6575
      b = other ^ 0x646f_7261_6e64_6f6d
      c = key ^ 0x6c79_6765_6e65_7261
      d = other ^ 0x7465_6462_7974_6573
    }

    mutating func absorb(_ word: UInt64) {
      d ^= word
      round()
      a ^= word
    }

    mutating func finish() -> UInt64 {
      c ^= 0xFF
      round()
      round()
      round()
      return a ^ b ^ c ^ d
    }

    private mutating func round() {
      a = a &+ b
      c = c &+ d
      b = (b << 13 | b >> 51) ^ a
      d = (d << 16 | d >> 48) ^ c
      a = a << 32 | a >> 32
      c = c &+ b
      a = a &+ d
      b = (b << 17 | b >> 47) ^ c
      d = (d << 21 | d >> 43) ^ a
      c = c << 32 | c >> 32
    }
  }
}
