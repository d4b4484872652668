internal import PushCore
internal import PushCrypto
public import PushKeys

/// The key with which a store seals the rows of its devices: 32 random bytes, in a file outside the database.
///
/// With it, a store notices a row that something else has written, before anything is sealed to that row's keys. Whoever
/// can only write the database cannot make such a row. ``SQLiteStore`` and `PostgresStore` take the key when they are opened.
public struct RowKey: Sendable {
  /// The length of a key, in bytes.
  public static let size = 32

  private let secret: SharedSecret

  /// Reads a key from a file: 43 characters of base64url, and perhaps a line feed.
  ///
  /// The file must be closed to others, as `KeyFile.load()` asks it of key files.
  ///
  /// - Throws: `KeyFileError`; `KeyFileFault.damaged` if the file is no row key.
  public init(path: String) throws(KeyFileError) {
    let contents = try SecretFile(path: path).read()
    guard let key = Self.key(in: contents.bytes) else { throw KeyFileError(.damaged, path: path) }
    secret = SharedSecret(key)
  }

  /// Makes a random key, which is nowhere but in this process.
  public init() { secret = SharedSecret(SystemRandom().secret(count: Self.size, in: .guarded)) }

  /// Writes the key to a new file, 0600 whatever the process's mask, and never over anything.
  ///
  /// - Throws: `KeyFileError`.
  public func write(to path: String) throws(KeyFileError) {
    var text: [UInt8] = []
    text.reserveCapacity(Base64URL.encodedSize(of: Self.size) + 1)
    defer { text.wipe() }
    Base64URL.append(secret.exposedBytes, to: &text)
    text.append(UInt8(ascii: "\n"))
    try OutputFile(path: path).writeKey(text.span)
  }

  /// What names the key in a store, and tells nothing of its bytes: 22 characters.
  package var id: String {
    let hmac = HMACSHA256(key: secret.exposedBytes)
    hmac.update("sealedpush row key 1")
    let code = hmac.finish()
    return Base64URL.encode(code.exposedBytes.extracting(0..<16))
  }

  /// What encrypts proofs under the key.
  var proofs: ProofSeal { ProofSeal(rowKey: secret.exposedBytes) }

  /// An HMAC under the key, for one thread.
  func hmac() -> HMACSHA256 { HMACSHA256(key: secret.exposedBytes) }

  private static func key(in file: Span<UInt8>) -> Secret? {
    let size = Base64URL.encodedSize(of: Self.size)
    let hasEnd = file.count == size + 1 && file[size] == UInt8(ascii: "\n")
    guard file.count == size || hasEnd else { return nil }
    let text = file.extracting(0..<size)
    var (isCanonical, bits) = (true, UInt8(0))
    let key = Secret(count: Self.size, in: .guarded) { bytes in
      var count = 0
      do {
        try Base64URL.decode(text) { byte in
          bytes[count] = byte
          count += 1
          bits |= byte
        }
      } catch {
        isCanonical = false
      }
    }
    // A file of zeros is no key that anybody has made.
    guard isCanonical, bits != 0 else { return nil }
    return key
  }
}

/// Keeps the key out of logs.
extension RowKey: CustomStringConvertible, CustomReflectable {
  /// Says that it is a key.
  public var description: String { "row key" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Why a store's devices are neither read nor written.
public enum RowKeyFault: Hashable, Sendable {
  /// The store's rows are sealed, and it was opened without a row key.
  case missing
  /// The rows are sealed with another key.
  case other
  /// The store has devices, and was never sealed.
  case unsealed
}
