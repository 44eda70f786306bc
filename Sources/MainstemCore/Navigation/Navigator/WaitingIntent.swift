// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// An intent that waits until no screen covers who has said it.
struct WaitingIntent: Linked {
  let row: UnsafeMutablePointer<Intent>
  /// Retained.
  let event: Handle
  private var next: UnsafeMutablePointer<WaitingIntent>?

  init(row: UnsafeMutablePointer<Intent>, event: Handle) {
    self.row = row
    self.event = event
  }

  static func next(after node: UnsafeMutablePointer<Self>) -> UnsafeMutablePointer<Self>? {
    node.pointee.next
  }

  static func link(_ node: UnsafeMutablePointer<Self>, to next: UnsafeMutablePointer<Self>?) {
    node.pointee.next = next
  }
}
