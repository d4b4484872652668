#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif
internal import PushCrypto

/// A passphrase that encrypts a key file.
///
/// Its mirror shows nothing, and its memory is wiped when the last copy is released.
public struct Passphrase: Sendable {
  /// The maximum size, in bytes.
  public static let maximumSize = 1024

  private let secret: SharedSecret

  /// Copies a passphrase of 1 to 1024 bytes; nil for any other size.
  ///
  /// The caller must wipe its own copy.
  public init?(copying bytes: Span<UInt8>) {
    guard (1...Self.maximumSize).contains(bytes.count) else { return nil }
    secret = SharedSecret(Secret(copying: bytes))
  }

  /// Derives a file's key with Argon2id.
  func key(salt: Span<UInt8>, parameters: Argon2id.Parameters) throws(CryptoError) -> Secret {
    let secret = self.secret
    return try Argon2id.key(
      of: secret.exposedBytes, salt: salt, parameters: parameters, count: XChaCha20Poly1305.keySize)
  }
}

extension Passphrase: CustomReflectable {
  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Passphrase {
  /// Reads one line, and nothing after it.
  ///
  /// The bytes are read one at a time into memory that is wiped. The line ends with a line feed or with the input. A
  /// carriage return before that end is dropped.
  ///
  /// - Throws: ``PassphraseError``.
  package init(readingLineFrom descriptor: Int32) throws(PassphraseError) {
    // Room for the maximum, one byte too many, and a carriage return.
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

  /// Whether two passphrases are equal, in constant time, for a new passphrase that is typed twice.
  package func isSame(as other: Passphrase) -> Bool {
    let (own, others) = (secret, other.secret)
    return ConstantTime.equal(own.exposedBytes, others.exposedBytes)
  }
}

/// Why a passphrase cannot be read.
package enum PassphraseError: Error, Equatable, Sendable {
  /// The line is empty.
  case empty
  /// The line has more than 1024 bytes.
  case tooLong
  /// A system call failed with this `errno`.
  case system(errno: Int32)
}
