internal import PushCrypto

/// A reusable buffer for one record, which is wiped when it is released.
@safe
struct RecordMemory: ~Copyable, @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private let capacity: Int

  /// The number of bytes that are filled.
  private(set) var count = 0

  /// Allocates `capacity` bytes.
  init(capacity: Int) {
    self.capacity = capacity
    unsafe memory = .allocate(byteCount: capacity, alignment: 16)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    do { _ = unsafe Secret(wiping: memory) }
    unsafe memory.deallocate()
  }

  /// The filled bytes.
  var bytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(_unsafeBytes: UnsafeRawBufferPointer(rebasing: memory[..<count]))
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// Appends bytes, which must fit.
  mutating func append(_ bytes: Span<UInt8>) {
    precondition(bytes.count <= capacity - count, "no room")
    let free = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...])
    unsafe bytes.withUnsafeBytes { unsafe free.copyMemory(from: $0) }
    count += bytes.count
  }

  /// Appends a byte, which must fit.
  mutating func append(_ byte: UInt8) {
    precondition(count < capacity, "no room")
    unsafe memory[count] = byte
    count += 1
  }

  /// Replaces the contents with `count` bytes, which `fill` writes.
  ///
  /// If it throws, the buffer is empty.
  mutating func fill<Failure: Error>(
    count: Int, by fill: (inout MutableSpan<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    try self.fill(atMost: count) { bytes throws(Failure) in
      try fill(&bytes)
      return count
    }
  }

  /// Replaces the contents with as many bytes as `fill` returns, at most `count`.
  ///
  /// If it throws, the buffer is empty.
  mutating func fill<Failure: Error>(
    atMost count: Int, by fill: (inout MutableSpan<UInt8>) throws(Failure) -> Int
  ) throws(Failure) {
    precondition(count <= capacity, "no room")
    self.count = 0
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[..<count])
    var bytes = unsafe MutableSpan<UInt8>(_unsafeBytes: room)
    self.count = try fill(&bytes)
  }

  /// Empties the buffer.
  mutating func removeAll() { count = 0 }
}
