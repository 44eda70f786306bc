// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

// What the core has not yet: models as servers.

let MAINSTEM_SHOWS: Int32 = 1
let MAINSTEM_WRITABLE: Int32 = 2
let MAINSTEM_PULSES: Int32 = 3
let MAINSTEM_COMMAND: Int32 = 4

struct mainstem_model_row {
  var name: UnsafePointer<CChar>?
  var kind: UInt32 = 0
  var contract: mainstem_contract = 0
  var fn: mainstem_event_fn?
  var enabled: UnsafePointer<CChar>?
  var policy: UInt32 = 0
  var answer: mainstem_contract = 0
}

func mainstem_model_add(
  _ context: OpaquePointer?, _ name: String?, _ rows: UnsafePointer<mainstem_model_row>?,
  _ rowSize: Int, _ count: Int, _ show: @escaping mainstem_show_fn,
  _ userData: UnsafeMutableRawPointer?, _ release: mainstem_release_fn?,
  _ model: UnsafeMutablePointer<OpaquePointer?>
) -> mainstem_status {
  let owner: String
  if let name {
    owner = name
  } else {
    var (number, scope, found) = (UInt64(0), OpaquePointer?.none, UnsafePointer<CChar>?.none)
    mainstem_scope_number(context, &number)
    mainstem_scope_find(context, number, &scope, &found)
    owner = found.map { String(cString: $0) } ?? ""
  }
  var names: [String] = []
  var flags: [UInt32] = []
  var functions: [mainstem_event_fn?] = []
  for row in UnsafeBufferPointer(start: rows, count: count) {
    let type = "\(owner).\(row.name.map { String(cString: $0) } ?? "")"
    var layer: mainstem_contract = 0
    let kind = Int32(row.kind)
    mainstem_layer_add(
      context, kind == MAINSTEM_SHOWS || kind == MAINSTEM_PULSES ? "viewmodel" : "view", &layer)
    var number: mainstem_event_type = 0
    var role = kind == MAINSTEM_PULSES ? MAINSTEM_ROLE_NOTICE : MAINSTEM_ROLE_VALUE
    var answer: String?
    if kind == MAINSTEM_COMMAND {
      role = MAINSTEM_ROLE_REQUEST
      answer = "\(type).done"
      mainstem_type_add(
        context, "\(type).done", row.answer | layer | MAINSTEM_ROLE_RESPONSE, nil, &number)
    }
    let status = mainstem_type_add(context, type, row.contract | layer | role, answer, &number)
    if status != 0 { return status }
    guard let fn = row.fn else { continue }
    names.append(type)
    functions.append(fn)
    flags.append(
      UInt32(MAINSTEM_HANDLER_OWN)
        | (kind == MAINSTEM_WRITABLE ? UInt32(MAINSTEM_HANDLER_WRITTEN) : 0))
  }
  var options = mainstem_server_options()
  mainstem_server_options_init(&options, MemoryLayout<mainstem_server_options>.size)
  options.show = show
  return CStrings(names).withPointers { names in
    let rows = names.indices.map {
      mainstem_handler_row_with(
        row: mainstem_handler_row(type: names[$0], fn: functions[$0]), flags: flags[$0])
    }
    return rows.withUnsafeBufferPointer { rows in
      mainstem_server_add_with(
        context, owner, rows.baseAddress?.pointer(to: \.row),
        MemoryLayout<mainstem_handler_row_with>.stride, rows.count, &options, userData, release,
        model)
    }
  }
}
