// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

/// The types of a navigator's events.
package struct NavigatorTypes {
  package let move: UInt32
  let result: UInt32
  let opened: UInt32
  let show: UInt32
  let hide: UInt32
  let tree: UInt32
  package let ready: UInt32
  package let gone: UInt32
  package let finish: UInt32
  let link: UInt32
  let ended: UInt32
}

extension Stream {
  /// Registers the types of a navigator. Under the lock.
  func addNavigatorTypes() throws(Refusal) -> NavigatorTypes {
    let result = try addNavigatorType("MainstemResult", .bytes, .response)
    _ = try addNavigatorType("MainstemShown", .none, .response)
    _ = try addNavigatorType("MainstemHidden", .none, .response)
    let move = try addNavigatorType("MainstemMove", .json, .request, answeredBy: "MainstemResult")
    let show = try addNavigatorType("MainstemShow", .json, .request, answeredBy: "MainstemShown")
    let hide = try addNavigatorType("MainstemHide", .json, .request, answeredBy: "MainstemHidden")
    try addEndType()
    return NavigatorTypes(
      move: move, result: result, opened: try addNavigatorType("MainstemOpened", .integer, .notice),
      show: show,
      hide: hide, tree: try addNavigatorType("MainstemTree", .json, .notice),
      ready: try addNavigatorType("MainstemReady", .none, .notice),
      gone: try addNavigatorType("MainstemGone", .integer, .notice),
      finish: try addNavigatorType("MainstemFinish", .bytes, .notice),
      link: try addNavigatorType("MainstemLink", .text, .notice),
      ended: state.pointee.reports.ended)
  }

  private func addNavigatorType(
    _ name: StaticString, _ payload: Contract.Payload, _ role: Contract.Role,
    answeredBy response: StaticString? = nil
  ) throws(Refusal) -> UInt32 {
    let bits = payload.rawValue << 32 | role.rawValue << 36 | NavigatorTypes.layer
    return try addType(Bytes(name), bits, response: response.map { Bytes($0) })
  }
}

extension NavigatorTypes {
  /// Whether an event of a type says what is shown, and what is hidden.
  package func isShow(_ type: UInt32) -> Bool { type == show || type == tree }
  package func isHide(_ type: UInt32) -> Bool { type == hide || type == tree }

  /// The bits of the layer navigation in a contract.
  static var layer: UInt64 { 4 << 40 }
}
