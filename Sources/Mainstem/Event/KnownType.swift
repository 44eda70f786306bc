// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// An event type that a context knows, under its number.
class KnownType {
  let type: ObjectIdentifier
  let number: mainstem_event_type
  /// Whether its payloads are its bytes in memory, all of them and any.
  let isDense: Bool
  /// The type that was met next among those of its bucket.
  let next = KnownLink()

  init(_ type: any Event.Type, number: mainstem_event_type, isDense: Bool) {
    self.type = ObjectIdentifier(type)
    self.number = number
    self.isDense = isDense
  }
}

/// The same, for whoever decodes its events: if several look at an event, it is decoded once.
///
/// What Swift sends is decoded too: each observer gets what a C program or a journal would give it.
final class KnownEvent<E: Event>: KnownType {
  /// Who has registered to decode events of the type, in all.
  private let readers = Atomic(0)
  private let isTaken = Atomic(false)
  // Only touched by whoever has taken it.
  private var position: UInt64 = 0
  private var event: E?

  init(number: mainstem_event_type, isDense: Bool) {
    super.init(E.self, number: number, isDense: isDense)
  }

  /// Counts one more who will decode each event.
  func addReader() { readers.add(1, ordering: .relaxed) }

  /// The event in a delivery, decoded by this call or by one before it.
  func decoded(_ delivery: borrowing Delivery) throws(Failure) -> E {
    if isDense, let data = delivery.event.pointee.data,
      Int(delivery.event.pointee.size) == MemoryLayout<E>.size,
      UInt(bitPattern: data) % UInt(MemoryLayout<E>.alignment) == 0
    {
      return data.load(as: E.self)
    }
    // One reader needs no memory of the last event, and a secret must not stay.
    if readers.load(ordering: .relaxed) < 2 || delivery.isSecret || E.isSecret {
      return try delivery.decode(E.self)
    }
    return try shared(delivery)
  }

  /// Decodes for all readers. Apart, because it needs more of the type than one reader does.
  @inline(never)
  private func shared(_ delivery: borrowing Delivery) throws(Failure) -> E {
    // Another thread, or a decoder that decodes: it decodes for itself.
    if isTaken.exchange(true, ordering: .acquiring) { return try delivery.decode(E.self) }
    defer { isTaken.store(false, ordering: .releasing) }
    if let event, position == delivery.position { return event }
    let decoded = try delivery.decode(E.self)
    (event, position) = (decoded, delivery.position)
    return decoded
  }
}

extension KnownEvent where E: Response {
  /// The response in a delivery, or its failure.
  func result(_ delivery: borrowing Delivery) -> Result<E, Failure> {
    if let failure = delivery.failure { return .failure(failure) }
    do throws(Failure) { return .success(try decoded(delivery)) } catch { return .failure(error) }
  }
}
