// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import CMainstemNATS
internal import Mainstem

/// The options of one call, whose texts live as long as that.
struct BridgeOptions {
  typealias Text = WritableKeyPath<mainstem_nats_options, UnsafePointer<CChar>?>
  typealias List = WritableKeyPath<
    mainstem_nats_options, UnsafePointer<UnsafePointer<CChar>?>?
  >

  /// What is no text.
  var fields = mainstem_nats_options()
  private var texts: [(field: Text, text: String)] = []
  private var lists: [(field: List, texts: [String])] = []

  init(_ connection: NATSConnection) throws(StreamError) {
    fields.size = UInt32(MemoryLayout<mainstem_nats_options>.size)
    fields.flags = connection.usesTLS ? UInt32(MAINSTEM_NATS_TLS) : 0
    set(\.url, connection.url)
    set(\.name, connection.name)
    set(\.user, connection.user)
    set(\.password, connection.password?.withBytes { String(decoding: $0, as: UTF8.self) })
    set(\.credentials, connection.credentials)
    set(\.authorities, connection.authorities)
    set(\.certificate, connection.certificate)
    set(\.key, connection.key)
    set(\.host, connection.host)
  }

  /// Sets a text; `nil`: the default.
  mutating func set(_ field: Text, _ text: String?) {
    if let text { texts.append((field, text)) }
  }

  /// Sets a list, but not its count; an empty one: the default.
  mutating func set(_ field: List, _ texts: [String]) {
    if !texts.isEmpty { lists.append((field, texts)) }
  }

  /// Makes a call with the options.
  func call(_ body: (inout mainstem_nats_options) -> mainstem_status) throws(StreamError) {
    var options = fields
    let all = texts.map(\.text) + lists.flatMap(\.texts)
    for text in all { try StreamError.demandNoZero(text, "a text of the options") }
    let strings = CStrings(all)
    let status = strings.withPointers { pointers in
      pointers.withUnsafeBufferPointer { pointers in
        for (place, text) in zip(pointers, texts) { options[keyPath: text.field] = place }
        var rest = pointers.dropFirst(texts.count)
        for list in lists {
          options[keyPath: list.field] = UnsafeBufferPointer(rebasing: rest).baseAddress
          rest = rest.dropFirst(list.texts.count)
        }
        return body(&options)
      }
    }
    try StreamError.check(nats: status)
  }

  /// Makes a call that begins a bridge.
  func begin(
    of context: Context?,
    _ body: (inout mainstem_nats_options, inout OpaquePointer?) -> mainstem_status
  ) throws(StreamError) -> Bridge {
    var handle: OpaquePointer?
    try call { body(&$0, &handle) }
    return Bridge(handle, of: context)
  }
}

extension StreamError {
  /// Throws the status that a call of the bridge has returned, unless it is OK.
  static func check(nats status: mainstem_status) throws(StreamError) {
    guard status != 0 else { return }
    throw StreamError(Status(rawValue: status), String(cString: mainstem_nats_last_error()))
  }
}
