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
  /// The stage is to hide it, and has not been asked.
  var owesHide = false
  /// Nobody has been told that it has closed.
  var owesNotice = false
  private var inTree = Links<Component>()
  private var amongShown = Links<Component>()

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

  static func links(of node: Pointer, in list: Int) -> Links<Component> {
    list == InTree.number ? node.pointee.inTree : node.pointee.amongShown
  }

  static func set(_ links: Links<Component>, of node: Pointer, in list: Int) {
    if list == InTree.number {
      node.pointee.inTree = links
    } else {
      node.pointee.amongShown = links
    }
  }
}

extension Component {
  var kind: ComponentKind { destination.pointee.kind }

  /// Whether it stands on another, or is that one.
  @inline(never)
  static func isPart(_ component: Pointer, of other: Pointer) -> Bool {
    var above: Pointer? = component
    while let each = above, each != other { above = each.pointee.parent }
    return above == other
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
