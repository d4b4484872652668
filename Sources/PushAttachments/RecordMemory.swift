internal import PushCrypto

/// Room for one record, used again and again, and wiped at the end.
@safe
struct RecordMemory: ~Copyable, @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private let capacity: Int

  /// How much of it is filled, in bytes.
  private(set) var count = 0

  /// Makes room for `capacity` bytes.
  init(capacity: Int) {
    self.capacity = capacity
    unsafe memory = .allocate(byteCount: capacity, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    do { _ = unsafe Secret(wiping: memory) }
    unsafe memory.deallocate()
  }

  /// What it is filled with.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[..<count]))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Adds bytes, for which there must be room.
  mutating func append(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= capacity - count, "no room")
    let free = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
    unsafe bytes.withUnsafeBytes { unsafe free.copyMemory(from: $0) }
    count += bytes.count
  }

  /// Adds a byte, for which there must be room.
  mutating func append(_ byte: UInt8) {
    precondition(count < capacity, "no room")
    unsafe memory[count] = byte
    count += 1
  }

  /// Replaces what is there by `count` bytes, which `fill` writes; by none if it throws.
  mutating func fill<Failure: Error>(
    count: Int, by fill: (inout MutableSpan<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    try self.fill(atMost: count) { bytes throws(Failure) in
      try fill(&bytes)
      return count
    }
  }

  /// Replaces what is there by as many bytes as `fill` says that it wrote, at most `count`; by none if it throws.
  mutating func fill<Failure: Error>(
    atMost count: Int, by fill: (inout MutableSpan<UInt8>) throws(Failure) -> Int
  ) throws(Failure) {
    precondition(count <= capacity, "no room")
    self.count = 0
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
    var bytes = unsafe MutableSpan<UInt8>(_unsafeBytes: room)
    self.count = try fill(&bytes)
  }

  /// Makes it empty.
  mutating func removeAll() { count = 0 }
}
