// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// What admission knows of a context: what it may use, what was refused, and whether a send may take a short way.
/// Atomics are for every thread; the rest changes under both locks, before the first event.
package struct Admissions: ~Copyable {
  var limits = Limits()
  var keepsTime = false
  /// The owner, if the stream does nothing with an event but deliver it, and no other thread has left something for the
  /// owner to do; otherwise `noThread`.
  let quickOwner = Atomic<UInt>(Admissions.noThread)
  /// Events that were refused because there was no room or the cascade was too long.
  private let rejected = Atomic<UInt64>(0)
  /// How many of the rejections cut a cascade.
  private let cuts = Atomic<UInt64>(0)
  /// What was accepted together, and is not recorded yet. Set by the deliverer.
  let gathered = Gathered()

  package init() {}

  /// A number that no thread has.
  private static var noThread: UInt { UInt.max }

  /// Whether some thread may take a short way.
  var allowsQuickSends: Bool {
    quickOwner.load(ordering: .relaxed) != Admissions.noThread
  }

  /// Counts an event that was refused.
  func countRejection() { rejected.wrappingAdd(1, ordering: .relaxed) }

  /// Counts a cascade that is cut, and with it a rejection.
  ///
  /// - Returns: How many are cut so far.
  func countCut() -> UInt64 {
    countRejection()
    return cuts.wrappingAdd(1, ordering: .relaxed).newValue
  }

  fileprivate var rejections: UInt64 { rejected.load(ordering: .relaxed) }

  fileprivate func forgetRejections() {
    rejected.store(0, ordering: .relaxed)
    cuts.store(0, ordering: .relaxed)
  }

  fileprivate func setQuickOwner(_ owner: UInt?) {
    quickOwner.store(owner ?? Admissions.noThread, ordering: .relaxed)
  }
}

extension Stream {
  /// Says what a context may use. Before the first event, when the stream has its owner.
  package func openAdmission(keepsTime: Bool, _ limits: Limits) {
    state.pointee.admissions.keepsTime = keepsTime
    state.pointee.admissions.limits = limits
    state.pointee.admissions.forgetRejections()
    allowQuickSends()
  }

  /// Lets no send take a short way until `allowQuickSends`.
  package func forbidQuickSends() { state.pointee.admissions.setQuickOwner(nil) }

  /// Lets sends take the short ways, if this stream only delivers its events.
  package func allowQuickSends() {
    let mayShow = isAsked(for: Attention.shows | Attention.unshown)
    let isOnlyDelivering = !keepsTime && !isFed && !mayShow
    state.pointee.admissions.setQuickOwner(isOnlyDelivering ? onlyOwner : nil)
  }

  /// Whether the calling thread may take a short way.
  @inline(__always)
  package var allowsQuickSendHere: Bool {
    let owner = state.pointee.admissions.quickOwner.load(ordering: .relaxed)
    return (owner == 0 || owner == Frame.thread)
      && (Frame.innermost == nil || Frame.of(self) == nil)
  }

  /// Whether events have times. Changes under both locks, before the first event.
  @inline(__always)
  package var keepsTime: Bool {
    get { state.pointee.admissions.keepsTime }
    nonmutating set { state.pointee.admissions.keepsTime = newValue }
  }

  /// How many observers the context may have.
  @inline(__always)
  package var mostObservers: UInt64 { state.pointee.admissions.limits.observers }

  /// How many bytes a payload may have.
  package var mostPayload: Int { state.pointee.admissions.limits.payload }

  /// How many events were refused.
  package var rejections: UInt64 { state.pointee.admissions.rejections }

  package func countRejection() { state.pointee.admissions.countRejection() }
}
