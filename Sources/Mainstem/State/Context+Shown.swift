// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension Context {
  /// Decodes what a view model has shown or told, for a test kit.
  ///
  /// - Parameters:
  ///   - bytes: The payload.
  ///   - name: The name of its type, such as `Lookup.summary`.
  ///   - type: The type of the value.
  package func shown<Value: Decodable>(
    _ bytes: [UInt8], of name: String, as type: Value.Type
  ) throws -> Value {
    let form = ValueForm(type)
    let contract = try types.contract(of: try types.number(named: name))
    guard contract.payload == form.payload else {
      throw StreamError(
        .invalid, "\(name) is of type \(contract.typeName), and cannot be read as \(type)")
    }
    return try bytes.withUnsafeBytes { bytes in
      var event = mainstem_event()
      (event.data, event.size) = (bytes.baseAddress, UInt32(bytes.count))
      return try form.value(type, of: event, types)
    }
  }
}
