// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

/// A closure that is told of changes, as C calls it. Its binding keeps it.
final class ChangesCallback {
  private let body: ([String]) -> Void

  init(_ body: @escaping ([String]) -> Void) { self.body = body }

  // The binding keeps it as long as C has the address.
  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let call:
    @Sendable @convention(c) (
      UnsafeMutableRawPointer?, UnsafePointer<UnsafePointer<CChar>?>?, Int
    ) -> Void = { userData, names, count in
      guard let userData, let names else { return }
      let told = (0..<count).compactMap { names[$0].map { String(cString: $0) } }
      // See `address`.
      Unmanaged<ChangesCallback>.fromOpaque(userData).takeUnretainedValue().body(told)
    }
}

/// A closure that is told of the end of an owner, as C calls it. Its binding keeps it.
final class EndedCallback {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  // The binding keeps it as long as C has the address.
  var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static let call: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void = { userData in
    guard let userData else { return }
    // See `address`. The closure may set another one, which would free this one: it stays until it has returned.
    let callback = Unmanaged<EndedCallback>.fromOpaque(userData).takeUnretainedValue()
    withExtendedLifetime(callback) { callback.body() }
  }
}
