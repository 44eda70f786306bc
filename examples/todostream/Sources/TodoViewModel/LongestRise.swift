// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The longest increasing subsequence of numbers.
///
/// - Complexity: O(n log n).
func longestRise(of numbers: [Int]) -> [Int] {
  var tails: [Int] = []
  var before = [Int?](repeating: nil, count: numbers.count)
  for (index, number) in numbers.enumerated() {
    let length = firstIndex(in: tails) { numbers[$0] >= number }
    before[index] = length > 0 ? tails[length - 1] : nil
    if length == tails.count { tails.append(index) } else { tails[length] = index }
  }

  var rise: [Int] = []
  var next = tails.last
  while let index = next {
    rise.append(numbers[index])
    next = before[index]
  }
  return rise.reversed()
}

/// The first index for which a condition holds that also holds for all later ones.
private func firstIndex(in row: [Int], where holds: (Int) -> Bool) -> Int {
  var low = 0
  var high = row.count
  while low < high {
    let middle = (low + high) / 2
    if holds(row[middle]) { high = middle } else { low = middle + 1 }
  }
  return low
}
