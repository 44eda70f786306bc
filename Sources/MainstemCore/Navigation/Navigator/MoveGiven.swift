// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a move was asked for with: the payload of a `MainstemMove`.
package struct MoveGiven {
  private(set) var verb = MoveVerb.open
  private var isKnown = false
  private(set) var component: UInt64 = 0
  private(set) var how: ComponentKind?
  /// Whether it is a link that all flows are told of.
  private(set) var isForAll = false
  /// How often guards have sent the move elsewhere that this one is asked for first.
  private(set) var hops = 0
  private(set) var url: Name?
  private(set) var slot: Name?

  init(_ event: UnsafePointer<mainstem_event>) throws(Refusal) {
    var members = JSONMembers(Bytes(event.pointee.data, Int(event.pointee.size)))
    do throws(Refusal) {
      while let member = members.next() { try take(member) }
      guard members.isWhole, isKnown else {
        throw Refusal(.invalid, "verb", "is missing, or unknown")
      }
      guard url != nil || !verb.opens else { throw .null("url") }
    } catch {
      free()
      throw error
    }
    isForAll = isForAll && verb == .link
  }

  private mutating func take(_ member: JSONMembers.Member) throws(Refusal) {
    switch (member.name, member.value) {
    case (Bytes("verb"), .text(let word)):
      isKnown = MoveVerb(name: word).map { verb = $0 } != nil
    case (Bytes("component"), .number(let number)): component = number
    case (Bytes("how"), .text(let word)):
      guard let kind = ComponentKind(name: word) else {
        throw Refusal(.invalid, "how", "is no kind")
      }
      how = kind
    case (Bytes("all"), .number(let number)): isForAll = number != 0
    case (Bytes("hops"), .number(let number)): hops = Int(min(number, UInt64(Move.mostHops)))
    case (Bytes("url"), .text(let escaped)): try MoveGiven.copy(escaped, to: &url)
    case (Bytes("slot"), .text(let escaped)): try MoveGiven.copy(escaped, to: &slot)
    default: break
    }
  }

  mutating func free() {
    url?.free()
    slot?.free()
    (url, slot) = (nil, nil)
  }

  /// Copies a member's text.
  @inline(never)
  private static func copy(_ escaped: Bytes, to name: inout Name?) throws(Refusal) {
    guard let room = Memory.allocate(UInt8.self, count: escaped.count &+ 1) else {
      throw .noMemory
    }
    defer { Memory.free(room) }
    guard let length = escaped.unescape(to: room),
      case let bytes = Bytes(UnsafeRawPointer(room), length), bytes.index(of: 0) == length
    else { throw Refusal(.invalid, "payload", "has a text that cannot be read") }
    guard let copy = Name(copying: bytes) else { throw .noMemory }
    name?.free()
    name = copy
  }

  /// Writes the payload of a move.
  package static func write(
    _ verb: UInt32, url: Bytes?, component: UInt64, slot: Bytes?, how: UInt32,
    isForAll: Bool = false, hops: Int = 0, to writer: inout JSONWriter
  ) {
    writer.open()
    writer.member("verb", Bytes(MoveVerb(rawValue: verb)?.name ?? ""))
    if let url { writer.member("url", url) }
    if component != 0 { writer.member("component", unsigned: component) }
    if let slot { writer.member("slot", slot) }
    if let kind = ComponentKind(rawValue: how) { writer.member("how", Bytes(kind.name)) }
    if isForAll { writer.member("all", unsigned: 1) }
    if hops > 0 { writer.member("hops", unsigned: UInt64(hops)) }
    writer.close()
  }
}
