// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem

/// The end of an owner: the host is told once, after the owner's last value.
extension Binding {
  /// Sets the function that is told; nil: none. If the owner has ended and nobody was told, it is told.
  package static func tellEnd(
    _ handle: Handle, _ function: mainstem_ended_fn?, _ userData: UnsafeMutableRawPointer?
  ) throws(Refusal) {
    let resolved = try ResolvedHandle.own(handle, .binding, "binding")
    let stream = resolved.stream
    let binding = try resolved.binding()
    defer { unuse(binding) }
    let tells = try resolved.locked { () throws(Refusal) -> Bool in
      (binding.pointee.ended, binding.pointee.endedData) = (function, userData)
      binding.pointee.task.wantsEnd = function != nil
      return function != nil && binding.pointee.task.hasEnded && stream.leave(task(of: binding))
    }
    if tells { stream.signal() }
  }

  /// Tells that the owner has ended, if it has. From then on the rows hear nothing, also of what was posted before.
  static func tellEnd(_ binding: Pointer) {
    let stream = binding.pointee.stream
    let turn = stream.locked { takeEnd(of: binding) }
    guard let turn else { return }
    cancelRows(binding, of: turn)
    var (function, userData) = (mainstem_ended_fn?.none, UnsafeMutableRawPointer?.none)
    stream.locked {
      guard binding.pointee.isLive, binding.pointee.turn == turn else { return }
      (function, userData) = (binding.pointee.ended, binding.pointee.endedData)
    }
    function?(userData)
  }

  /// The turn whose end is to be told now; nil: none. Where values wait for rows on the host, the next drain tells it.
  /// Under the lock.
  private static func takeEnd(of binding: Pointer) -> UInt32? {
    let stream = binding.pointee.stream
    guard binding.pointee.isLive, binding.pointee.task.hasEnded, binding.pointee.ended != nil else {
      return nil
    }
    var index = 0
    while index < binding.pointee.count {
      let row = binding.pointee.rows + index
      if row.pointee.isOnHost, stream.waits(for: row.pointee.observer) {
        _ = stream.leave(task(of: binding))
        return nil
      }
      index &+= 1
    }
    binding.pointee.task.hasEnded = false
    return binding.pointee.turn
  }
}
