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
