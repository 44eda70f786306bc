// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// What dashboard.h declares.
@_cdecl("dashboard_install")
public func install(_ context: OpaquePointer?, _ patience: Int64) -> Int32 {
  guard let context, patience > 0 else { return Status.invalid.rawValue }
  do throws(StreamError) {
    try install(in: Context(borrowing: context), patience: .milliseconds(patience))
    return Status.ok.rawValue
  } catch {
    return error.status.rawValue
  }
}

/// Installs the app but for the provider of RequestHttp, which is the host's.
///
/// - Parameters:
///   - context: The context, before its first event.
///   - patience: How long to wait for an answer of a site.
/// - Throws: The reason it was not installed.
public func install(in context: Context, patience: Duration) throws(StreamError) {
  try context.addRoutes { on in
    on.flow("app") { _, route in DashboardFlow(site: route.query("site") ?? "") }
  }
  try context.addService(Users.self) { Users(patience: patience) }
}
