// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// Rows that the host's scheduler calls. One that is two-way gets the newest only, and nothing that its view has written
/// or that is older: the view shows that, or something newer, already.
extension BindingRow {
  var isTwoWay: Bool { flags & UInt32(MAINSTEM_BINDING_TWO_WAY) != 0 }
  var isOnHost: Bool { flags != 0 }

  /// The observer of such a row. It counts as a user of the binding, because it may be called after the end.
  static func onHost(
    _ row: UnsafeMutablePointer<BindingRow>, _ type: UInt32
  ) -> Subscription.Options {
    var options = Subscription.Options(
      { BindingRow.callOnHost($0, $1) }, row, { BindingRow.end($0) }, .one(type))
    options.call.isScheduled = true
    options.call.failsForGaps = !row.pointee.isTwoWay
    options.scheduler = Schedulers.host
    options.bounds = SubscriptionQueue.Bounds(
      events: 65_536, bytes: 64 << 20, policy: row.pointee.isTwoWay ? .latest : .reject)
    return options
  }

  /// The observer's release hook.
  private static func end(_ address: UnsafeMutableRawPointer?) {
    guard let row = address?.assumingMemoryBound(to: BindingRow.self) else { return }
    Binding.unuse(row.pointee.binding)
  }

  /// The observer's function.
  private static func callOnHost(
    _ address: UnsafeMutableRawPointer?, _ event: UnsafePointer<mainstem_event>?
  ) {
    guard let row = address?.assumingMemoryBound(to: BindingRow.self), let event else { return }
    let stream = row.pointee.binding.pointee.stream
    guard row.pointee.isTwoWay else { return call(row, event) }
    // What was lost is older than what comes.
    guard event.pointee.flags & UInt32(MAINSTEM_EVENT_GAP) == 0 else { return }
    var isOuter = false
    let isNew = stream.locked { () -> Bool in
      guard event.pointee.position > row.pointee.written else { return false }
      isOuter = row.pointee.thread == 0
      if isOuter { stream.begin(row, showing: event.pointee.origin) }
      return true
    }
    guard isNew else { return }
    call(row, event)
    if !isOuter || stream.isForked { return }
    stream.locked { stream.end(row) }
  }
}

/// What a toolkit echoes: while the function of a two-way row runs, what its thread sets of the value it shows.
extension Stream {
  private var showing: UnsafeMutablePointer<BindingRow>? {
    state.pointee.showing?.assumingMemoryBound(to: BindingRow.self)
  }

  /// Under the lock, like the others.
  fileprivate func begin(_ row: UnsafeMutablePointer<BindingRow>, showing origin: UInt32) {
    row.pointee.thread = Frame.thread
    row.pointee.shown = origin
    row.pointee.next = showing
    state.pointee.showing = UnsafeMutableRawPointer(row)
  }

  fileprivate func end(_ row: UnsafeMutablePointer<BindingRow>) {
    row.pointee.thread = 0
    guard let first = showing, first != row else {
      state.pointee.showing = row.pointee.next.map { UnsafeMutableRawPointer($0) }
      return
    }
    var before = first
    while let next = before.pointee.next, next != row { before = next }
    before.pointee.next = row.pointee.next
  }

  /// Whether setting a value is an echo, whichever binding sets it. What a row's own binding sets is one, too, where the
  /// function has pointed it elsewhere.
  fileprivate func isEcho(_ name: Bytes, of origin: UInt32, by binding: Binding.Pointer) -> Bool {
    var next = showing
    while let row = next {
      if row.pointee.thread == Frame.thread, row.pointee.name.bytes == name,
        row.pointee.shown == origin || row.pointee.binding == binding
      {
        return true
      }
      next = row.pointee.next
    }
    return false
  }
}

extension Binding {
  /// How many of its rows the host's scheduler calls.
  var rowsOnHost: Int {
    var (index, found) = (0, 0)
    while index < count {
      if rows[index].isOnHost { found &+= 1 }
      index &+= 1
    }
    return found
  }

  /// What a two-way row knows of a name. Under the lock.
  enum Knowledge {
    /// There is no such row.
    case nothing
    case something
    /// The function of one that shows this value runs on this thread: what that writes is what it shows.
    case echo
  }

  static func knowledge(_ binding: Pointer, of name: Bytes, of origin: UInt32) -> Knowledge {
    if binding.pointee.stream.isEcho(name, of: origin, by: binding) { return .echo }
    var found = Knowledge.nothing
    binding.pointee.eachTwoWay(name) { _ in found = .something }
    return found
  }

  /// Notes the position of what its view has written. Under the lock.
  func noteWritten(_ name: Bytes, at position: UInt64) {
    eachTwoWay(name) { $0.pointee.written = position }
  }

  /// It points at another owner, to which its view has written nothing. Under the lock.
  func forgetWrites() {
    var index = 0
    while index < count {
      rows[index].written = 0
      index &+= 1
    }
  }

  private func eachTwoWay(_ name: Bytes, _ visit: (UnsafeMutablePointer<BindingRow>) -> Void) {
    var index = 0
    while index < count {
      if rows[index].isTwoWay, rows[index].name.bytes == name { visit(rows + index) }
      index &+= 1
    }
  }
}

extension BindingRowGiven {
  var hasUnknownFlag: Bool {
    flags & ~UInt32(MAINSTEM_BINDING_TWO_WAY | MAINSTEM_BINDING_ON_HOST) != 0
  }
}
