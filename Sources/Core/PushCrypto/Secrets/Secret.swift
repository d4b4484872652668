/// Bytes that are wiped when their owner goes out of scope.
///
/// A secret cannot leak through a description, an encoding or `==`, because it has none. It cannot be copied, and its
/// bytes keep one address for life, because moving inline bytes would leave a copy behind. Only ``exposedBytes`` reads
/// the bytes, and its span cannot outlive the secret.
@safe
package struct Secret: ~Copyable, @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private let kind: SecretMemory

  /// Makes a secret of `count` bytes: `fill` writes them into zeroed memory.
  package init(
    count: Int, in kind: SecretMemory = .heap, filledBy fill: (inout MutableSpan<UInt8>) -> Void
  ) {
    let (memory, kind) = unsafe kind.allocate(count)
    unsafe self.memory = unsafe memory
    self.kind = kind
    var bytes = unsafe MutableSpan<UInt8>(_unsafeBytes: memory)
    fill(&bytes)
    unsafe kind.seal(memory)
  }

  /// Makes a secret with a copy of `bytes`.
  package init(copying bytes: Span<UInt8>, in kind: SecretMemory = .heap) {
    self.init(count: bytes.count, in: kind) { copy in
      for index in bytes.indices { copy[index] = bytes[index] }
    }
  }

  /// Makes a secret that uses `memory`, and wipes that memory at the end of its life.
  ///
  /// The caller frees the memory.
  package init(wiping memory: UnsafeMutableRawBufferPointer) {
    unsafe self.memory = unsafe memory
    kind = .borrowed
  }

  deinit {
    unsafe kind.wipe(memory)
    unsafe kind.release(memory)
  }

  /// The number of bytes.
  package var count: Int { unsafe memory.count }

  /// The secret's bytes, for as long as the secret is borrowed.
  package var exposedBytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(_unsafeBytes: rawBytes)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes without a lifetime; ``SharedSecret`` gives them a new one.
  @unsafe fileprivate var rawBytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(memory) }
}

/// A secret with several owners, wiped when the last one releases it.
package final class SharedSecret: Sendable {
  private let secret: Secret

  /// Takes ownership of `secret`.
  package init(_ secret: consuming Secret) { self.secret = secret }

  /// The secret's bytes, for as long as this object is borrowed.
  package var exposedBytes: Span<UInt8> {
    @_lifetime(borrow self)
    get {
      let span = unsafe Span<UInt8>(_unsafeBytes: secret.rawBytes)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }
}
