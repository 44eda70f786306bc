// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// The lists of a flight recorder, as they were with their last recorded events, so that each file can begin with them.
/// Belongs to the deliverer.
package struct RecordedLists {
  struct Recorded: Listed {
    let type: UInt32
    let origin: UInt32
    fileprivate(set) var position: UInt64 = 0
    fileprivate(set) var version: ListVersion.Pointer?
    private var inOrder = Links<Recorded>()

    fileprivate init(_ event: UnsafePointer<mainstem_event>) {
      (type, origin) = (event.pointee.type, event.pointee.origin)
    }

    fileprivate var key: UInt64 { UInt64(type) << 32 | UInt64(origin) }

    package static func links(
      of node: UnsafeMutablePointer<Recorded>, in list: Int
    ) -> Links<Recorded> { node.pointee.inOrder }

    package static func set(
      _ links: Links<Recorded>, of node: UnsafeMutablePointer<Recorded>, in list: Int
    ) { node.pointee.inOrder = links }
  }

  /// In the order of their last events.
  private enum Order: ListName { static var number: Int { 0 } }

  private struct Place: HashTableEntry {
    var key: UInt64 = 0
    var node: UnsafeMutablePointer<Recorded>?

    var isFree: Bool { node == nil }
    static func hash(_ key: UInt64) -> UInt64 { key &* 0x9E37_79B9_7F4A_7C15 }
  }

  /// Whether the journal is a flight recorder.
  package var areKept = false
  private var listed = List<Recorded, Order>()
  private var table = HashTable<Place>()

  package init() {}

  /// Notes the event of a list. Without memory, or if its changes are not recorded, the list is not known.
  mutating func note(_ event: UnsafePointer<mainstem_event>, isWhole: Bool) {
    guard areKept else { return }
    let key = UInt64(event.pointee.type) << 32 | UInt64(event.pointee.origin)
    if let known = table.find(key)?.pointee.node { remove(known) }
    guard isWhole, event.pointee.flags & UInt32(MAINSTEM_EVENT_MARKED) == 0, table.reserve(),
      let node = Memory.allocate(Recorded.self)
    else { return }
    node.initialize(to: Recorded(event))
    let version = ListStep.of(event).pointee.version
    ListVersion.retain(version)
    (node.pointee.version, node.pointee.position) = (version, event.pointee.position)
    table.insert(Place(key: key, node: node))
    listed.append(node)
  }

  private mutating func remove(_ node: UnsafeMutablePointer<Recorded>) {
    table.remove(node.pointee.key)
    listed.remove(node)
    ListVersion.release(node.pointee.version)
    Memory.free(node)
  }

  /// Visits all, in the order of their last events; those for which `visit` returns false are forgotten.
  mutating func each(
    _ visit: (Recorded, ListVersion.Pointer) throws(OutputError) -> Bool
  ) throws(OutputError) {
    var next = listed.first
    while let node = next, let version = node.pointee.version {
      next = List<Recorded, Order>.next(after: node)
      if try !visit(node.pointee, version) { remove(node) }
    }
  }

  mutating func free() {
    while let node = listed.first { remove(node) }
    table.free()
  }
}

extension WholeList {
  /// Nil: the record is too short, or its event later than itself.
  init?(_ record: JournalRecord) {
    self.init(Bytes(record.payload, record.size))
    guard position <= record.position else { return nil }
  }
}

/// Beginning a file with the lists.
extension Recorder {
  /// Adds the lists to a new file, which `end` bytes of were written.
  static func addLists(
    _ recorder: Pointer, _ stream: Stream, _ file: OutputFile, _ end: inout UInt64
  ) throws(OutputError) {
    let writer = recorder.pointee.writer
    var lists = writer.pointee.lists
    defer { writer.pointee.lists = lists }
    try lists.each { (list, version) throws(OutputError) in
      let isThere = stream.withValues { stream.values.pointee.hasList(list.type, list.origin) }
      guard isThere else { return false }
      if !writer.pointee.records.fits(0) { try flush(recorder, file, &end) }
      let said = writer.pointee.name(list.type, list.origin, stream)
      guard let (payload, size) = bytes(of: list, version, said.origin) else { return true }
      defer { Memory.free(payload) }
      var header = mainstem_event_header()
      (header.position, header.time) = (writer.pointee.last, stream.time)
      (header.status, header.size) = (
        RecordFormat.Kind.list, UInt32(truncatingIfNeeded: size)
      )
      if writer.pointee.records.fits(size) {
        writer.pointee.records.add(header, payload)
        return true
      }
      try flush(recorder, file, &end)
      let (head, tail) = writer.pointee.records.frame(header, payload)
      try file.write(head, at: end)
      try file.write(Bytes(payload, size), at: end &+ UInt64(head.count))
      try file.write(tail, at: end &+ UInt64(head.count &+ size))
      end &+= UInt64(head.count &+ size &+ tail.count)
      return true
    }
  }

  /// Writes what the buffer has.
  static func flush(
    _ recorder: Pointer, _ file: OutputFile, _ end: inout UInt64
  ) throws(OutputError) {
    let writer = recorder.pointee.writer
    let bytes = writer.pointee.records.bytes
    try file.write(bytes, at: end)
    end &+= UInt64(bytes.count)
    writer.pointee.records.clear()
  }

  /// The payload of a list's record; nil without memory.
  private static func bytes(
    of list: RecordedLists.Recorded, _ version: ListVersion.Pointer, _ origin: UInt32
  ) -> (UnsafeMutablePointer<UInt8>, Int)? {
    guard let step = ListStep.whole(version) else { return nil }
    defer { ListStep.release(step) }
    let size = WholeList.headerSize &+ step.pointee.size
    guard size <= Int(UInt32.max), let memory = Memory.allocate(UInt8.self, count: size) else {
      return nil
    }
    let start = UnsafeMutableRawPointer(memory)
    start.storeBytes(of: list.type.littleEndian, as: UInt32.self)
    start.storeBytes(of: origin.littleEndian, toByteOffset: 4, as: UInt32.self)
    start.storeBytes(of: list.position.littleEndian, toByteOffset: 8, as: UInt64.self)
    (start + WholeList.headerSize).copyMemory(
      from: ListStep.data(of: step), byteCount: step.pointee.size)
    return (memory, size)
  }
}
