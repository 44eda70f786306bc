// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Which rows of a binding have changed since the host was told, in the order in which they first did. Under the
/// stream's lock.
struct ChangeSet {
  var function: mainstem_changes_fn?
  var userData: UnsafeMutableRawPointer?
  /// What is gathered, and what is being told; made when the host first asks to be told.
  private var gathered: Names?
  private var told: Names?
  private(set) var count = 0

  typealias Names = UnsafeMutablePointer<UnsafePointer<CChar>?>

  /// Makes room for the names of so many rows; false without memory.
  mutating func reserve(_ rows: Int) -> Bool {
    if gathered == nil { gathered = Memory.allocate(UnsafePointer<CChar>?.self, count: rows) }
    if told == nil { told = Memory.allocate(UnsafePointer<CChar>?.self, count: rows) }
    return gathered != nil && told != nil
  }

  mutating func append(_ name: Name) {
    gathered?[count] = UnsafePointer(name.text)
    count &+= 1
  }

  /// Takes what was gathered; the names stay until the next time.
  mutating func take() -> (names: Names?, count: Int) {
    (gathered, told) = (told, gathered)
    defer { count = 0 }
    return (told, count)
  }

  mutating func free() {
    Memory.free(gathered)
    Memory.free(told)
  }
}
