#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import PushCrypto

/// What a person types to open a key file.
///
/// It prints nothing of itself, and is wiped when the last copy of it is let go.
public struct Passphrase: Sendable {
  /// The longest one, in bytes.
  public static let maximumSize = 1024

  private let secret: SharedSecret

  /// Copies a passphrase's bytes; null unless there are 1 to 1024 of them.
  ///
  /// The caller wipes its own.
  public init?(copying bytes: Span<UInt8>) {
    guard (1...Self.maximumSize).contains(bytes.count) else { return nil }
    secret = SharedSecret(Secret(copying: bytes))
  }

  /// The key that it gives with a salt.
  func key(_ salt: Span<UInt8>, _ parameters: Argon2id.Parameters) throws(CryptoError) -> Secret {
    let secret = self.secret
    return try Argon2id.key(
      of: secret.exposedBytes, salt: salt, parameters, count: XChaCha20Poly1305.keySize)
  }
}

extension Passphrase: CustomReflectable {
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Passphrase {
  /// Reads a line, without its end, and nothing behind it: the bytes go into memory that is wiped, one at a time.
  ///
  /// The line ends with a line feed, or with the input; a carriage return before that end is no part of it.
  ///
  /// - Throws: ``PassphraseError``.
  package init(readingLineFrom descriptor: Int32) throws(PassphraseError) {
    // One byte more than is allowed, and a carriage return.
    var (count, error) = (0, Int32(0))
    let line = Secret(count: Self.maximumSize + 2) { bytes in
      (count, error) = Self.readLine(from: descriptor, into: &bytes)
    }
    guard error == 0 else { throw .system(errno: error) }
    guard count > 0 else { throw .empty }
    guard let passphrase = Passphrase(copying: line.exposedBytes.extracting(0..<count)) else {
      throw .tooLong
    }
    self = passphrase
  }

  private static func readLine(
    from descriptor: Int32, into bytes: inout MutableSpan<UInt8>
  ) -> (count: Int, error: Int32) {
    var count = 0
    while count < bytes.count {
      let result = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress! + count, 1)
      }
      if result < 0 && errno == EINTR { continue }
      guard result >= 0 else { return (0, errno) }
      guard result > 0, bytes[count] != UInt8(ascii: "\n") else { break }
      count += 1
    }
    if count > 0, bytes[count - 1] == UInt8(ascii: "\r") { count -= 1 }
    return (count, 0)
  }

  /// Whether two passphrases are the same, for a person who types a new one twice.
  package func isSame(as other: Passphrase) -> Bool {
    let (own, others) = (secret, other.secret)
    return ConstantTime.equal(own.exposedBytes, others.exposedBytes)
  }
}

/// Why no passphrase was read.
package enum PassphraseError: Error, Equatable, Sendable {
  /// The line is empty.
  case empty
  /// It has more than 1024 bytes.
  case tooLong
  /// The system's reason, its `errno`.
  case system(errno: Int32)
}
