// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The numbers that a journal's types, layers and origins have in the context. A journal names each of them before the
/// first event that needs it.
struct ReplayNumbers: ~Copyable {
  private let stream: Stream
  /// The context's numbers for the journal's, and the journal's numbers for the context's types.
  private var types = NumberMap()
  private var origins = NumberMap()
  /// The origins that earlier files of the session have named, by themselves, and this one has not.
  private var earlier = NumberMap()
  private var layers = NumberMap()
  private var typesThere = NumberMap()

  init(in stream: Stream) { self.stream = stream }

  deinit { forgetOrigins() }

  /// The most types to register, and the most origins at a time. A context keeps some hundred bytes for each, so a
  /// stranger's file takes 32 MiB at most.
  private static var mostTypes: UInt32 { 1 << 16 }
  private static var mostOrigins: Int { 1 << 17 }

  /// The context's number for a type; nil: it has no name.
  func type(_ number: UInt32) -> UInt32? { types.find(number) }

  /// The context's number for an origin; nil: it has no name. 0 is the context itself.
  func origin(_ number: UInt32) -> UInt32? { number == 0 ? 0 : origins.find(number) }

  /// The number that a type of the context has in the journal; 0: the journal does not have it.
  func typeThere(_ type: UInt32) -> UInt32 { typesThere.find(type) ?? 0 }

  /// Forgets all of them: a session names its own.
  mutating func clear() {
    types.clear()
    typesThere.clear()
    forgetOrigins()
    origins.clear()
    earlier.clear()
    layers.clear()
  }

  /// Ends the journal's origins: each is forgotten when no event of it waits any longer.
  private func forgetOrigins() {
    stream.locked {
      origins.each { stream.endFedOrigin($0) }
      earlier.each { stream.endFedOrigin($0) }
    }
  }

  /// Goes on with the session's next file, which numbers its origins anew. Those that still have values are kept.
  mutating func goOn() {
    var kept = NumberMap()
    stream.locked {
      earlier.each { keep($0, in: &kept) }
      origins.each { keep($0, in: &kept) }
    }
    swap(&earlier, &kept)
    origins.clear()
  }

  private func keep(_ origin: UInt32, in kept: inout NumberMap) {
    if !stream.state.pointee.scopes.origins.hasValues(origin) || !kept.set(origin, origin) {
      stream.endFedOrigin(origin)
    }
  }

  /// Marks the origins that may still be fed, and returns how many they are. Under the lock.
  func markOrigins() -> Int {
    origins.each { stream.markOrigin($0) }
    earlier.each { stream.markOrigin($0) }
    return origins.count &+ earlier.count
  }
}

/// Taking names from the journal.
extension ReplayNumbers {
  /// Registers a type of the journal, if the context does not have it.
  mutating func takeType(_ number: UInt32, from reader: borrowing JournalReader) throws(Refusal) {
    guard let name = reader.names.types.name(of: number),
      let response = reader.names.types.responseName(of: number),
      let contract = reader.names.types.contract(of: number)
    else { return }
    let layer = Int(contract.layer) < Layers.ownCount ? contract.layer : layers.find(contract.layer)
    guard let layer else {
      throw reader.unsound("is followed by an event type whose layer has no name")
    }
    let here: UInt32
    do throws(Refusal) {
      here = try stream.locked { () throws(Refusal) in
        try stream.addType(
          name, contract.moved(to: layer).bits, response: response.count > 0 ? response : nil)
      }
    } catch {
      guard error.status == .invalid else { throw error }
      let reason = difference(of: name, from: contract.moved(to: layer))
      var subject = SubjectWriter()
      subject.add(name)
      throw Refusal(.invalid, "path", reason, .name(subject.bytes))
    }
    guard here <= Self.mostTypes else {
      throw Refusal(.limit, "path", "has more event types than a replay can register")
    }
    guard types.set(number, here), typesThere.set(here, number) else { throw .noMemory }
  }

  /// What is different about a type that cannot be registered as the journal has it.
  private func difference(of name: Bytes, from there: Contract) -> Phrase {
    let here = stream.locked { stream.contract(of: stream.state.pointee.types.find(name)) }
    if here.bits == there.bits { return "has another response in this context than in the journal" }
    guard here.isSecret == there.isSecret else {
      return "is a secret here or in the journal, not both"
    }
    if here.payload != there.payload {
      return "carries another payload in this context than in the journal"
    }
    if here.role != there.role { return "has another role in this context than in the journal" }
    if here.layer != there.layer {
      return "is of another layer in this context than in the journal"
    }
    if here.recordMode != there.recordMode {
      return "is recorded in another way in this context than in the journal"
    }
    return "has another contract in this context than in the journal"
  }

  /// Registers a layer of the journal; those of the library have the same number everywhere.
  mutating func takeLayer(_ number: UInt32, from reader: borrowing JournalReader) throws(Refusal) {
    guard let name = reader.names.layers.name(of: number), Int(number) >= Layers.ownCount else {
      return
    }
    let here = try stream.locked { () throws(Refusal) in
      try stream.state.pointee.layers.number(of: name)
    }
    guard layers.set(number, here) else { throw .noMemory }
  }

  /// Gives an origin a number. The journal may use its own again for another one: then the former is forgotten.
  ///
  /// In a repetition, the scope has the number that it had in the journal. It may be made only after its origin is read.
  mutating func takeOrigin(
    _ record: JournalRecord, from reader: borrowing JournalReader
  ) throws(Refusal) {
    guard let origin = record.origin(version: reader.version),
      let name = reader.names.origins.name(of: origin.number)
    else { return }
    let number = origin.number
    let here = try stream.locked { () throws(Refusal) in
      guard
        let here = stream.addFedOrigin(name, scope: origin.scope, below: origin.parent)
      else { throw .noMemory }
      return here
    }
    earlier.remove(here)
    let former = origins.find(number)
    guard origins.set(number, here) else {
      stream.locked { stream.endFedOrigin(here) }
      throw .noMemory
    }
    if let former, former != here { stream.locked { stream.endFedOrigin(former) } }
    guard origins.count &+ earlier.count <= Self.mostOrigins else {
      throw Refusal(.limit, "path", "has more origins at a time than a replay can register")
    }
  }
}
