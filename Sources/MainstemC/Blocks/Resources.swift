// Copyright 2026 The Mainstem authors
// SPDX-License-Identifier: Apache-2.0

internal import CMainstem
internal import MainstemCore

/// Resources: bytes by key, which are requested once, shared, and kept up to a limit.
///
/// A server like any other, in immediate callbacks only. Other threads put and get: the lock guards what they touch, and
/// is not held while calling out. What happens to a key follows from events alone, because a replay has no bytes: so
/// sizes only decide which drops are posted.
struct Resources {
  typealias Pointer = UnsafeMutablePointer<Resources>

  let request: mainstem_event_type
  let behind: mainstem_event_type
  let drop: mainstem_event_type
  let limitBytes: Int
  let limit: Int
  let stream: Stream
  let lock: Lock
  /// The scope that requests.
  var origin: UInt32 = 0
  var handle = Handle.none

  fileprivate var server: OpaquePointer?

  // Changed under the lock. Callbacks read it without: only they change it, but for uses and bytes.
  /// Open requests.
  fileprivate var count = 0
  /// Drops that could not be posted yet.
  fileprivate var unposted = 0
  fileprivate var items = HashTable<KeyedItem>()
  fileprivate var loading = Item.Items()
  /// The least recently used first.
  fileprivate var kept = Item.Items()
  /// Kept until their drops arrive.
  fileprivate var due = Item.Items()
  /// Dropped, while answers are on their way to those who may get them.
  fileprivate var leaving = Item.Items()
  /// What the kept ones count.
  fileprivate var bytes = 0
  /// Those of the due ones that have bytes.
  fileprivate var overdue = 0
  /// One for the server, one for each request behind, and one for each call of another thread.
  fileprivate var uses = 1

  init(
    request: mainstem_event_type, behind: mainstem_event_type, drop: mainstem_event_type,
    limitBytes: Int, limit: Int, stream: Stream, lock: Lock
  ) {
    self.request = request
    self.behind = behind
    self.drop = drop
    self.limitBytes = limitBytes
    self.limit = limit
    self.stream = stream
    self.lock = lock
  }
}

/// A key, from its first request until it is dropped.
private struct Item {
  typealias Pointer = UnsafeMutablePointer<Item>
  typealias Items = List<Item, OfState>

  enum State {
    case loading, kept, due, leaving
    /// Nobody waits for it: only its answer is still awaited.
    case gone
  }

  enum OfState: ListName { static var number: Int { 0 } }

  let owner: Resources.Pointer
  /// Behind this in its memory.
  let key: Bytes
  var state = State.loading
  /// The request behind.
  var pending: OpaquePointer?
  var position: UInt64 = 0
  /// From `put` on; nil in a replay.
  var resource: Resource.Pointer?
  /// Whether the answer to the request behind has come.
  var isAnswered = false
  /// A drop has arrived while it was loading.
  var isDropped = false
  /// Its own drop is posted.
  var isPosted = false
  /// When the last answer was given that allows to get the bytes.
  var answered: UInt64 = 0
  var waiters = List<Waiter, Waiter.OfItem>()
  var links = Links<Item>()

  /// What it counts against the limit: a program could have any number of empty ones.
  var cost: Int { key.count &+ 128 &+ (resource?.pointee.size ?? 0) }
}

extension Item: Listed {
  static func links(of node: Pointer, in list: Int) -> Links<Item> { node.pointee.links }
  static func set(_ links: Links<Item>, of node: Pointer, in list: Int) {
    node.pointee.links = links
  }
}

private struct KeyedItem: HashTableEntry {
  var item: Item.Pointer?

  var isFree: Bool { item == nil }
  var key: Bytes { item?.pointee.key ?? Bytes("") }
  static func hash(_ key: Bytes) -> UInt64 { NameTable.hash(key) }
}

/// A request that waits for a key.
private struct Waiter {
  typealias Pointer = UnsafeMutablePointer<Waiter>

  enum OfItem: ListName { static var number: Int { 0 } }

  let item: Item.Pointer
  /// The request, kept.
  let kept: OpaquePointer?
  /// Whether it still waits, and whether the library may still call `settled` for it. It is freed after both.
  var isKept = true
  var isWatched = false
  var links = Links<Waiter>()

  var request: UnsafePointer<mainstem_event>? {
    var event: UnsafePointer<mainstem_event>?
    return mainstem_retained_event(kept, &event) == 0 ? event : nil
  }
}

extension Waiter: Listed {
  static func links(of node: Pointer, in list: Int) -> Links<Waiter> { node.pointee.links }
  static func set(_ links: Links<Waiter>, of node: Pointer, in list: Int) {
    node.pointee.links = links
  }
}

// MARK: - What they get

extension Resources {
  /// The handler of both rows.
  static let handle: mainstem_event_fn = { userData, event in
    guard let userData, let event else { return }
    let resources = userData.assumingMemoryBound(to: Resources.self)
    resources.pointee.server = event.pointee.context
    let key = Bytes(event.pointee.data, Int(event.pointee.size))
    if event.pointee.type == resources.pointee.drop {
      resources.drop(key)
    } else {
      resources.take(event, key)
    }
    resources.tidy(event.pointee.position)
  }

  /// Their scope has ended.
  static let end: mainstem_release_fn = { userData in
    userData?.assumingMemoryBound(to: Resources.self).end()
  }

  fileprivate static let settled: mainstem_settled_fn = { userData in
    guard let waiter = userData?.assumingMemoryBound(to: Waiter.self), waiter.pointee.isKept else {
      return
    }
    waiter.pointee.item.pointee.owner.leave(waiter)
  }

  fileprivate static let unwatch: mainstem_release_fn = { userData in
    guard let waiter = userData?.assumingMemoryBound(to: Waiter.self) else { return }
    waiter.pointee.isWatched = false
    if !waiter.pointee.isKept { Memory.free(waiter) }
  }

  fileprivate static let answered: mainstem_event_fn = { userData, event in
    guard let item = userData?.assumingMemoryBound(to: Item.self), let event else { return }
    item.pointee.isAnswered = true
    item.pointee.owner.note(event, for: item)
  }

  fileprivate static let over: mainstem_release_fn = { userData in
    guard let item = userData?.assumingMemoryBound(to: Item.self) else { return }
    item.pointee.owner.end(item)
  }

  fileprivate static let progressed: mainstem_event_fn = { userData, event in
    guard let item = userData?.assumingMemoryBound(to: Item.self), let event else { return }
    item.pointee.waiters.each { waiter in
      guard let request = waiter.pointee.request else { return }
      mainstem_respond_progress(
        request, event.pointee.type, event.pointee.data, Int(event.pointee.size))
    }
  }
}

// MARK: - Requests and answers

extension UnsafeMutablePointer where Pointee == Resources {
  /// A request arrives.
  fileprivate func take(_ event: UnsafePointer<mainstem_event>, _ key: Bytes) {
    let found = find(key)
    if let found, found.pointee.state != .loading { return answer(event, found) }
    guard pointee.count < pointee.limit else {
      return refuse(event, .full, "the resources have as many requests as they may keep")
    }
    guard let item = found ?? makeItem(key) else { return refuse(event, .noMemory) }
    guard let waiter = add(event, to: item) else {
      if found == nil { discard(item) }
      return refuse(event, .noMemory)
    }
    if found == nil, case let status = load(item), status != 0 {
      mainstem_respond_error(event, status, mainstem_last_error())
      forget(waiter)
      return discard(item)
    }
    waiter.pointee.isWatched = true
    // It may be settled already; then it leaves inside.
    guard mainstem_event_on_settled(event, Resources.settled, waiter, Resources.unwatch) != 0 else {
      return
    }
    waiter.pointee.isWatched = false
    refuse(event, .noMemory)
    leave(waiter)
  }

  private func refuse(
    _ event: UnsafePointer<mainstem_event>, _ status: Status, _ message: Phrase = "out of memory"
  ) {
    mainstem_respond_error(event, status.rawValue, message.text)
  }

  /// Answers at once.
  private func answer(_ event: UnsafePointer<mainstem_event>, _ item: Item.Pointer) {
    locked {
      guard item.pointee.state == .kept else { return }
      pointee.kept.remove(item)
      pointee.kept.append(item)
    }
    event.respond(nil, 0)
    item.pointee.answered = pointee.stream.position
  }

  /// Requests a key from the provider.
  private func load(_ item: Item.Pointer) -> mainstem_status {
    var options = mainstem_request_options()
    options.size = UInt32(MemoryLayout<mainstem_request_options>.size)
    options.progress = Resources.progressed
    use()
    let status = mainstem_request_with(
      pointee.server, pointee.behind, item.pointee.key.start, item.pointee.key.count, &options,
      Resources.answered, item, Resources.over, &item.pointee.pending)
    if status != 0 {
      unuse()
      return status
    }
    var position: UInt64 = 0
    mainstem_pending_position(item.pointee.pending, &position)
    locked { item.pointee.position = position }
    return 0
  }

  /// The provider has answered, or the library has.
  fileprivate func note(_ event: UnsafePointer<mainstem_event>, for item: Item.Pointer) {
    guard item.pointee.state == .loading else { return }
    let isLoaded = event.pointee.status == 0
    locked {
      pointee.loading.remove(item)
      if isLoaded, !item.pointee.isDropped {
        keep(item)
      } else {
        pointee.items.remove(item.pointee.key)
        item.pointee.state = isLoaded ? .leaving : .gone
        if isLoaded { pointee.leaving.append(item) }
      }
    }
    item.pointee.waiters.each { waiter in
      if let request = waiter.pointee.request { event.relay(to: request) }
      forget(waiter)
    }
    item.pointee.answered = pointee.stream.position
    tidy(event.pointee.position)
  }

  /// The request behind is over. Without an answer if that cannot be recorded: then nothing goes on.
  fileprivate func end(_ item: Item.Pointer) {
    if !item.pointee.isAnswered, item.pointee.state == .loading {
      remove(item)
      item.pointee.state = .gone
      item.pointee.waiters.each { forget($0) }
    }
    if item.pointee.state == .gone { free(item) }
    unuse()
  }

  /// A drop arrives.
  fileprivate func drop(_ key: Bytes) {
    guard let item = find(key) else { return }
    guard item.pointee.state != .loading else {
      item.pointee.isDropped = true
      return
    }
    locked {
      if item.pointee.state == .due {
        pointee.due.remove(item)
        if item.pointee.resource != nil { pointee.overdue &-= 1 }
        if !item.pointee.isPosted { pointee.unposted &-= 1 }
      } else {
        pointee.kept.remove(item)
        pointee.bytes &-= item.pointee.cost
      }
      pointee.items.remove(item.pointee.key)
      item.pointee.state = .leaving
      pointee.leaving.append(item)
    }
  }
}

// MARK: - What is kept

extension UnsafeMutablePointer where Pointee == Resources {
  /// Keeps a loaded key. Without bytes (the provider has not put any, or this is a replay) it is due at once. Under the
  /// lock.
  private func keep(_ item: Item.Pointer) {
    item.pointee.state = .kept
    pointee.kept.append(item)
    pointee.bytes &+= item.pointee.cost
    if item.pointee.resource == nil { makeDue(item) }
  }

  /// Under the lock.
  private func makeDue(_ item: Item.Pointer) {
    pointee.kept.remove(item)
    pointee.bytes &-= item.pointee.cost
    item.pointee.state = .due
    pointee.due.append(item)
    pointee.unposted &+= 1
    if item.pointee.resource != nil { pointee.overdue &+= 1 }
  }

  /// Posts the drops that are due, and frees what nobody can ask for any longer: what was dropped, once the event that
  /// is delivered comes after all answers that were given before.
  fileprivate func tidy(_ position: UInt64) {
    locked {
      while pointee.bytes > pointee.limitBytes, let item = pointee.kept.first { makeDue(item) }
    }
    post()
    guard !pointee.leaving.isEmpty else { return }
    pointee.leaving.each { item in
      guard item.pointee.answered < position else { return }
      locked { pointee.leaving.remove(item) }
      free(item)
    }
  }

  /// Posts drops, as far as there is room: after the next event it goes on. A replay has those of the session.
  private func post() {
    guard pointee.unposted > 0 else { return }
    var replaying: CInt = 0
    mainstem_context_is_replaying(pointee.server, &replaying)
    guard replaying == 0 else { return }
    _ = pointee.due.all { item in
      guard !item.pointee.isPosted else { return true }
      let (key, drop) = (item.pointee.key, pointee.drop)
      guard mainstem_post(pointee.server, drop, key.start, key.count) == 0 else { return false }
      item.pointee.isPosted = true
      locked { pointee.unposted &-= 1 }
      return true
    }
  }

  fileprivate func end() {
    _ = try? LooseHandle.end { () throws(Refusal) in
      try LooseHandle.find(pointee.handle, .resources, "resources")
    }
    let (loading, kept, due, leaving) = locked {
      let all = (pointee.loading, pointee.kept, pointee.due, pointee.leaving)
      (pointee.loading, pointee.kept) = (Item.Items(), Item.Items())
      (pointee.due, pointee.leaving) = (Item.Items(), Item.Items())
      pointee.items.free()
      return all
    }
    loading.each { item in
      item.pointee.state = .gone
      item.pointee.waiters.each { forget($0) }
    }
    kept.each { free($0) }
    due.each { free($0) }
    leaving.each { free($0) }
    unuse()
  }
}

// MARK: - Keys and those who wait for them

extension UnsafeMutablePointer where Pointee == Resources {
  /// Only callbacks change the table, so they need no lock to read it.
  private func find(_ key: Bytes) -> Item.Pointer? { pointee.items.find(key)?.pointee.item }

  private func makeItem(_ key: Bytes) -> Item.Pointer? {
    let size = MemoryLayout<Item>.stride
    guard let memory = Memory.allocate(UInt8.self, count: size &+ key.count) else { return nil }
    let raw = UnsafeMutableRawPointer(memory)
    (raw + size).copyMemory(from: key.start, byteCount: key.count)
    let item = raw.bindMemory(to: Item.self, capacity: 1)
    item.initialize(to: Item(owner: self, key: Bytes(raw + size, key.count)))
    let hasRoom = locked {
      guard pointee.items.reserve() else { return false }
      pointee.items.insert(KeyedItem(item: item))
      pointee.loading.append(item)
      return true
    }
    if hasRoom { return item }
    Memory.free(item)
    return nil
  }

  /// Takes an item that is loading out of the table.
  private func remove(_ item: Item.Pointer) {
    locked {
      pointee.items.remove(item.pointee.key)
      pointee.loading.remove(item)
    }
  }

  private func discard(_ item: Item.Pointer) {
    remove(item)
    free(item)
  }

  private func free(_ item: Item.Pointer) {
    Resource.unuse(item.pointee.resource)
    Memory.free(item)
  }

  private func add(
    _ event: UnsafePointer<mainstem_event>, to item: Item.Pointer
  ) -> Waiter.Pointer? {
    guard let waiter = Memory.allocate(Waiter.self) else { return nil }
    var kept: OpaquePointer?
    guard mainstem_event_retain(event, &kept) == 0 else {
      Memory.free(waiter)
      return nil
    }
    waiter.initialize(to: Waiter(item: item, kept: kept))
    item.pointee.waiters.append(waiter)
    locked { pointee.count &+= 1 }
    return waiter
  }

  private func forget(_ waiter: Waiter.Pointer) {
    waiter.pointee.item.pointee.waiters.remove(waiter)
    locked { pointee.count &-= 1 }
    mainstem_retained_release(waiter.pointee.kept)
    waiter.pointee.isKept = false
    if !waiter.pointee.isWatched { Memory.free(waiter) }
  }

  /// A request no longer waits. After the last one, nor does the provider have to go on.
  fileprivate func leave(_ waiter: Waiter.Pointer) {
    let item = waiter.pointee.item
    forget(waiter)
    guard item.pointee.waiters.isEmpty, item.pointee.state == .loading else { return }
    remove(item)
    item.pointee.state = .gone
    mainstem_pending_cancel(item.pointee.pending)
  }
}

// MARK: - On any thread

extension UnsafeMutablePointer where Pointee == Resources {
  /// Runs `body` with the lock, which is not held while calling out.
  private func locked<Result>(_ body: () -> Result) -> Result {
    pointee.lock.acquire()
    defer { pointee.lock.release() }
    return body()
  }

  func use() { locked { pointee.uses &+= 1 } }

  /// Gives a use back; after the last one they are gone.
  func unuse() {
    let isLast = locked {
      pointee.uses &-= 1
      return pointee.uses == 0
    }
    if isLast { free() }
  }

  /// Frees resources that nobody uses.
  func free() {
    pointee.lock.destroy()
    Memory.free(self)
  }

  /// Adds bytes to the request that they answer; they count when that is answered.
  ///
  /// - Returns: Whether the request still waits for them.
  func attach(_ resource: Resource.Pointer, _ key: Bytes, _ position: UInt64) throws(Refusal) {
    let refusal = locked { () -> Refusal? in
      guard let item = pointee.items.find(key)?.pointee.item, item.pointee.state == .loading,
        item.pointee.position == position
      else { return nil }
      guard item.pointee.resource == nil else { return .answered("event") }
      guard pointee.overdue < pointee.limit else {
        return Refusal(
          .full, "resources", "have as many drops as may wait: drain the context, then put again")
      }
      Resource.use(resource)
      item.pointee.resource = resource
      return nil
    }
    if let refusal { throw refusal }
  }

  /// Takes bytes back whose request was answered otherwise.
  func detach(_ resource: Resource.Pointer, _ key: Bytes) {
    let item = locked { () -> Item.Pointer? in
      let has = { (item: Item.Pointer) in item.pointee.resource == resource }
      let found = pointee.items.find(key)?.pointee.item
      guard let item = found.flatMap({ has($0) ? $0 : nil }) ?? pointee.leaving.last(where: has)
      else { return nil }
      if item.pointee.state == .kept { pointee.bytes &-= resource.pointee.size }
      if item.pointee.state == .due { pointee.overdue &-= 1 }
      item.pointee.resource = nil
      return item
    }
    if item != nil { Resource.unuse(resource) }
  }

  /// The bytes of a key, with a use; nil if none are kept.
  func get(_ key: Bytes) -> Resource.Pointer? {
    locked {
      var found = pointee.items.find(key)?.pointee.item
      if found == nil || found?.pointee.state == .loading {
        found = pointee.leaving.last { $0.pointee.key == key }
      }
      guard let resource = found?.pointee.resource else { return nil }
      Resource.use(resource)
      return resource
    }
  }
}
