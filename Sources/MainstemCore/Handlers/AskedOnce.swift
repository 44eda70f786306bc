// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A request that is asked once, for all who ask the same: its askers. It is found until it has its answer, or nobody
/// waits for that any longer. Under the lock; for the deliverer.
struct AskedOnce: ~Copyable {
  /// A copy of the first asker: what all of them ask.
  private let question: QueuedEvent.Pointer
  /// The origin that it is asked through: see `Key`.
  private let origin: UInt32
  /// In the order of asking.
  var askers = List<Asker, Asker.OfOne>()
  /// The handle of the request.
  var handle = Handle.none
  /// New askers do not join any more.
  var isOver = false

  typealias Pointer = UnsafeMutablePointer<AskedOnce>

  /// What those ask who ask together.
  struct Key: Equatable {
    var type: UInt32 = 0
    /// Their origin, if a server handles what is sent through it; otherwise 0.
    var origin: UInt32 = 0
    var payload = Bytes("")
  }

  struct Entry: HashTableEntry {
    var asked: Pointer?

    var isFree: Bool { asked == nil }
    var key: Key { asked?.pointee.key ?? Key() }

    static func hash(_ key: Key) -> UInt64 {
      NameTable.hash(key.payload) ^ Hash.counted(key.type) ^ Hash.counted(key.origin &+ 1)
    }
  }

  var key: Key {
    let event = question.pointee.event
    return Key(type: event.type, origin: origin, payload: Bytes(event.data, Int(event.size)))
  }
}

extension AskedOnce {
  /// One without askers; nil without memory.
  static func make(
    _ event: UnsafeMutablePointer<mainstem_event>, through origin: UInt32
  ) -> Pointer? {
    guard let asked = Memory.allocate(AskedOnce.self) else { return nil }
    guard let question = QueuedEvent.make(copying: UnsafePointer(event)) else {
      Memory.free(asked)
      return nil
    }
    asked.initialize(to: AskedOnce(question: question, origin: origin))
    return asked
  }

  /// Frees one. Askers that are left wait for answers that they have.
  static func free(_ asked: Pointer) {
    asked.pointee.askers.each { $0.pointee.asked = nil }
    QueuedEvent.free(asked.pointee.question)
    Memory.free(asked)
  }
}

/// A request that waits for the answer to another one. Its call is kept with the request, so it hears when that is
/// settled.
struct Asker {
  /// First, so that a pointer to it is a pointer to the asker.
  var call: SettledCall
  /// What it waits for; nil: no longer.
  var asked: AskedOnce.Pointer?
  let slot: Slot.Pointer
  let handle: Handle
  let position: UInt64
  let correlation: UInt64
  private var links = Links<Asker>()

  typealias Pointer = UnsafeMutablePointer<Asker>
}

extension Asker: Listed {
  enum OfOne: ListName { static var number: Int { 0 } }

  static func links(of node: Pointer, in list: Int) -> Links<Asker> { node.pointee.links }

  static func set(_ links: Links<Asker>, of node: Pointer, in list: Int) {
    node.pointee.links = links
  }
}

extension Asker {
  /// The asker that an event is; nil without memory.
  static func make(
    _ event: UnsafeMutablePointer<mainstem_event>, _ slot: Slot.Pointer
  ) -> Pointer? {
    guard let asker = Memory.allocate(Asker.self) else { return nil }
    asker.initialize(
      to: Asker(
        call: .ofAsker(slot), slot: slot, handle: Handle(bits: event.pointee.reply),
        position: event.pointee.position, correlation: event.pointee.correlation))
    return asker
  }

  /// The asker whose call it is.
  static func of(_ call: SettledCall.Pointer) -> Pointer {
    UnsafeMutableRawPointer(call).assumingMemoryBound(to: Asker.self)
  }

  /// Its call, which goes to its request.
  static func call(of asker: Pointer) -> SettledCall.Pointer {
    UnsafeMutableRawPointer(asker).assumingMemoryBound(to: SettledCall.self)
  }
}
