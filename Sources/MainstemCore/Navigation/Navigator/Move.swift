// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A move on its way: from its request to its answer.
struct Move {
  let navigator: Navigator
  let verb: MoveVerb
  /// Of its request.
  let position: UInt64
  /// The number of the component that asks; 0: none does.
  let asker: UInt64
  /// The number of what is closed, popped to or replaced; of an open, of what to stand on instead of the asker; 0: none.
  var target: UInt64
  /// The kind that the route must have; nil: any.
  let how: ComponentKind?
  let slot: Name?
  /// Whether it is a link that all flows are told of.
  let isForAll: Bool
  /// Whether it opens what a guard wants first: then others may share it.
  let isForGuard: Bool
  /// What is opened.
  var url: Name?
  var destination: Destination.Pointer?
  /// The request, retained until it is answered.
  var request = Handle.none
  var step = Step.begun
  /// The guard that is asked next.
  var guardian: RouteGuard.Pointer?
  /// How often guards have sent it elsewhere; of one that a guard wants first, as often as the move behind it.
  var hops: Int
  /// What leaving guards are asked about: numbers of components.
  var leaves = Leaves()
  /// The request of the leaving guard that is asked, and its component. Changed under the lock.
  var leaving = (asked: Handle.none, component: 0 as UInt64)
  /// What it opens now. Of a group: the part.
  var component: Component.Pointer?
  /// The group that it opens, and what of its parts is still to be opened.
  var group: Component.Pointer?
  var rest = Bytes("")
  /// The request whose answer it waits for.
  var pending: OpaquePointer?
  /// A move that closes or opens the same, whose answer it shares.
  private(set) var leader: Pointer?
  /// Those that share its answer, in the order in which they were asked for.
  private(set) var followers = List<Move, Followers>()
  /// The number of what it has opened; 0: nothing.
  var opened: UInt64 = 0
  /// How many may use its memory: the navigator, the hook of its request, and each request that it waits for.
  private var holders = 1
  private var links = Links<Move>()
  private var amongShared = Links<Move>()
  private var amongFollowers = Links<Move>()
  private var next: Pointer?

  typealias Pointer = UnsafeMutablePointer<Move>

  enum Step {
    case begun
    /// It waits until the app can be seen.
    case waitsForReady
    /// A guard is asked whether a component may be left.
    case leaving
    /// A guard is asked whether the URL may be opened.
    case entering
    /// What a guard wants first is open.
    case after
    case queued
    /// The factory is asked.
    case making
    /// The stage is asked.
    case showing
    /// A flow waits until the first component that it opens is shown.
    case starting
    /// What it opened is there; its answer is that one's result.
    case opened
    /// It is answered, or nobody waits for it.
    case done
  }

  init(
    _ navigator: Navigator, _ verb: MoveVerb, at position: UInt64, asker: UInt64,
    target: UInt64, how: ComponentKind?, slot: Name?, url: Name?, isForAll: Bool, hops: Int
  ) {
    self.navigator = navigator
    self.verb = verb
    self.position = position
    self.asker = asker
    self.target = target
    self.how = how
    self.slot = slot
    self.isForAll = isForAll
    self.hops = hops
    isForGuard = hops > 0
    self.url = url
  }
}

/// What a move does.
enum MoveVerb: UInt32 {
  case open = 1
  case link = 2
  case close = 3
  case pop = 4
  case popTo = 5
  case dismiss = 6
  case replaceRoot = 7
  case replace = 8

  var opens: Bool { self == .open || self == .link || rawValue >= MoveVerb.replaceRoot.rawValue }

  /// Whether it names a component.
  var hasTarget: Bool { self == .close || self == .popTo }

  var name: StaticString {
    switch self {
    case .open: "open"
    case .link: "link"
    case .close: "close"
    case .pop: "pop"
    case .popTo: "pop-to"
    case .dismiss: "dismiss"
    case .replaceRoot: "replace-root"
    case .replace: "replace"
    }
  }

  init?(name: Bytes) {
    var number: UInt32 = 1
    while let verb = MoveVerb(rawValue: number) {
      if Bytes(verb.name) == name {
        self = verb
        return
      }
      number &+= 1
    }
    return nil
  }
}

extension Move: Listed, Linked {
  /// All of a navigator that are not answered.
  enum OfNavigator: ListName { static var number: Int { 0 } }

  /// Those whose answer others may share; those that share one.
  enum Shared: ListName { static var number: Int { 1 } }
  enum Followers: ListName { static var number: Int { 2 } }

  static func links(of node: Pointer, in list: Int) -> Links<Move> {
    switch list {
    case OfNavigator.number: node.pointee.links
    case Shared.number: node.pointee.amongShared
    default: node.pointee.amongFollowers
    }
  }

  static func set(_ links: Links<Move>, of node: Pointer, in list: Int) {
    switch list {
    case OfNavigator.number: node.pointee.links = links
    case Shared.number: node.pointee.amongShared = links
    default: node.pointee.amongFollowers = links
    }
  }

  static func next(after node: Pointer) -> Pointer? { node.pointee.next }
  static func link(_ node: Pointer, to next: Pointer?) { node.pointee.next = next }
}

extension Move {
  /// Whether others may share its answer.
  var isShared: Bool { isForGuard || !verb.opens }

  /// How often guards may send a move elsewhere.
  static var mostHops: Int { 16 }

  /// The number of the component for which it opens something; 0: none.
  var base: UInt64 { target != 0 ? target : asker }

  /// What it opens now, with its parts.
  var root: Component.Pointer? { group ?? component }

  /// The request whose answer it waits for; nil: none.
  var asked: Handle? { pending.map { Handle(bits: UInt64(UInt(bitPattern: $0))) } }

  /// The move behind a user data.
  static func of(_ userData: UnsafeMutableRawPointer?) -> Pointer? {
    userData?.assumingMemoryBound(to: Move.self)
  }

  /// Lets a move share the answer of another one.
  static func follow(_ move: Pointer, _ leader: Pointer) {
    unfollow(move)
    move.pointee.leader = leader
    // Those that were asked for later come behind it: there are none, but if it begins again.
    guard move.pointee.position < leader.pointee.followers.last?.pointee.position ?? 0 else {
      return leader.pointee.followers.append(move)
    }
    var later = leader.pointee.followers.first
    while let other = later, other.pointee.position < move.pointee.position {
      later = List<Move, Followers>.next(after: other)
    }
    leader.pointee.followers.append(move)
    while let other = later, other != move {
      later = List<Move, Followers>.next(after: other)
      leader.pointee.followers.remove(other)
      leader.pointee.followers.append(other)
    }
  }

  /// Lets a move have its own answer.
  static func unfollow(_ move: Pointer) {
    guard let leader = move.pointee.leader else { return }
    leader.pointee.followers.remove(move)
    move.pointee.leader = nil
  }

  static func hold(_ move: Pointer) { move.pointee.holders &+= 1 }

  /// Gives one use of its memory back; the last frees it.
  static func drop(_ move: Pointer) {
    move.pointee.holders &-= 1
    guard move.pointee.holders == 0 else { return }
    let navigator = move.pointee.navigator
    move.pointee.url?.free()
    move.pointee.slot?.free()
    move.pointee.leaves.free()
    Memory.free(move)
    navigator.drop()
  }
}

/// Numbers of components, the last opened first.
struct Leaves {
  private var numbers: UnsafeMutablePointer<UInt64>?
  private var count = 0

  var next: UInt64? { count == 0 ? nil : numbers?[count &- 1] }

  mutating func takeNext() { count &-= 1 }

  /// Notes the components that are marked; nil: there is no memory.
  init?(_ marked: ClosingComponents) {
    var most = 0
    marked.each { _ in most &+= 1 }
    guard let numbers = Memory.allocate(UInt64.self, count: most) else { return nil }
    self.numbers = numbers
    marked.each { component in
      numbers[count] = component.pointee.number
      count &+= 1
    }
  }

  init() {}

  mutating func free() {
    Memory.free(numbers)
    self = Leaves()
  }
}

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
