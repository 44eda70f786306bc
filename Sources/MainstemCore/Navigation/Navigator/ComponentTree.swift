// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The components of a navigator. Changed by the deliverer, under the lock: others may read.
struct ComponentTree {
  /// A number of a component's scope, or of its owner's.
  private struct Entry: HashTableEntry {
    var key: UInt64 = 0
    var component: Component.Pointer?

    var isFree: Bool { component == nil }
    static func hash(_ number: UInt64) -> UInt64 { Hash.salted(number) }
  }

  private var table = HashTable<Entry>()
  private(set) var list = List<Component, Component.InTree>()
  private(set) var shown = List<Component, Component.AmongShown>()
  /// What stands on nothing; of it, what stands there like a screen.
  private(set) var roots = List<Component, Component.Beside>()
  private var stackedRoots = List<Component, Component.BesideInStack>()
  private var tops = List<Component, Component.AmongTops>()
  private(set) var dismissed = List<Component, Component.AmongDismissed>()
  /// How many were opened.
  private var opened: UInt64 = 0

  /// The component of a scope's number: its own, or its owner's.
  @inline(never)
  subscript(number: UInt64) -> Component.Pointer? {
    number == 0 ? nil : table.find(number)?.pointee.component
  }

  /// Adds a component; false without memory.
  mutating func add(_ component: Component.Pointer) -> Bool {
    guard table.reserve() else { return false }
    table.insert(Entry(key: component.pointee.number, component: component))
    opened &+= 1
    component.pointee.order = opened
    let kind = component.pointee.kind
    list.append(component)
    if kind.isTop { tops.append(component) }
    if kind.isDismissed { dismissed.append(component) }
    guard let parent = component.pointee.parent else {
      roots.append(component)
      if kind.isOfStack { stackedRoots.append(component) }
      return true
    }
    parent.pointee.children.append(component)
    parent.pointee.openChildren &+= 1
    if kind.isOfStack { parent.pointee.stacked.append(component) }
    return true
  }

  /// Notes a component's owner; false without memory.
  mutating func setOwner(_ number: UInt64, of component: Component.Pointer) -> Bool {
    guard table.reserve(), table.find(number) == nil else { return false }
    table.insert(Entry(key: number, component: component))
    component.pointee.owner = number
    return true
  }

  /// Notes that a component is shown, or that nobody could be told.
  mutating func setShown(_ isShown: Bool, _ component: Component.Pointer) {
    guard component.pointee.isShown != isShown else { return }
    component.pointee.isShown = isShown
    if isShown {
      shown.append(component)
      join(component)
    } else {
      shown.remove(component)
      leave(component)
    }
  }

  /// Removes a component that closes. Those that it stands on and that close, too, were removed before.
  mutating func remove(_ component: Component.Pointer) {
    if component.pointee.isShown { shown.remove(component) }
    if component.pointee.owner != 0 { table.remove(component.pointee.owner) }
    table.remove(component.pointee.number)
    list.remove(component)
    let kind = component.pointee.kind
    if kind.isTop { tops.remove(component) }
    if kind.isDismissed { dismissed.remove(component) }
    guard let parent = component.pointee.parent else {
      roots.remove(component)
      if kind.isOfStack { stackedRoots.remove(component) }
      return
    }
    parent.pointee.children.remove(component)
    guard kind.isOfStack else { return }
    parent.pointee.stacked.remove(component)
    // What closes together needs no stacks any more.
    if !parent.pointee.isClosing { leave(component) }
  }

  mutating func free() {
    list.each { Component.free($0) }
    table.free()
  }
}

/// Stacks: what stands on each other like screens. Each component but the lowest knows the lowest, and that the topmost: so
/// it is found at once, however deep the stack is.
extension ComponentTree {
  /// A component is shown: it is the next of the stack that it stands on, if it was opened before others that are.
  private func join(_ component: Component.Pointer) {
    guard component.pointee.kind.isOfStack, let parent = component.pointee.parent else { return }
    if let over = parent.pointee.over {
      guard component.pointee.order < over.pointee.order else { return }
      cut(over, from: parent)
    }
    parent.pointee.over = component
    let base = parent.pointee.base ?? parent
    let tail = component.pointee.tail ?? component
    component.pointee.tail = nil
    setBase(base, from: component)
    base.pointee.tail = tail
  }

  /// A component is not shown any more, or closes.
  private func leave(_ component: Component.Pointer) {
    guard let parent = component.pointee.parent, parent.pointee.over == component else { return }
    cut(component, from: parent)
    var next = parent.pointee.stacked.first
    while let other = next, other == component || !other.pointee.isShown || other.pointee.isClosing
    {
      next = List<Component, Component.BesideInStack>.next(after: other)
    }
    if let other = next { join(other) }
  }

  /// Makes a stack of its own of what is from a component on.
  private func cut(_ component: Component.Pointer, from parent: Component.Pointer) {
    let base = parent.pointee.base ?? parent
    let tail = base.pointee.tail
    parent.pointee.over = nil
    base.pointee.tail = parent == base ? nil : parent
    component.pointee.base = nil
    component.pointee.tail = tail == component ? nil : tail
    if let over = component.pointee.over { setBase(component, from: over) }
  }

  private func setBase(_ base: Component.Pointer, from first: Component.Pointer) {
    var next: Component.Pointer? = first
    while let component = next {
      component.pointee.base = base
      next = component.pointee.over
    }
  }

  /// The topmost of the stack that a component is in: what stands on it like a screen, and so on.
  @inline(never)
  func top(of component: Component.Pointer) -> Component.Pointer {
    let base = component.pointee.base ?? component
    return base.pointee.tail ?? base
  }

  /// The topmost of the stack that stands on nothing.
  var topOfRoot: Component.Pointer? {
    stackedRoots.last { $0.pointee.isShown }.map { top(of: $0) }
  }
}

/// Finding one.
extension ComponentTree {
  /// The flow that hears what a component says: the next one that it stands on, or that what has opened its overlay does.
  func flow(of component: Component.Pointer) -> Component.Pointer? {
    var above: Component.Pointer? = component
    repeat {
      above = above.flatMap { $0.pointee.parent ?? self[$0.pointee.asker] }
    } while above.map { $0.pointee.kind != .flow } ?? false
    return above
  }

  /// The last one with a view of its own.
  var top: Component.Pointer? { tops.last { $0.pointee.isShown } }

  /// Whether a screen covers a component.
  func covers(_ component: Component.Pointer) -> Bool {
    let hasView = component.pointee.kind.hasView
    var below = hasView ? component : component.pointee.parent
    var above = hasView ? nil : component
    while let each = below {
      let isCovered = !each.pointee.stacked.all { $0 == above || !showsScreen($0) }
      if isCovered { return true }
      if each.pointee.kind == .screen || each.pointee.kind == .overlay { return false }
      (below, above) = (each.pointee.parent, each)
    }
    return false
  }

  /// Whether a component is a screen, or has one on it.
  private func showsScreen(_ component: Component.Pointer) -> Bool {
    !Component.all(from: component, but: { _ in false }) { $0.pointee.kind != .screen }
  }
}

/// Components that are to close in one step, with what stands on them.
struct ClosingComponents {
  private(set) var chain = Chain<Component>()

  var isEmpty: Bool { chain.first == nil }

  /// Marks a component, and what stands on it.
  mutating func mark(_ root: Component.Pointer) {
    guard !root.pointee.isClosing else { return }
    _ = Component.all(from: root, but: { $0.pointee.isClosing }) { component in
      component.pointee.isClosing = true
      if let parent = component.pointee.parent { parent.pointee.openChildren &-= 1 }
      chain.append(component)
      return true
    }
  }

  /// Marks what closes, too, if those close that are marked: the group that one is a part of, and a flow whose last
  /// component closes, unless that has a result. Then the flow goes on from there.
  mutating func markWhole(_ finished: Component.Pointer?) {
    var next = chain.first
    while let component = next {
      if let parent = component.pointee.parent, !parent.pointee.isClosing {
        switch parent.pointee.kind {
        case .group where component.pointee.isOfGroup: mark(parent)
        case .flow where component != finished && parent.pointee.openChildren == 0: mark(parent)
        default: break
        }
      }
      next = Component.next(after: component)
    }
  }

  /// Puts them in the order in which they were opened.
  mutating func sort() { chain.sort() }

  /// Takes the marks back.
  mutating func unmark() {
    while let component = chain.takeFirst() {
      component.pointee.isClosing = false
      if let parent = component.pointee.parent { parent.pointee.openChildren &+= 1 }
    }
  }

  func each(_ visit: (Component.Pointer) -> Void) {
    var next = chain.first
    while let component = next {
      next = Component.next(after: component)
      visit(component)
    }
  }
}
