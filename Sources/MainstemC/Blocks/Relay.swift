// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem

extension UnsafePointer where Pointee == mainstem_event {
  /// Answers a request with what another one was answered with.
  func relay(to request: UnsafePointer<mainstem_event>) {
    guard pointee.status != 0 else {
      let status = mainstem_respond(request, pointee.data, Int(pointee.size))
      if status != 0 { mainstem_respond_error(request, status, mainstem_last_error()) }
      return
    }
    var error = mainstem_error()
    error.size = UInt32(MemoryLayout<mainstem_error>.size)
    mainstem_event_error(self, &error)
    mainstem_respond_error_with(request, &error)
  }
}
