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

  /// The component of a scope's number: its own, or its owner's.
  @inline(never)
  subscript(number: UInt64) -> Component.Pointer? {
    number == 0 ? nil : table.find(number)?.pointee.component
  }

  /// Adds a component; false without memory.
  mutating func add(_ component: Component.Pointer) -> Bool {
    guard table.reserve() else { return false }
    table.insert(Entry(key: component.pointee.number, component: component))
    list.append(component)
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
    if isShown { shown.append(component) } else { shown.remove(component) }
  }

  mutating func remove(_ component: Component.Pointer) {
    if component.pointee.isShown { shown.remove(component) }
    if component.pointee.owner != 0 { table.remove(component.pointee.owner) }
    table.remove(component.pointee.number)
    list.remove(component)
  }

  mutating func free() {
    list.each { Component.free($0) }
    table.free()
  }
}

/// Marking what closes. Parents come before their children.
extension ComponentTree {
  /// Marks a component, and what stands on it.
  func mark(_ component: Component.Pointer) {
    component.pointee.isClosing = true
    _ = list.all(after: component) { other in
      if other.pointee.parent?.pointee.isClosing == true { other.pointee.isClosing = true }
      return true
    }
  }

  /// Marks some components, and what stands on them; false: there were none.
  @inline(never)
  func mark(_ isMeant: (Component.Pointer) -> Bool) -> Bool {
    var isAny = false
    list.each { component in
      guard component.pointee.parent?.pointee.isClosing == true || isMeant(component) else {
        return
      }
      component.pointee.isClosing = true
      isAny = true
    }
    return isAny
  }

  /// Takes the marks back.
  func unmark() { list.each { $0.pointee.isClosing = false } }
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

  /// The last one for which something holds.
  @inline(never)
  func last(_ holds: (Component.Pointer) -> Bool) -> Component.Pointer? {
    list.last { $0.pointee.isShown && holds($0) }
  }

  /// The last one with a view of its own.
  var top: Component.Pointer? { last { $0.pointee.kind.isTop } }

  /// The topmost of the stack that a component is in: what stands on it like a screen, and so on.
  @inline(never)
  func top(of component: Component.Pointer) -> Component.Pointer {
    var top = component
    _ = list.all(after: component) { other in
      if other.pointee.parent == top, other.pointee.isShown, other.pointee.kind.isOfStack {
        top = other
      }
      return true
    }
    return top
  }

  /// The topmost of the stack that stands on nothing.
  var topOfRoot: Component.Pointer? {
    last { $0.pointee.kind.isOfStack && $0.pointee.parent == nil }.map { top(of: $0) }
  }

  /// Whether anything stands on a component that does not close.
  func hasOpen(on component: Component.Pointer) -> Bool {
    !list.all(after: component) { $0.pointee.isClosing || $0.pointee.parent != component }
  }

  /// Whether a screen covers a component.
  func covers(_ component: Component.Pointer) -> Bool {
    var below = component.pointee.kind.hasView ? component : component.pointee.parent
    while let each = below {
      let isCovered = !list.all(after: each) { other in
        other.pointee.parent != each || !other.pointee.kind.isOfStack
          || Component.isPart(component, of: other) || !showsScreen(other)
      }
      if isCovered { return true }
      if each.pointee.kind == .screen || each.pointee.kind == .overlay { return false }
      below = each.pointee.parent
    }
    return false
  }

  /// Whether a component is a screen, or has one on it.
  private func showsScreen(_ component: Component.Pointer) -> Bool {
    component.pointee.kind == .screen
      || !list.all(after: component) {
        $0.pointee.kind != .screen || !Component.isPart($0, of: component)
      }
  }
}
