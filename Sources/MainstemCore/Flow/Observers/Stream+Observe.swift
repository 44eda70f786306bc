// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import Synchronization

/// Observing: reserve first, then join between two events, where nothing can fail.
extension Stream {
  /// Registers an observer. Takes ownership of what `options` owns only if it succeeds.
  ///
  /// - Parameters:
  ///   - one: The scope that it looks at, if it looks at one.
  ///   - given: Receives the handle, before the first late event.
  @inline(never)
  package func observe(
    _ options: Subscription.Options, through resolved: ResolvedHandle, _ handle: Handle,
    of one: ResolvedHandle? = nil, _ given: UnsafeMutablePointer<OpaquePointer?>?
  ) throws(Refusal) {
    let attempt = try attempt(looks: true)
    let asking = readPoint(looks: true)
    var duty = Duty.nothing
    state.pointee.lock.acquire()
    let last = position
    do throws(Refusal) {
      guard resolved.isLive, !isClosed, let scope = resolved.scope else { throw .ended }
      guard one?.isLive ?? true else { throw Refusal(.stale, "options.of", "has ended") }
      if attempt.lack != nil { throw observersRefusal(scope) }
      var registration = Registration()
      var options = options
      // Nobody has its handle.
      if given == nil { options.kind = .inner }
      let made = try register(options, scope, handle, &registration)
      if options.scheduler != Schedulers.immediate { try prepareGaps(for: &registration) }
      given?.pointee = made.pointer
      try join(&registration, &duty)
    } catch {
      given?.pointee = nil
      state.pointee.lock.release()
      fulfill(duty)
      asking?.note(last)
      noteRefusal(error, of: attempt)
      throw error
    }
    state.pointee.lock.release()
    fulfill(duty)
    asking?.note(last)
  }

  /// Makes a subscription and reserves all it needs, as part of a registration. Under the lock. If it fails, the
  /// registration is undone.
  @inline(never)
  func register(
    _ asked: Subscription.Options, _ scope: Scope.Pointer, _ through: Handle,
    _ registration: inout Registration
  ) throws(Refusal) -> Handle {
    do throws(Refusal) {
      guard asked.call.isInner || budgetAllowsObserver(in: scope) else {
        throw observersRefusal(scope)
      }
      let (subscription, handle) = try makeSubscription(asked, scope, through)
      if asked.call.isHandler, mutesHandlers(at: asked.scheduler) {
        subscription.pointee.state.bitwiseOr(Subscription.muted, ordering: .relaxed)
      }
      link(subscription)
      if asked.call.isHandler {
        countOwnHandler(subscription, 1)
        observersHandled(by: subscription)?.pointee.addHandler(subscription)
      }
      registration.append(subscription)
      return handle
    } catch {
      undo(&registration)
      throw error
    }
  }

  /// Makes a subscription that is in no list yet.
  @inline(__always)
  private func makeSubscription(
    _ options: Subscription.Options, _ scope: Scope.Pointer, _ through: Handle
  ) throws(Refusal) -> (Subscription.Pointer, Handle) {
    let spare = state.pointee.observers.takeSpare()
    guard let subscription = spare ?? Memory.allocate(Subscription.self) else { throw .noMemory }
    do throws(Refusal) {
      return (subscription, try initialize(subscription, options, scope, through))
    } catch {
      state.pointee.observers.giveSpare(subscription)
      throw error
    }
  }

  /// Reserves what a subscription needs: its queue, its rows, its handle.
  @_optimize(speed)
  private func initialize(
    _ subscription: Subscription.Pointer, _ asked: Subscription.Options, _ scope: Scope.Pointer,
    _ through: Handle
  ) throws(Refusal) -> Handle {
    var options = asked
    options.call.isTimed = state.pointee.observers.isTimed && !asked.call.isInner
    options.call.shows =
      scope.pointee.show != nil && !asked.call.isScheduled && !asked.call.isOfView
    var queue: SubscriptionQueue.Pointer?
    var timing: Timing.Pointer?
    var originRows: OriginRow.Pointer?
    do throws(Refusal) {
      if options.call.isTimed {
        timing = Timing.make()
        guard timing != nil else { throw Refusal.noMemory }
      }
      if options.scheduler != Schedulers.immediate {
        queue = try makeQueue(options.scheduler, isMailbox: options.isMailbox, options.bounds)
      }
      guard reserveRows(options, subscription, &originRows) else { throw Refusal.noMemory }
      guard
        let (slot, handle) = state.pointee.slots.make(
          options.call.isInner ? .inner : options.kind, stream: address, object: subscription)
      else {
        unreserveRows(
          options.filter, originRows, isOfOneOrigin: options.call.isOfOneOrigin)
        throw Refusal.lacking(.handles)
      }
      subscription.initialize(
        to: Subscription(
          options, queue: queue, timing: timing, through: through.pointer, scope: scope,
          slot: slot, serial: state.pointee.observers.register()))
      subscription.pointee.originRows = originRows
      return handle
    } catch {
      Memory.free(queue)
      Memory.free(timing)
      throw error
    }
  }

  /// Whether the budgets of a scope, and of the context, have room for one more. Under the lock.
  @inline(__always)
  func budgetAllowsObserver(in scope: Scope.Pointer) -> Bool {
    state.pointee.observers.hasRoom(mostObservers) && Scope.hasRoom(scope)
  }

  @inline(never)
  func observersRefusal(_ scope: Scope.Pointer) -> Refusal {
    var subject = SubjectWriter()
    if !state.pointee.scopes.writeUsedUp(by: scope, to: &subject) {
      subject.add("the context may have ")
      subject.add(mostObservers)
    }
    subject.add(" observers:")
    return Refusal(
      .limit, "context", Refusal.lacking(.observers).reason, .name(subject.bytes))
  }

  /// Takes a registration back, in the same locked step that made it.
  @inline(never)
  func undo(_ registration: inout Registration) {
    var next = registration.end()
    while let subscription = next {
      next = subscription.pointee.link
      unreserveRows(
        subscription.pointee.filter, subscription.pointee.originRows,
        isOfOneOrigin: subscription.pointee.call.isOfOneOrigin)
      if subscription.pointee.call.isHandler {
        countOwnHandler(subscription, -1)
        observersHandled(by: subscription)?.pointee.undoHandler(subscription)
      }
      unlink(subscription)
      state.pointee.slots.end(subscription.pointee.slot)
      Memory.free(subscription.pointee.queue)
      Memory.free(subscription.pointee.timing)
      Memory.free(subscription)
    }
  }
}
