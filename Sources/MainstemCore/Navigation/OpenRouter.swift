// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

package import CMainstem
internal import Synchronization

/// A router of a host's, behind its handle. It belongs to no stream.
package struct OpenRouter: ~Copyable {
  package var router: Router
  /// The thread that is inside a call; 0: none. Set under the lock of all handles.
  private let user = Atomic<UInt>(0)

  private typealias Pointer = UnsafeMutablePointer<OpenRouter>

  private init(_ router: Router) { self.router = router }
}

extension OpenRouter {
  /// Makes a router for a host.
  package static func open() throws(Refusal) -> Handle {
    var made = try Router()
    guard let router = Memory.allocate(OpenRouter.self) else {
      made.free()
      throw .noMemory
    }
    router.initialize(to: OpenRouter(made))
    do throws(Refusal) {
      return try LooseHandle.make(.router, router)
    } catch {
      router.pointee.router.free()
      destroy(router)
      throw error
    }
  }

  /// Runs `body` with the router behind a handle while no other thread uses it.
  package static func with<Result>(
    _ handle: Handle, _ body: (inout Router) throws(Refusal) -> Result
  ) throws(Refusal) -> Result {
    let (router, _) = try take(handle)
    defer { router.pointee.user.store(0, ordering: .releasing) }
    return try body(&router.pointee.router)
  }

  /// Ends a handle and frees its router.
  package static func close(_ handle: Handle) throws(Refusal) {
    let (router, slot) = try take(handle)
    _ = try LooseHandle.end { slot }
    router.pointee.router.free()
    destroy(router)
  }

  private static func destroy(_ router: Pointer) {
    router.deinitialize(count: 1)
    Memory.free(router)
  }

  /// Looks up a handle and takes its router in one step: closing has to take it, too.
  private static func take(_ handle: Handle) throws(Refusal) -> (Pointer, Slot.Pointer) {
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    let slot = try LooseHandle.find(handle, .router, "router")
    guard let router = slot.pointee.object?.assumingMemoryBound(to: OpenRouter.self) else {
      throw .ended
    }
    let me = UInt(mainstem_p_thread_identity())
    let (isMine, other) = router.pointee.user.compareExchange(
      expected: 0, desired: me, ordering: .acquiring)
    guard isMine else {
      throw other == me
        ? Refusal(.busy, "router", "is asking a type: its function may not call the router")
        : Refusal(.wrongThread, "router", "is in use on another thread")
    }
    return (router, slot)
  }
}

extension RouteMatch {
  /// Makes a handle for a match, or frees it.
  package static func open(_ match: Pointer) throws(Refusal) -> Handle {
    do throws(Refusal) {
      return try LooseHandle.make(.match, match)
    } catch {
      Memory.free(match)
      throw error
    }
  }

  /// Reads all of a match, which cannot end meanwhile.
  package static func read(_ handle: Handle) throws(Refusal) -> mainstem_match_info {
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    return try find(handle).info
  }

  /// Reads a parameter, or an item of the query.
  package static func read(
    _ handle: Handle, _ name: UnsafePointer<CChar>?
  ) throws(Refusal) -> mainstem_parameter {
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    return try find(handle).find(name)
  }

  @inline(never)
  private static func find(_ handle: Handle) throws(Refusal) -> RouteMatch {
    let slot = try LooseHandle.find(handle, .match, "match")
    guard let match = slot.pointee.object?.assumingMemoryBound(to: RouteMatch.self) else {
      throw .ended
    }
    return match.pointee
  }

  /// Ends a handle and frees its match.
  package static func close(_ handle: Handle) throws(Refusal) {
    Memory.free(
      try LooseHandle.end { () throws(Refusal) in try LooseHandle.find(handle, .match, "match") })
  }
}
