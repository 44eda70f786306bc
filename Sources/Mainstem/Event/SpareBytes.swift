// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// Makes arrays of bytes in the memory of the last one, if nobody has kept that.
final class SpareBytes {
  @exclusivity(unchecked) private var bytes: [UInt8] = []

  /// Copies bytes into an array.
  func copy(of source: UnsafeRawBufferPointer) -> [UInt8] {
    if source.count > 1 << 16 { return Array(source) }
    // An array that is kept elsewhere is left there, and this one gets memory of its own.
    if bytes.count == source.count {
      bytes.withUnsafeMutableBytes { $0.copyMemory(from: source) }
      return bytes
    }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: source)
    return bytes
  }
}
