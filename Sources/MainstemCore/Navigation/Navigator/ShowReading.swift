// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// Reading what the navigator has written.
extension mainstem_component_info {
  /// Reads the component in a payload.
  ///
  /// - Parameters:
  ///   - text: Where its texts go, each with a zero.
  ///   - capacity: Of `text`.
  package init(
    _ payload: Bytes, _ text: UnsafeMutablePointer<CChar>?, _ capacity: Int
  ) throws(Refusal) {
    self.init()
    var texts = TextsOfShow(text, capacity)
    var members = JSONMembers(payload)
    var isThere = false
    while let member = members.next() {
      switch (member.name, member.value) {
      case (Bytes("component"), .number(let number)):
        component = number
        isThere = true
      case (Bytes("parent"), .number(let number)): parent = number
      case (Bytes("owner"), .number(let number)): owner = number
      case (Bytes("hidden"), .number(let number)): hidden = number
      case (Bytes("kind"), .text(let word)): kind = ComponentKind(name: word)?.rawValue ?? 0
      case (Bytes("name"), .text(let escaped)): name = try texts.add(escaped)
      case (Bytes("url"), .text(let escaped)): url = try texts.add(escaped)
      case (Bytes("route"), .text(let escaped)): route = try texts.add(escaped)
      case (Bytes("slot"), .text(let escaped)): slot = try texts.add(escaped)
      default: break
      }
    }
    guard members.isWhole else { throw .notOfNavigator }
    guard isThere else { throw Refusal(.unset, "event", "only closes: it shows nothing") }
    guard ComponentKind(rawValue: kind) != nil, name != nil, url != nil, route != nil, slot != nil
    else { throw .notOfNavigator }
  }
}

/// Texts, one behind the other, in a buffer of the host's.
private struct TextsOfShow {
  private let memory: UnsafeMutablePointer<CChar>?
  private let capacity: Int
  private var length = 0

  init(_ memory: UnsafeMutablePointer<CChar>?, _ capacity: Int) {
    self.memory = memory
    self.capacity = capacity
  }

  mutating func add(_ escaped: Bytes) throws(Refusal) -> UnsafePointer<CChar> {
    guard let memory, length &+ escaped.count < capacity else {
      throw Refusal(.tooBig, "capacity", "is too small for the texts: pass a larger buffer")
    }
    let start = memory + length
    guard let written = escaped.unescape(to: UnsafeMutableRawPointer(start)) else {
      throw .notOfNavigator
    }
    length &+= written &+ 1
    return UnsafePointer(start)
  }
}

extension Refusal {
  package static var notOfNavigator: Refusal {
    Refusal(.invalid, "event", "is none that the navigator has sent")
  }
}

/// The numbers that a payload closes.
package struct ClosedNumbers {
  private var numbers: JSONNumbers

  package init(_ payload: Bytes) throws(Refusal) {
    guard case .list(let list) = JSONMembers.value(of: "closed", in: payload) else {
      throw .notOfNavigator
    }
    numbers = JSONNumbers(list)
  }

  package mutating func next() -> UInt64? { numbers.next() }
}
