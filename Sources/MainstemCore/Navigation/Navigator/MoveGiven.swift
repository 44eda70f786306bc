// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a move was asked for with: the payload of a `MainstemMove`.
package struct MoveGiven {
  let verb: MoveVerb
  let component: UInt64
  let how: ComponentKind?
  /// Whether it is a link that all flows are told of.
  let isForAll: Bool
  private(set) var url: Name?
  private(set) var slot: Name?

  init(_ event: UnsafePointer<mainstem_event>) throws(Refusal) {
    let text = Bytes(event.pointee.data, Int(event.pointee.size))
    guard case .text(let verb) = JSONMembers.value(of: "verb", in: text),
      let known = MoveVerb(name: verb)
    else { throw Refusal(.invalid, "verb", "is missing, or unknown") }
    self.verb = known
    if case .number(let number) = JSONMembers.value(of: "component", in: text) {
      component = number
    } else {
      component = 0
    }
    if case .text(let kind) = JSONMembers.value(of: "how", in: text) {
      guard let known = ComponentKind(name: kind) else {
        throw Refusal(.invalid, "how", "is no kind")
      }
      how = known
    } else {
      how = nil
    }
    if case .number(let all) = JSONMembers.value(of: "all", in: text) {
      isForAll = all != 0 && known == .link
    } else {
      isForAll = false
    }
    url = try MoveGiven.text("url", in: text)
    do throws(Refusal) {
      slot = try MoveGiven.text("slot", in: text)
      guard url != nil || !known.opens else { throw .null("url") }
    } catch {
      free()
      throw error
    }
  }

  mutating func free() {
    url?.free()
    slot?.free()
    (url, slot) = (nil, nil)
  }

  /// A member's text, copied; nil: there is none.
  @inline(never)
  private static func text(_ name: StaticString, in text: Bytes) throws(Refusal) -> Name? {
    guard case .text(let escaped) = JSONMembers.value(of: name, in: text) else { return nil }
    guard let room = Memory.allocate(UInt8.self, count: escaped.count &+ 1) else {
      throw .noMemory
    }
    defer { Memory.free(room) }
    guard let length = escaped.unescape(to: room),
      case let bytes = Bytes(UnsafeRawPointer(room), length), bytes.index(of: 0) == length
    else { throw Refusal(.invalid, "payload", "has a text that cannot be read") }
    guard let name = Name(copying: bytes) else { throw .noMemory }
    return name
  }

  /// Writes the payload of a move.
  package static func write(
    _ verb: UInt32, url: Bytes?, component: UInt64, slot: Bytes?, how: UInt32,
    isForAll: Bool = false, to writer: inout JSONWriter
  ) {
    writer.open()
    writer.member("verb", Bytes(MoveVerb(rawValue: verb)?.name ?? ""))
    if let url { writer.member("url", url) }
    if component != 0 { writer.member("component", unsigned: component) }
    if let slot { writer.member("slot", slot) }
    if let kind = ComponentKind(rawValue: how) { writer.member("how", Bytes(kind.name)) }
    if isForAll { writer.member("all", unsigned: 1) }
    writer.close()
  }
}
