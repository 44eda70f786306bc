// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// What a route leads to, as the navigator and its stage know it: a screen, a dialog, a widget in a slot.
public struct Component: Hashable, Sendable {
  /// How a component is shown, and what it stands on.
  public enum Kind: UInt32, Sendable {
    /// On the topmost screen of the asker's stack; covers it.
    case screen = 1
    /// In a slot of the asker; takes the place of what is there.
    case embed
    /// On the asker.
    case dialog
    /// On the asker, over the whole screen.
    case present
    /// On nothing, above all.
    case overlay
    /// Stands like a screen. Not shown itself: its parts are, and close as one.
    case group
    /// Stands like a screen. Not shown: it has components on it.
    case flow
  }

  /// Its number, which is that of its scope.
  public let number: UInt64
  /// How it is shown.
  public let kind: Kind
  /// The number of what it stands on; 0: nothing.
  public let parent: UInt64
  /// The number of its owner's scope, for ``Context/scope(number:)``; 0: it has none.
  public let owner: UInt64
  /// Whether a screen covers it.
  public let isHidden: Bool
  /// The name of its view model; empty if it has none.
  public let name: String
  /// The URL that was opened.
  public let url: String
  /// The pattern of its route.
  public let route: String
  /// Of an embed, its slot; otherwise empty.
  public let slot: String

  /// Reads one with a function of C, with as much room for its texts as they need.
  init(
    _ read: (UnsafeMutablePointer<mainstem_component_info>, UnsafeMutablePointer<CChar>?, Int) ->
      mainstem_status
  ) throws(StreamError) {
    var room = 512
    while true {
      var text = [CChar](repeating: 0, count: room)
      var show = mainstem_component_info()
      show.size = UInt32(MemoryLayout<mainstem_component_info>.size)
      // The texts lie in `text` only while it is lent.
      let read = text.withUnsafeMutableBufferPointer { buffer in
        let status = read(&show, buffer.baseAddress, room)
        return (status: status, component: status == 0 ? Component(copying: show) : nil)
      }
      if let component = read.component {
        self = component
        return
      }
      guard read.status == Status.tooBig.rawValue, room < 1 << 20 else {
        try StreamError.check(read.status)
        throw StreamError(.invalid, "Component: it is of a kind that this library does not know")
      }
      room *= 8
    }
  }

  private init?(copying show: mainstem_component_info) {
    guard let kind = Kind(rawValue: show.kind) else { return nil }
    self.kind = kind
    number = show.component
    parent = show.parent
    owner = show.owner
    isHidden = show.hidden != 0
    name = String(cString: show.name)
    url = String(cString: show.url)
    route = String(cString: show.route)
    slot = String(cString: show.slot)
  }
}

extension Component.Kind {
  /// The kind's name in events.
  var name: String { "\(self)" }

  /// Whether it has a view of its own that is not in another's.
  var isTop: Bool { self == .screen || self == .dialog || self == .present || self == .overlay }
}
