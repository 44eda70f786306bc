// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// What diary.h declares.
@_cdecl("diary_install")
public func install(_ context: OpaquePointer?, _ patience: Int64) -> Int32 {
  installAs(context, patience, "")
}

/// What diary.h declares.
@_cdecl("diary_install_as")
public func installAs(
  _ context: OpaquePointer?, _ patience: Int64, _ prefix: UnsafePointer<CChar>?
) -> Int32 {
  guard let context, patience > 0, let prefix else { return Status.invalid.rawValue }
  return status { () throws(StreamError) in
    try install(
      in: Context(borrowing: context), patience: .milliseconds(patience),
      prefix: String(cString: prefix))
  }
}

/// What diary.h declares.
@_cdecl("diary_store_add")
public func addStore(
  _ context: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ day: UnsafePointer<CChar>?
) -> Int32 {
  guard let context, let path, day == nil || isDay(day) else { return Status.invalid.rawValue }
  let store = Store(path: String(cString: path), day: day.flatMap { Day(String(cString: $0)) })
  return status { () throws(StreamError) in
    let context = Context(borrowing: context)
    try context.install(store, on: try context.serial("diary store"))
  }
}

/// What diary.h declares.
@_cdecl("diary_is_day")
public func isDay(_ text: UnsafePointer<CChar>?) -> Bool {
  text.map { Day(String(cString: $0)) != nil } ?? false
}

/// What diary.h declares.
@_cdecl("diary_activity")
public func activity(_ context: OpaquePointer?, _ count: UnsafeMutablePointer<UInt64>?) -> Int32 {
  guard let context, let count else { return Status.invalid.rawValue }
  return status { () throws(StreamError) in
    count.pointee = UInt64(try requestCount(of: Context(borrowing: context)))
  }
}

/// How many requests the store has not answered.
private func requestCount(of context: Context) throws(StreamError) -> Int {
  try context.requestCount(of: RequestReadAccount.self)
    + context.requestCount(of: RequestWriteAccount.self)
    + context.requestCount(of: RequestRenewSession.self)
    + context.requestCount(of: RequestReadEntries.self)
    + context.requestCount(of: RequestReadEntry.self)
    + context.requestCount(of: RequestReadDraft.self)
    + context.requestCount(of: RequestWriteDraft.self)
    + context.requestCount(of: RequestWriteEntry.self)
    + context.requestCount(of: RequestEraseEntry.self)
}

/// Installs the app but for its store, which is the host's.
///
/// - Parameters:
///   - context: The context, before its first event.
///   - patience: How long to wait for an answer of the store.
///   - prefix: Comes before the names that other apps in the context have, too: see diary.h.
/// - Throws: The reason it was not installed; ``Status/invalid`` if the process has installed it with another prefix.
public func install(
  in context: Context, patience: Duration, prefix: String = ""
) throws(StreamError) {
  guard Prefix.choose(prefix) else {
    throw StreamError(.invalid, "install: this process has another prefix: \(Prefix.chosen)")
  }
  try context.addService(User.self) { User(patience: patience) }
  try context.addService(Diary.self) { Diary(patience: patience) }
  try UserData.addGate(to: context)
  try context.addRoutes { on in on.flow("\(prefix)app") { _, _ in DiaryFlow() } }
}

private func status(_ body: () throws(StreamError) -> Void) -> Int32 {
  do throws(StreamError) {
    try body()
    return Status.ok.rawValue
  } catch {
    return error.status.rawValue
  }
}
