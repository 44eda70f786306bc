// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// Setting a list: a value whose events are changes.
extension Stream {
  /// Which rows of a version stay in the next one.
  package struct Ends {
    package var version: UInt64
    package var first: Int
    package var last: Int

    package init(version: UInt64, first: Int, last: Int) {
      self.version = version
      self.first = first
      self.last = last
    }
  }

  /// Sets a list, unless it is there already.
  ///
  /// - Parameters:
  ///   - ends: Which rows of which version stay around those that are given; nil: none.
  ///   - window: Which part the list is of a longer sequence; nil: all of it.
  ///   - rows: The rows between them.
  ///   - isStrict: Whether the list must have the version of the ends, even if none of its rows stay unseen.
  /// - Returns: The version that the list now has, or will have when it is delivered.
  package static func setList<Rows: GivenRows>(
    _ handle: Handle, _ type: UInt32, _ ends: Ends?, _ window: ListWindow?, _ rows: Rows,
    count: Int, isStrict: Bool = false
  ) throws(Refusal) -> UInt64 {
    let resolved = try ResolvedHandle.sending(handle)
    let stream = resolved.stream
    var version: UInt64 = 0
    try stream.trying { attempt throws(Refusal) in
      let contract = stream.contract(of: type)
      guard contract.bits != 0 else { throw .noType(type) }
      guard contract.isList else {
        throw stream.refusal(type, "is no list: register it with MAINSTEM_LIST")
      }
      var draft = try resolved.listDraft(type)
      guard try stream.goesAhead() else { return }
      let isOutput = stream.sendsOutput
      let base = stream.withValues { stream.values.pointee.version(of: draft, isOutput: isOutput) }
      defer { ListVersion.release(base) }
      let first = try Ends.check(ends, base, isStrict: isStrict)
      var builder = ListBuilder(
        on: base, first: first.first, last: first.last, rows, count: count,
        try window?.checked(first.first &+ count &+ first.last))
      version = base?.pointee.number ?? 0
      guard !builder.isSame() else { return }
      let weight = try builder.demandRows(
        rows, contract, stream.state.pointee.admissions.limits, at: first.first)
      try stream.demandRecording(of: weight)
      let step = try builder.step(weight, after: version, keepsEnds: isStrict || first != (0, 0))
      defer { ListStep.release(step) }
      draft.hold(step)
      let isSent = try stream.setList(&draft, through: resolved, attempt)
      version =
        isSent
        ? step.pointee.version.pointee.number
        : stream.withValues { stream.values.pointee.number(of: draft, isOutput: isOutput) }
    }
    return version
  }

  /// Sends a checked list; false: it is there already.
  private func setList(
    _ draft: inout Draft, through resolved: ResolvedHandle, _ attempt: Attempt
  ) throws(Refusal) -> Bool {
    draft.isSet = true
    try demandOwner(of: draft)
    try demandNoFetch(draft)
    do throws(Refusal) {
      try accept(draft, through: resolved, attempt)
    } catch {
      guard error.status == .ok else { throw error }
      return false
    }
    return true
  }
}

extension Stream.Ends {
  /// How many rows stay at the beginning and at the end of a list; refuses those of another version.
  static func check(
    _ ends: Stream.Ends?, _ base: ListVersion.Pointer?, isStrict: Bool = false
  ) throws(Refusal) -> (first: Int, last: Int) {
    guard let ends, isStrict || ends.first | ends.last != 0 else { return (0, 0) }
    guard (base?.pointee.number ?? 0) == ends.version, base != nil || ends.first | ends.last == 0
    else { throw .staleEnds }
    guard let base else { return (0, 0) }
    guard ends.first >= 0, ends.last >= 0, ends.first <= base.pointee.count,
      ends.last <= base.pointee.count &- ends.first
    else {
      throw Refusal(
        .invalid, "ends", "keep more rows than the list has", .number(UInt64(base.pointee.count)))
    }
    return (ends.first, ends.last)
  }
}

extension ListWindow {
  /// Refuses a window that contradicts itself or the number of rows.
  fileprivate func checked(_ count: Int) throws(Refusal) -> ListWindow {
    guard self.count == count else {
      throw Refusal(
        .invalid, "window", "is its count, and the list has another number of rows",
        .number(UInt64(UInt(bitPattern: self.count))))
    }
    guard isSound else {
      throw Refusal(
        .invalid, "window", "is its total, and offset and count do not fit in it",
        .number(UInt64(UInt(bitPattern: total))))
    }
    return self
  }
}

extension ListBuilder {
  /// Refuses rows whose key or payload is wrong, and more of them than a list may have.
  ///
  /// - Returns: The bytes that law 9 counts.
  func demandRows(
    _ rows: Rows, _ contract: Contract, _ limits: Limits, at first: Int
  ) throws(Refusal) -> Int {
    guard total <= limits.rows else {
      throw Refusal(
        .limit, "rows", "are more than limit_rows: raise it in the context's options",
        .number(UInt64(total)))
    }
    var (index, bytes) = (changed.start, 0)
    while index < changed.start &+ changed.count {
      let row = rows[index]
      let place = Refusal.Subject.row(UInt64(first &+ index))
      guard row.key.count > 0, row.key.count <= ListRow.longestKey, row.key.isUTF8 else {
        throw Refusal(
          .invalid, "rows", "has a key that is not 1 to 255 bytes of UTF-8: see the row", place)
      }
      guard row.data.count != ListRow.missing else {
        throw Refusal(.invalid, "rows", "has a row whose data is NULL, but not its size", place)
      }
      guard UInt(bitPattern: row.data.count) <= UInt(bitPattern: limits.payload) else {
        throw Refusal(.tooBig, "rows", "has a row of more bytes than limit_payload", place)
      }
      guard contract.rowAdmits(row.data.start, row.data.count) else {
        throw Refusal(
          .invalid, "rows", "has a row whose payload breaks the contract of the type", place)
      }
      bytes &+= row.key.count &+ row.data.count &+ ListRow.overhead
      index &+= 1
    }
    return bytes
  }

  /// The step to the next version.
  fileprivate func step(
    _ weight: Int, after base: UInt64, keepsEnds: Bool
  ) throws(Refusal) -> ListStep.Pointer {
    let next = try version()
    guard
      let step = ListStep.make(to: next, weight: weight, after: base, keepsEnds: keepsEnds)
    else {
      ListVersion.release(next)
      throw .noMemory
    }
    return step
  }

  /// The next version; refuses two rows with the same key.
  private func version() throws(Refusal) -> ListVersion.Pointer {
    do throws(ListProblem) {
      return try build()
    } catch {
      throw .of(error)
    }
  }
}

extension Refusal {
  static func of(_ problem: ListProblem) -> Refusal {
    guard case .duplicate(let one, let other) = problem else { return .noMemory }
    var subject = SubjectWriter()
    subject.add("row ")
    subject.add(UInt64(one))
    subject.add(" and row ")
    subject.add(UInt64(other))
    return Refusal(.invalid, "rows", "have the same key", .name(subject.bytes))
  }

  static var isThere: Refusal { Refusal(.ok, "", "is there already") }

  static var staleEnds: Refusal {
    Refusal(.stale, "ends.version", "is not the version of the list: give all rows, and no ends")
  }
}

extension Values {
  /// The version that a set of a list follows, held for the caller; nil: there is none.
  func version(of draft: Draft, isOutput: Bool) -> ListVersion.Pointer? {
    let version = find(draft.type, draft.origin)?.pointee.version(isOutput: isOutput)
    if let version { ListVersion.retain(version) }
    return version
  }

  /// Its number; 0: there is none.
  fileprivate func number(of draft: Draft, isOutput: Bool) -> UInt64 {
    find(draft.type, draft.origin)?.pointee.version(isOutput: isOutput)?.pointee.number ?? 0
  }
}

/// Lists on their way. For the deliverer.
extension Stream {
  /// Makes the changes of a list's event, unless they are made.
  @inline(never)
  func makeChanges(_ event: UnsafeMutablePointer<mainstem_event>) {
    let step = ListStep.of(event)
    guard !step.pointee.isMade, event.pointee.flags & UInt32(MAINSTEM_EVENT_MARKED) == 0 else {
      return
    }
    guard let made = ListStep.made(step) else {
      // Without memory nobody knows the list until its next event.
      step.pointee.version.pointee.isLost = true
      return withValues { markUnknown(event) }
    }
    // Another thread may compare its list with that of the event, which waits.
    withValues {
      event.pointee.data = UnsafeRawPointer(ListStep.data(of: made))
      event.pointee.size = UInt32(truncatingIfNeeded: made.pointee.size)
    }
    ListStep.release(step)
  }
}

/// Reading a list's event.
extension Stream {
  /// The list of an event that a callback got or that was retained.
  package struct ListEvent {
    private let event: UnsafePointer<mainstem_event>
    private let step: ListStep.Pointer

    package init(_ event: UnsafePointer<mainstem_event>) throws(Refusal) {
      guard event.pointee.isOfList, !Value.isMarked(event.pointee.flags),
        Stream.contract(of: event).isList
      else {
        throw Refusal(.invalid, "event", "is not the event of a list")
      }
      self.event = event
      step = ListStep.of(event)
    }

    package var count: Int { step.pointee.version.pointee.count }
    package var window: ListWindow { step.pointee.version.pointee.window }

    private var changes: ListChanges {
      ListChanges(Bytes(ListStep.data(of: step), step.pointee.size))
    }
    /// Whether the observer has nothing to apply changes to.
    private var isWhole: Bool {
      let whole = UInt32(MAINSTEM_EVENT_LATE | MAINSTEM_EVENT_WHOLE)
      return event.pointee.flags & whole != 0 || changes.isReset
    }

    /// A change; nil: there are fewer.
    package func change(_ index: Int) -> ListChange? {
      guard !isWhole else { return index == 0 ? ListChange(.reset, 0, count) : nil }
      return index < changes.count ? changes[index] : nil
    }

    /// All changes as one; nil: the list is to be read as a whole.
    package var span: (at: Int, removed: Int, added: Int)? { isWhole ? nil : changes.span }

    package func row(_ index: Int) -> ListRow? {
      index < count ? ListVersion.row(index, of: step.pointee.version) : nil
    }

    package func find(_ key: Bytes) -> Int? { ListVersion.find(key, in: step.pointee.version) }
  }
}

extension ResolvedHandle {
  /// A checked draft of a list's event sent through this handle.
  func listDraft(_ type: UInt32) throws(Refusal) -> Draft {
    guard isLive, !stream.isClosed else { throw .ended }
    try demand(.send, of: type)
    return Draft(type: type, data: Draft.nothing, size: 0, origin: origin)
  }
}
