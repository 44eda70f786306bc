// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

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
