// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A lock that sanitizers understand; never held during calls into other code.
///
/// Sendable because its one field never changes, and the mutex behind it is made for several threads.
final class Lock: @unchecked Sendable {
  // A mutex must not move in memory, so it is allocated separately.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}

/// A value behind a lock. Sendable because the lock guards it.
final class Locked<Value>: @unchecked Sendable {
  private let lock = Lock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func locked<Result>(_ body: (inout Value) -> Result) -> Result { lock.locked { body(&value) } }
}

/// Keeps one tool for whoever needs it next. Who finds it taken, by another thread or by a caller
/// further out, makes one.
///
/// Sendable because only the one who has taken the tool touches it.
final class Shelf<Tool: AnyObject>: @unchecked Sendable {
  private let make: @Sendable () -> Tool
  private let isTaken = Atomic(false)
  @exclusivity(unchecked) private var tool: Tool

  init(_ make: @escaping @Sendable () -> Tool) {
    self.make = make
    tool = make()
  }

  /// Runs `body` with a tool that nobody else uses meanwhile.
  @inline(__always)
  func lend<Result>(_ body: (Tool) throws -> Result) rethrows -> Result {
    if isTaken.exchange(true, ordering: .acquiring) { return try body(make()) }
    defer {
      // If what was made with it still refers to it, nobody else may get it.
      if !isKnownUniquelyReferenced(&tool) { tool = make() }
      isTaken.store(false, ordering: .releasing)
    }
    return try body(tool)
  }
}

/// Makes arrays of bytes in the memory of earlier ones, if nobody has kept those.
final class SpareBytes {
  // By size, because the payloads of a type often have the same.
  @exclusivity(unchecked) private var arrays = InlineArray<8, [UInt8]>(repeating: [])

  /// Copies bytes into an array.
  func copy(of source: UnsafeRawBufferPointer) -> [UInt8] {
    if source.count > 1 << 16 { return Array(source) }
    let place = source.count & 7
    // An array that is kept elsewhere is left there, and this one gets memory of its own.
    if arrays[place].count == source.count {
      arrays[place].withUnsafeMutableBytes { $0.copyMemory(from: source) }
    } else {
      arrays[place].removeAll(keepingCapacity: true)
      arrays[place].append(contentsOf: source)
    }
    return arrays[place]
  }
}
