// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Memory whose failure is a status. Whatever grows with events, observers and payloads is allocated here: a failed
/// allocation by Swift itself would end the process.
package enum Memory {
  /// Room for `count` values, not initialized.
  package static func allocate<Element: ~Copyable>(
    _: Element.Type, count: Int = 1
  ) -> UnsafeMutablePointer<Element>? {
    let (size, overflow) = MemoryLayout<Element>.stride.multipliedReportingOverflow(by: count)
    guard !overflow, let raw = mainstem_p_allocate(size) else { return nil }
    return raw.bindMemory(to: Element.self, capacity: count)
  }

  /// Like `allocate`, at the start of a cache line.
  package static func allocateAligned<Element: ~Copyable>(
    _: Element.Type, count: Int = 1
  ) -> UnsafeMutablePointer<Element>? {
    let (size, overflow) = MemoryLayout<Element>.stride.multipliedReportingOverflow(by: count)
    guard !overflow, let raw = mainstem_p_allocate_aligned(size) else { return nil }
    return raw.bindMemory(to: Element.self, capacity: count)
  }

  /// Copies bytes; those of a secret are not left in a register.
  @inline(__always)
  package static func copy(
    _ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, isSecret: Bool
  ) {
    if isSecret {
      mainstem_p_copy_secret(target, source, count)
    } else {
      target.copyMemory(from: source, byteCount: count)
    }
  }

  package static func free(_ memory: UnsafeMutableRawPointer?) {
    mainstem_p_free(memory)
  }
}

/// Pointers in order, in memory of its own.
struct PointerArray<Target: ~Copyable> {
  typealias Pointer = UnsafeMutablePointer<Target>

  private var places: UnsafeMutablePointer<Pointer>?
  private(set) var count = 0
  private var capacity = 0

  /// The pointer at an index, which must be below `count`.
  subscript(index: Int) -> Pointer { places.unsafelyUnwrapped[index] }

  /// Makes room for one more; false without memory.
  mutating func reserve() -> Bool {
    guard count == capacity else { return true }
    let wider = max(capacity &* 2, 2)
    guard let fresh = Memory.allocate(Pointer.self, count: wider) else { return false }
    if let places { copy(count, from: places, to: fresh) }
    Memory.free(places)
    places = fresh
    capacity = wider
    return true
  }

  /// Inserts one, after `reserve`.
  mutating func insert(_ pointer: Pointer, at index: Int) {
    guard let places else { return }
    copy(count &- index, from: places + index, to: places + index + 1)
    places[index] = pointer
    count &+= 1
  }

  mutating func remove(at index: Int) {
    guard let places else { return }
    count &-= 1
    copy(count &- index, from: places + index + 1, to: places + index)
  }

  func free() { Memory.free(places) }

  /// The first index from which on pointers do not come before something.
  func first(_ isBefore: (Pointer) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) / 2
      if isBefore(self[middle]) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  @inline(never)
  private func copy(
    _ count: Int, from source: UnsafeMutablePointer<Pointer>,
    to target: UnsafeMutablePointer<Pointer>
  ) {
    UnsafeMutableRawPointer(target).copyMemory(
      from: source, byteCount: count &* MemoryLayout<Pointer>.stride)
  }
}
