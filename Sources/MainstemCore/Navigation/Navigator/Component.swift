// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// One component: a scope below the navigator's, and its place in the tree.
struct Component {
  /// That of its scope.
  let number: UInt64
  let scope: Handle
  let destination: Destination.Pointer
  let url: Name
  /// Of an embed.
  let slot: Name?
  /// What it stands on, and ends with.
  let parent: Pointer?
  /// Of an overlay, the number of the component for which it was opened: it stands on nothing, and its flow is that one's;
  /// 0: none.
  var asker: UInt64 = 0
  /// The number of its owner's scope; 0: it has none, or not yet.
  var owner: UInt64 = 0
  /// The request that the stage show it; nil: it was not asked, or there is none.
  var asked: Handle?
  /// The move that opened it and gets its result; nil: nobody waits for that.
  var opener: Move.Pointer?
  /// Whether the stage has shown it, or it needs none.
  var isShown = false
  /// It is a part of the group that it stands on.
  var isOfGroup = false
  /// It is to close in the current step.
  var isClosing = false
  /// How many components were opened before it.
  var order: UInt64 = 0
  /// How many moves it has asked for that open something, and are not answered.
  var asking = 0
  /// What stands on it, and how much of that does not close; of it, what stands there like a screen.
  var children = List<Component, Beside>()
  var openChildren = 0
  var stacked = List<Component, BesideInStack>()
  /// The shown one of `stacked` that is the next of its stack: see `ComponentTree.top(of:)`.
  var over: Pointer?
  /// The lowest of its stack, if it is not that itself; of the lowest, the topmost.
  var (base, tail): (Pointer?, Pointer?) = (nil, nil)
  /// The stage is to hide it, and has not been asked.
  var owesHide = false
  /// Nobody has been told that it has closed.
  var owesNotice = false
  private var inTree = Links<Component>()
  private var amongShown = Links<Component>()
  private var beside = Links<Component>()
  private var besideInStack = Links<Component>()
  private var amongTops = Links<Component>()
  private var amongDismissed = Links<Component>()
  /// The next that closes in the same step.
  private var nextClosing: Pointer?

  typealias Pointer = UnsafeMutablePointer<Component>

  init(
    number: UInt64, scope: Handle, destination: Destination.Pointer, url: Name, slot: Name?,
    parent: Pointer?
  ) {
    self.number = number
    self.scope = scope
    self.destination = destination
    self.url = url
    self.slot = slot
    self.parent = parent
  }

  static func free(_ component: Pointer) {
    component.pointee.url.free()
    component.pointee.slot?.free()
    Memory.free(component)
  }
}

extension Component: Listed {
  /// All of a navigator, in the order in which they were opened: what one stands on comes before it.
  enum InTree: ListName { static var number: Int { 0 } }
  /// Those that are shown, in the order in which that was told: a flow is when its first component is.
  enum AmongShown: ListName { static var number: Int { 1 } }

  /// Those that stand on the same, or on nothing, in the order in which they were opened; those that stand there like a
  /// screen.
  enum Beside: ListName { static var number: Int { 2 } }
  enum BesideInStack: ListName { static var number: Int { 3 } }
  /// Those that can be the topmost; those that a dismiss closes. In the order in which they were opened.
  enum AmongTops: ListName { static var number: Int { 4 } }
  enum AmongDismissed: ListName { static var number: Int { 5 } }

  static func links(of node: Pointer, in list: Int) -> Links<Component> {
    switch list {
    case InTree.number: node.pointee.inTree
    case AmongShown.number: node.pointee.amongShown
    case Beside.number: node.pointee.beside
    case BesideInStack.number: node.pointee.besideInStack
    case AmongTops.number: node.pointee.amongTops
    default: node.pointee.amongDismissed
    }
  }

  static func set(_ links: Links<Component>, of node: Pointer, in list: Int) {
    switch list {
    case InTree.number: node.pointee.inTree = links
    case AmongShown.number: node.pointee.amongShown = links
    case Beside.number: node.pointee.beside = links
    case BesideInStack.number: node.pointee.besideInStack = links
    case AmongTops.number: node.pointee.amongTops = links
    default: node.pointee.amongDismissed = links
    }
  }
}

/// Those that close in one step: what was opened first comes first.
extension Component: Ordered {
  static func next(after node: Pointer) -> Pointer? { node.pointee.nextClosing }
  static func link(_ node: Pointer, to next: Pointer?) { node.pointee.nextClosing = next }
  func precedes(_ other: borrowing Component) -> Bool { order < other.order }
}

extension Component {
  var kind: ComponentKind { destination.pointee.kind }

  /// Visits a component and what stands on it, what is below first, until `visit` returns false.
  ///
  /// - Parameter isLeftOut: Whether one is not visited, nor what stands on it.
  static func all(
    from root: Pointer, but isLeftOut: (Pointer) -> Bool, _ visit: (Pointer) -> Bool
  ) -> Bool {
    guard visit(root) else { return false }
    var (node, next) = (root, root.pointee.children.first)
    while true {
      if let child = next {
        if isLeftOut(child) {
          next = List<Component, Beside>.next(after: child)
        } else {
          guard visit(child) else { return false }
          (node, next) = (child, child.pointee.children.first)
        }
      } else {
        guard node != root, let parent = node.pointee.parent else { return true }
        (node, next) = (parent, List<Component, Beside>.next(after: node))
      }
    }
  }

  /// Whether anything that it stands on has a view.
  static func hasView(below component: Pointer) -> Bool {
    var below = component.pointee.parent
    while let each = below, !each.pointee.kind.hasView { below = each.pointee.parent }
    return below != nil
  }

  /// What it stands on that is no embed; itself, if it is none.
  static func frame(of component: Pointer) -> Pointer {
    var component = component
    while component.pointee.kind == .embed, let parent = component.pointee.parent {
      component = parent
    }
    return component
  }
}

/// How a component is shown, and what it stands on: `MAINSTEM_SCREEN` and so on in the header.
package enum ComponentKind: UInt32 {
  case screen = 1
  case embed = 2
  case dialog = 3
  case present = 4
  case overlay = 5
  case group = 6
  case flow = 7

  /// Whether a stage shows it.
  var hasView: Bool { self != .group && self != .flow }

  /// Whether it stands where a screen does.
  var isOfStack: Bool { self == .screen || !hasView }

  /// Whether a dismiss closes it.
  var isDismissed: Bool { self == .dialog || self == .present || self == .overlay }

  /// Whether it can be the topmost.
  var isTop: Bool { hasView && self != .embed }

  var name: StaticString {
    switch self {
    case .screen: "screen"
    case .embed: "embed"
    case .dialog: "dialog"
    case .present: "present"
    case .overlay: "overlay"
    case .group: "group"
    case .flow: "flow"
    }
  }

  @inline(never)
  init?(name: Bytes) {
    var number: UInt32 = 1
    while let kind = ComponentKind(rawValue: number) {
      if Bytes(kind.name) == name {
        self = kind
        return
      }
      number &+= 1
    }
    return nil
  }
}
