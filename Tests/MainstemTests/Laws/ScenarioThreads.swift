// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where a thread reads and writes its own name, which ends with a line feed.
private let nameOfThread = "/proc/thread-self/comm"

/// On which threads the callbacks of a case run.
final class ScenarioThreads {
  private let own = pthread_self()
  /// Given at the end of each callback on a scheduler's own thread.
  private let beside: UnsafeMutablePointer<sem_t>

  init() {
    beside = .allocate(capacity: 1)
    sem_init(beside, 0, 0)
  }

  deinit {
    sem_destroy(beside)
    beside.deallocate()
  }

  /// ` on W` or ` elsewhere`; nothing on the thread of the case. The library names its threads.
  var place: String {
    guard let name else { return "" }
    return name == "elsewhere" ? " elsewhere" : " on \(name)"
  }

  func endCall() {
    if let name, name != "elsewhere" { sem_post(beside) }
  }

  /// Waits until so many callbacks on schedulers' own threads have ended, but not for ever.
  func wait(for calls: Int) {
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    until.tv_sec += 300
    for _ in 0..<calls { while sem_timedwait(beside, &until) != 0 && errno == EINTR {} }
  }

  /// The name of this thread, unless it is the case's own.
  private var name: String? {
    guard pthread_equal(own, pthread_self()) == 0 else { return nil }
    return String(decoding: Folder.bytes(of: nameOfThread).dropLast(), as: UTF8.self)
  }
}

/// Runs a closure on a thread of its own, named `elsewhere`, and returns when that has ended.
func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
  final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { work in
      Folder.write("elsewhere".utf8, to: nameOfThread)
      if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
      return nil
    }, Unmanaged.passRetained(Work(body)).toOpaque())
  pthread_join(thread, nil)
}
