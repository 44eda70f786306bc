// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

public import Mainstem

/// What tweetboat.h declares.
@_cdecl("tweetboat_install")
public func install(_ context: OpaquePointer?, _ patience: Int64) -> Int32 {
  guard let context, patience > 0 else { return Status.invalid.rawValue }
  do throws(StreamError) {
    try install(in: Context(borrowing: context), patience: .milliseconds(patience))
    return Status.ok.rawValue
  } catch {
    return error.status.rawValue
  }
}

/// Installs the app but for what is the host's: the provider of RequestHttp, and the resources of RequestPicture.
///
/// - Parameters:
///   - context: The context, before its first event.
///   - patience: How long to wait for an answer of a site.
/// - Throws: The reason it was not installed.
public func install(in context: Context, patience: Duration) throws(StreamError) {
  try context.addService(Timelines.self) { Timelines(patience: patience) }
  try context.addFactory(Lookup.self) { (site: String) in
    Lookup(site: site, pictures: Pictures(patience: patience))
  }
}

/// Adds the pictures as a host does, for a program in Swift: what verifies a session has no provider for them.
///
/// - Parameter context: The context, before its first event.
/// - Throws: The reason they were not added.
public func addPictures(to context: Context) throws(StreamError) {
  _ = try context.addResources(
    "Pictures", RequestPicture.self, behind: RequestFetchPicture.self, drop: PictureDropped.self)
}
