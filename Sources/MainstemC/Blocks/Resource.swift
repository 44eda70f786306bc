// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore
internal import Synchronization

/// Bytes that several may use; the last one frees them. They follow it in its memory.
struct Resource: ~Copyable {
  typealias Pointer = UnsafeMutablePointer<Resource>

  private let uses = Atomic<Int>(1)
  let size: Int

  /// Copies bytes, for one user; nil without memory.
  static func make(copying source: UnsafeRawPointer?, _ size: Int) -> Pointer? {
    let (room, overflow) = size.addingReportingOverflow(MemoryLayout<Resource>.stride)
    guard !overflow, let memory = Memory.allocate(UInt8.self, count: room) else { return nil }
    let raw = UnsafeMutableRawPointer(memory)
    let resource = raw.bindMemory(to: Resource.self, capacity: 1)
    resource.initialize(to: Resource(size: size))
    if let source { data(of: resource).copyMemory(from: source, byteCount: size) }
    return resource
  }

  private init(size: Int) { self.size = size }

  static func data(of resource: Pointer) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(resource) + MemoryLayout<Resource>.stride
  }

  static func use(_ resource: Pointer) {
    resource.pointee.uses.add(1, ordering: .relaxed)
  }

  static func unuse(_ resource: Pointer?) {
    guard let resource,
      resource.pointee.uses.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    else { return }
    resource.deinitialize(count: 1)
    Memory.free(resource)
  }
}

/// Its handles.
extension Resource {
  /// Makes a handle that has a use, or gives the use back.
  static func open(_ resource: Pointer) throws(Refusal) -> Handle {
    do throws(Refusal) {
      return try LooseHandle.make(.resource, resource)
    } catch {
      unuse(resource)
      throw error
    }
  }

  static func read(_ handle: Handle) throws(Refusal) -> (data: UnsafeRawPointer, size: Int) {
    mainstem_p_handles_lock()
    defer { mainstem_p_handles_unlock() }
    guard let resource = try find(handle).pointee.object?.assumingMemoryBound(to: Resource.self)
    else { throw .ended }
    return (UnsafeRawPointer(data(of: resource)), resource.pointee.size)
  }

  static func close(_ handle: Handle) throws(Refusal) {
    let object = try LooseHandle.end { () throws(Refusal) in try find(handle) }
    unuse(object?.assumingMemoryBound(to: Resource.self))
  }

  private static func find(_ handle: Handle) throws(Refusal) -> Slot.Pointer {
    try LooseHandle.find(handle, .resource, "resource")
  }
}
