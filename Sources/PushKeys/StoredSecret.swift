internal import PushCrypto
private import Synchronization

/// A private key in a set: on the heap until it is first used, then in guarded memory.
///
/// Guarded pages cost four mappings each, and a set may hold thousands of keys of which few are ever used.
/// The copy on the heap is wiped when the guarded one is made.
final class StoredSecret: Sendable {
  private let atRest: Mutex<Secret?>
  private let inUse = AtomicLazyReference<SharedSecret>()

  /// Takes over a secret that is on the heap.
  init(_ secret: consuming Secret) { atRest = Mutex(secret) }

  /// The secret in guarded memory, the same object each time.
  func guarded() -> SharedSecret {
    if let secret = inUse.load() { return secret }
    return atRest.withLock { atRest in
      // Another thread may have come first.
      if let secret = inUse.load() { return secret }
      let secret = inUse.storeIfNil(Self.guardedCopy(of: atRest))
      atRest = nil
      return secret
    }
  }

  /// Calls `body` with the bytes, wherever they are.
  func withExposedBytes<Result: Sendable>(_ body: (Span<UInt8>) -> Result) -> Result {
    atRest.withLock { atRest in
      if let secret = inUse.load() { return body(secret.exposedBytes) }
      return Self.expose(atRest, to: body)
    }
  }

  private static func guardedCopy(of secret: borrowing Secret?) -> SharedSecret {
    expose(secret) { SharedSecret(Secret(copying: $0, in: .guarded)) }
  }

  private static func expose<Result: Sendable>(
    _ secret: borrowing Secret?, to body: (Span<UInt8>) -> Result
  ) -> Result {
    switch secret {
    case .some(let secret): body(secret.exposedBytes)
    case .none: preconditionFailure("a secret is on the heap or in use")
    }
  }
}
