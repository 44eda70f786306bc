// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// A URL, taken apart: split first, decoded once after.
struct SplitURL {
  let scheme: Bytes
  let query: Bytes
  /// nil: there is none.
  let fragment: Bytes?
  /// The segments of the path, decoded.
  let segments: UnsafeMutablePointer<Bytes>
  private(set) var count = 0
  /// The bytes of the path, which is decoded to no more.
  let lengthOfPath: Int

  private static var longest: Int { 65536 }

  /// Takes a URL apart. It must live as long; so must what it contains, until `free`.
  init(_ text: UnsafePointer<CChar>?) throws(Refusal) {
    let url = try Bytes.checked(text, "url", atMost: SplitURL.longest)
    try url.checkEscapes()
    let hash = url.index(of: 0x23)
    fragment = hash < url.count ? url.part(hash &+ 1, url.count) : nil
    let before = url.part(0, hash)
    let mark = before.index(of: 0x3F)
    query = before.part(min(mark &+ 1, hash), hash)
    let path = before.part(0, mark)
    lengthOfPath = path.count
    var texts = SegmentedText(path)
    scheme = texts.scheme
    // A segment and its slash are two bytes; the decoded text comes behind the segments.
    let most = path.count / 2 &+ 1
    let room = path.count / MemoryLayout<Bytes>.stride &+ 1
    guard let memory = Memory.allocate(Bytes.self, count: most &+ room) else { throw .noMemory }
    segments = memory
    var text = UnsafeMutableRawPointer(memory + most)
    while let segment = texts.next() {
      let length = segment.decode(to: text)
      let decoded = Bytes(text, length)
      if let reason = decoded.faultOfSegment {
        Memory.free(memory)
        throw .badURL(at: segment.start - url.start, reason)
      }
      memory[count] = decoded
      count &+= 1
      text += length
    }
  }

  func free() { Memory.free(segments) }

  /// The items of the query; empty ones are none.
  var items: QueryItems { QueryItems(rest: query) }

  var countOfItems: Int {
    var items = items
    var count = 0
    while items.next() != nil { count &+= 1 }
    return count
  }
}

/// The items of a query, between "&".
struct QueryItems {
  fileprivate var rest: Bytes

  /// The next item; nil at the end.
  @inline(never)
  mutating func next() -> Bytes? {
    while rest.count > 0 {
      let end = rest.index(of: 0x26)
      let item = rest.part(0, end)
      rest = rest.part(min(end &+ 1, rest.count), rest.count)
      if item.count > 0 { return item }
    }
    return nil
  }
}

extension Bytes {
  /// Checks that each % begins an escape.
  fileprivate func checkEscapes() throws(Refusal) {
    var index = 0
    while index < count {
      if self[index] == 0x25 {
        guard index &+ 2 < count, Bytes.digit(self[index &+ 1]) < 16,
          Bytes.digit(self[index &+ 2]) < 16
        else { throw .badURL(at: index, "begins no escape: write %25 for a percent sign") }
      }
      index &+= 1
    }
  }

  /// Decodes text whose escapes were checked, and returns the length.
  func decode(to out: UnsafeMutableRawPointer) -> Int {
    var index = 0
    var length = 0
    while index < count {
      var byte = self[index]
      if byte == 0x25 {
        byte = Bytes.digit(self[index &+ 1]) << 4 | Bytes.digit(self[index &+ 2])
        index &+= 2
      }
      out.storeBytes(of: byte, toByteOffset: length, as: UInt8.self)
      length &+= 1
      index &+= 1
    }
    return length
  }

  /// Why it cannot be a segment of a path, decoded; nil: it can.
  @inline(never)
  var faultOfSegment: Phrase? {
    if index(of: 0x2F) < count { return "has an escaped slash" }
    if index(of: 0) < count { return "has a zero" }
    if isDots { return "is a segment . or .." }
    return isUTF8 ? nil : "is not UTF-8"
  }
}

extension Refusal {
  fileprivate static func badURL(at index: Int, _ reason: Phrase) -> Refusal {
    var subject = SubjectWriter()
    subject.add("what begins at byte ")
    subject.add(UInt64(index))
    return Refusal(.badURL, "url", reason, .name(subject.bytes))
  }
}
