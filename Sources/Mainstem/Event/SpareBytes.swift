// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
