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

/// The part of a URL before its query, or a pattern: a scheme, if it has one, and segments between slashes. Slashes in
/// a row count as one, one at either end as none.
struct SegmentedText {
  /// Empty if there is none.
  let scheme: Bytes
  private let text: Bytes
  private var index: Int

  init(_ text: Bytes) {
    let length = SegmentedText.lengthOfScheme(text)
    scheme = Bytes(text.start, length)
    self.text = text
    index = length == 0 ? 0 : length &+ 3
  }

  /// Where the segments begin.
  var begin: Int { scheme.count == 0 ? 0 : scheme.count &+ 3 }

  /// The next segment; nil at the end.
  @inline(never)
  mutating func next() -> Bytes? {
    while index < text.count, text[index] == 0x2F { index &+= 1 }
    guard index < text.count else { return nil }
    let first = index
    while index < text.count, text[index] != 0x2F { index &+= 1 }
    return Bytes(text.start + first, index &- first)
  }

  /// The bytes of a scheme before "://"; 0: there is none.
  private static func lengthOfScheme(_ text: Bytes) -> Int {
    var length = 0
    while length < text.count, isOfScheme(text[length], isFirst: length == 0) { length &+= 1 }
    let rest = Bytes(text.start + length, text.count &- length)
    return length > 0 && rest.hasPrefix("://") ? length : 0
  }

  private static func isOfScheme(_ byte: UInt8, isFirst: Bool) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A: true
    case 0x30...0x39, 0x2B, 0x2D, 0x2E: !isFirst
    default: false
    }
  }
}

extension Bytes {
  /// Whether it is "." or "..".
  var isDots: Bool { self == Bytes(".") || self == Bytes("..") }

  /// The index of a byte; `count` if it is not there.
  @inline(never)
  func index(of byte: UInt8) -> Int {
    var index = 0
    while index < count, self[index] != byte { index &+= 1 }
    return index
  }

  /// The bytes from one index to another.
  func part(_ from: Int, _ to: Int) -> Bytes { Bytes(start + from, to &- from) }
}
