// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/cryptokit: NAME is at …/cryptokit/NAME, in lower case.
public import Foundation
public import Security

public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
  public init<D: ContiguousBytes>(data: D) {}
  public var bitCount: Int { 0 }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}

public protocol Digest: Hashable, ContiguousBytes, Sequence where Element == UInt8 {
  static var byteCount: Int { get }
}

public protocol HashFunction {
  associatedtype Digest: CryptoKit.Digest
  static var blockByteCount: Int { get }
  init()
  mutating func update(bufferPointer: UnsafeRawBufferPointer)
  func finalize() -> Digest
}

extension HashFunction {
  public static func hash<D: DataProtocol>(data: D) -> Digest { fatalError() }
  public mutating func update<D: DataProtocol>(data: D) {}
}

public struct AnyDigest: Digest, Sendable {
  public static var byteCount: Int { 32 }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public struct SHA256: HashFunction, Sendable {
  public typealias Digest = AnyDigest
  public static var blockByteCount: Int { 64 }
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> AnyDigest { fatalError() }
}

public struct SHA512: HashFunction, Sendable {
  public typealias Digest = AnyDigest
  public static var blockByteCount: Int { 128 }
  public init() {}
  public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
  public func finalize() -> AnyDigest { fatalError() }
}

public enum Insecure {
  public struct MD5: HashFunction, Sendable {
    public typealias Digest = AnyDigest
    public static var blockByteCount: Int { 64 }
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> AnyDigest { fatalError() }
  }

  public struct SHA1: HashFunction, Sendable {
    public typealias Digest = AnyDigest
    public static var blockByteCount: Int { 64 }
    public init() {}
    public mutating func update(bufferPointer: UnsafeRawBufferPointer) {}
    public func finalize() -> AnyDigest { fatalError() }
  }
}

public struct HashedAuthenticationCode<H: HashFunction>: ContiguousBytes, Sequence, Sendable {
  public var byteCount: Int { 0 }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

public struct HMAC<H: HashFunction>: Sendable {
  public typealias MAC = HashedAuthenticationCode<H>
  public init(key: SymmetricKey) {}
  public mutating func update<D: DataProtocol>(data: D) {}
  public func finalize() -> MAC { fatalError() }
}

public struct SharedSecret: ContiguousBytes, Sendable {
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
}

public enum ChaChaPoly: Sendable {
  public struct Nonce: ContiguousBytes, Sequence, Sendable {
    public init() {}
    public init<D: DataProtocol>(data: D) throws {}
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
      fatalError()
    }
    public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
  }

  public struct SealedBox: Sendable {
    public init<C: DataProtocol, T: DataProtocol>(nonce: Nonce, ciphertext: C, tag: T) throws {}
    public var ciphertext: Data { Data() }
    public var tag: Data { Data() }
  }

  public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
    _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil, authenticating data: AuthenticatedData
  ) throws -> SealedBox { fatalError() }
  public static func open<AuthenticatedData: DataProtocol>(
    _ box: SealedBox, using key: SymmetricKey, authenticating data: AuthenticatedData
  ) throws -> Data { fatalError() }
}

public enum AES: Sendable {
  public enum GCM: Sendable {
    public struct Nonce: ContiguousBytes, Sequence, Sendable {
      public init() {}
      public init<D: DataProtocol>(data: D) throws {}
      public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        fatalError()
      }
      public func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
    }

    public struct SealedBox: Sendable {
      public init<C: DataProtocol, T: DataProtocol>(nonce: Nonce, ciphertext: C, tag: T) throws {}
      public var ciphertext: Data { Data() }
      public var tag: Data { Data() }
    }

    public static func seal<Plaintext: DataProtocol, AuthenticatedData: DataProtocol>(
      _ message: Plaintext, using key: SymmetricKey, nonce: Nonce? = nil,
      authenticating data: AuthenticatedData
    ) throws -> SealedBox { fatalError() }
    public static func open<AuthenticatedData: DataProtocol>(
      _ box: SealedBox, using key: SymmetricKey, authenticating data: AuthenticatedData
    ) throws -> Data { fatalError() }
  }
}

@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, visionOS 1.0, *)
public enum KEM {
  public struct EncapsulationResult {
    public let sharedSecret: SymmetricKey
    public let encapsulated: Data
  }
}

@available(macOS 26.0, iOS 26.0, watchOS 26.0, tvOS 26.0, visionOS 26.0, *)
public enum XWingMLKEM768X25519 {
  public struct PublicKey: Sendable {
    public init<D: ContiguousBytes>(rawRepresentation: D) throws {}
    public var rawRepresentation: Data { Data() }
    public func encapsulate() throws -> KEM.EncapsulationResult { fatalError() }
  }

  public struct PrivateKey: Sendable {
    public init<D: DataProtocol>(seedRepresentation: D, publicKey: PublicKey?) throws {}
    public var publicKey: PublicKey { fatalError() }
    public func decapsulate(_ encapsulated: Data) throws -> SymmetricKey { fatalError() }
  }
}

public enum Curve25519: Sendable {
  public enum KeyAgreement: Sendable {
    public struct PublicKey: Sendable {
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {}
      public var rawRepresentation: Data { Data() }
    }

    public struct PrivateKey: Sendable {
      public init() {}
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {}
      public var publicKey: PublicKey { fatalError() }
      public func sharedSecretFromKeyAgreement(with other: PublicKey) throws -> SharedSecret { fatalError() }
    }
  }

  public enum Signing: Sendable {
    public struct PublicKey: Sendable {
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {}
      public var rawRepresentation: Data { Data() }
      public func isValidSignature<S: DataProtocol, D: DataProtocol>(_ signature: S, for data: D) -> Bool {
        false
      }
    }

    public struct PrivateKey: Sendable {
      public init<D: ContiguousBytes>(rawRepresentation: D) throws {}
      public var publicKey: PublicKey { fatalError() }
      public func signature<D: DataProtocol>(for data: D) throws -> Data { Data() }
    }
  }
}

public enum P256: Sendable {
  public enum KeyAgreement: Sendable {
    public struct PublicKey: Sendable {
      public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws {}
      public var x963Representation: Data { Data() }
    }

    public struct PrivateKey: Sendable {
      public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {}
      public var publicKey: PublicKey { fatalError() }
      public func sharedSecretFromKeyAgreement(with other: PublicKey) throws -> SharedSecret { fatalError() }
    }
  }
}

public enum SecureEnclave: Sendable {
  public static var isAvailable: Bool { false }

  public enum P256: Sendable {
    public enum KeyAgreement: Sendable {
      public struct PrivateKey: Sendable {
        public init(compactRepresentable: Bool = true, accessControl: SecAccessControl) throws {}
        public init(dataRepresentation: Data) throws {}
        public var dataRepresentation: Data { Data() }
        public var publicKey: CryptoKit.P256.KeyAgreement.PublicKey { fatalError() }
        public func sharedSecretFromKeyAgreement(
          with other: CryptoKit.P256.KeyAgreement.PublicKey
        ) throws -> SharedSecret { fatalError() }
      }
    }
  }
}
