internal import PushCrypto
package import PushCore
// Code that catches an error can use its payload without importing PushFiles, which is not a product.
@_exported public import PushFiles
private import Synchronization

/// A team's authority to send: signs the tokens that APNs requires ("Establishing a token-based connection to APNs").
///
/// A token is the same on every machine with the same key for 40 minutes: its time of issue is rounded down, and its
/// signature has no randomness (RFC 6979). So machines need not talk to each other, and APNs, which limits how often a
/// team's token may change, sees a single token. If APNs says that a token is expired, one that is dated to the last
/// 20-minute mark replaces it, so that machines whose tokens are refused together have the same token afterwards, too.
public final class ProviderToken: Sendable {
  /// The key's ID, 10 letters and digits.
  public let keyID: String

  /// The team's ID, 10 letters and digits.
  public let teamID: String

  /// How long a token is used.
  public static let slot = Duration.seconds(slotSeconds)

  private static let slotSeconds: Int64 = 40 * 60

  /// APNs allows a new token every 20 minutes, so that a renewed one is issued in the middle of a slot.
  private static let renewalSeconds: Int64 = 20 * 60

  private struct Current {
    let issuedAt: UnixTime
    /// The value of `authorization`.
    let authorization: String
    /// Since when the token is used.
    let since: UnixTime
    /// Whether it replaced a token that APNs refused.
    var isRenewed = false

    /// Whether this is the token to send.
    ///
    /// A renewed token was issued 20 minutes into a slot, and serves 20 minutes into the next one: so it is used for 20
    /// minutes or longer, whenever it was made. A clock that goes back a little does not end it.
    func serves(at now: UnixTime) -> Bool {
      let earliest = isRenewed ? -ProviderToken.renewalSeconds : 0
      return (earliest..<ProviderToken.slotSeconds).contains(now.seconds - issuedAt.seconds)
    }
  }

  private let key: SharedSecret
  private let current = Mutex<Current?>(nil)

  /// Reads a key as Apple issues it: the text of a file `AuthKey_….p8`, PKCS#8 in PEM.
  ///
  /// - Throws: ``ProviderTokenError``.
  public init(p8 text: Span<UInt8>, keyID: String, teamID: String) throws(ProviderTokenError) {
    guard Self.isID(keyID) else { throw .keyID }
    guard Self.isID(teamID) else { throw .teamID }
    let key: PEM.PrivateKey
    do {
      key = try PEM.PrivateKey(text, among: [DHKEM.p256, DHKEM.x25519])
    } catch {
      throw ProviderTokenError(error)
    }
    guard key.kind as? DHKEM == .p256 else { throw .notP256 }
    // PEM has checked the scalar only against a public key that was stored with it.
    guard let secret = Self.checked(key.secret.exposedBytes) else { throw .malformed }
    (self.keyID, self.teamID) = (keyID, teamID)
    self.key = secret
  }

  /// Reads a key from an array, as from a span; the caller wipes the array.
  ///
  /// - Throws: ``ProviderTokenError``.
  public convenience init(p8 text: [UInt8], keyID: String, teamID: String) throws(ProviderTokenError) {
    try self.init(p8: text.span, keyID: keyID, teamID: teamID)
  }

  /// Reads a key from the file that Apple issued, of at most 16 KiB.
  ///
  /// Without a `keyID` it is the one in the file's name, `AuthKey_ABCDE12345.p8`.
  ///
  /// - Throws: ``ProviderTokenError``.
  public convenience init(path: String, keyID: String? = nil, teamID: String) throws(ProviderTokenError) {
    let text: Secret
    let name: String
    do throws(FileError) {
      let location = try FileLocation(path)
      name = location.name
      text = try Self.read(location)
    } catch {
      throw .file(error, path: path)
    }
    try self.init(p8: text.exposedBytes, keyID: keyID ?? Self.keyID(inNameOf: name) ?? "", teamID: teamID)
  }

  private static let maximumFileSize = 1 << 14

  /// Reads a file into memory that is wiped.
  private static func read(_ location: FileLocation) throws(FileError) -> Secret {
    let file = try Folder(location.folder).open(location.name, isFollowingLinks: true)
    let size = try file.size(atMost: maximumFileSize)
    var result = Result<Int, FileError>.success(0)
    let text = Secret(count: size) { bytes in
      result = Result { () throws(FileError) in try file.read(into: &bytes) }
    }
    guard try result.get() == size, size > 0 else { throw .busy }
    return text
  }

  /// The ID in the name that Apple gives to a key's file.
  package static func keyID(inNameOf path: String) -> String? {
    let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
    guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
    return String(name.dropFirst(8).dropLast(3))
  }

  /// A copy of a private key; nil if it is out of range.
  private static func checked(_ privateKey: Span<UInt8>) -> SharedSecret? {
    guard (try? P256.publicKey(of: privateKey)) != nil else { return nil }
    return SharedSecret(Secret(copying: privateKey))
  }

  private static func isID(_ text: String) -> Bool {
    text.utf8.count == 10 && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
  }

  /// Whether both are one key of one team; what keys differ in shows in no time.
  package func isSame(as other: ProviderToken) -> Bool {
    if self === other { return true }
    guard keyID == other.keyID, teamID == other.teamID else { return false }
    let (left, right) = (key, other.key)
    return ConstantTime.equal(left.exposedBytes, right.exposedBytes)
  }

  /// The value of `authorization` to send at a time: the token with its scheme.
  package func authorization(at now: UnixTime) -> String {
    current.withLock { authorization(&$0, at: now) }
  }

  /// Replaces a token that APNs says is expired, if APNs allows a new one by now; returns whether there is a new one.
  package func renew(_ expired: String, at now: UnixTime) -> Bool {
    current.withLock { current in
      guard authorization(&current, at: now) == expired, let old = current else { return true }
      let start = Self.start(of: Self.renewalSeconds, at: now)
      guard start > old.issuedAt, now.seconds - old.since.seconds >= Self.renewalSeconds else { return false }
      current = Current(issuedAt: start, authorization: signed(at: start), since: now, isRenewed: true)
      return true
    }
  }

  private func authorization(_ current: inout Current?, at now: UnixTime) -> String {
    if let current, current.serves(at: now) { return current.authorization }
    let start = Self.start(of: Self.slotSeconds, at: now)
    let new = Current(
      issuedAt: start, authorization: signed(at: start), since: current == nil ? start : now)
    current = new
    return new.authorization
  }

  /// The last time that is a multiple of so many seconds.
  private static func start(of seconds: Int64, at now: UnixTime) -> UnixTime {
    UnixTime(clamping: now.seconds / seconds * seconds)
  }

  /// A JSON Web Token (RFC 7519), whose members are in a fixed order, with its scheme (RFC 6750, 2.1).
  private func signed(at time: UnixTime) -> String {
    let header = Array("{\"alg\":\"ES256\",\"kid\":\"\(keyID)\"}".utf8)
    let claims = Array("{\"iss\":\"\(teamID)\",\"iat\":\(time.seconds)}".utf8)
    let text = Base64URL.encode(header.span) + "." + Base64URL.encode(claims.span)
    let signed = Array(text.utf8)
    let key = self.key
    guard let signature = try? ES256.sign(signed.span, with: key.exposedBytes) else {
      preconditionFailure("the key was checked, and OpenSSL has P-256")
    }
    return "bearer " + text + "." + Base64URL.encode(signature.span)
  }
}

extension ProviderToken: CustomReflectable {
  /// The IDs, which are no secrets.
  public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID, "teamID": teamID]) }
}

/// Why there is no provider token.
public enum ProviderTokenError: Error, Hashable, Sendable {
  /// The file cannot be read; it is `FileError.tooLarge` above 16 KiB, and `FileError.busy` if it is empty or changes.
  case file(FileError, path: String)
  /// The key's ID is not 10 uppercase letters and digits.
  case keyID
  /// The team's ID is not 10 uppercase letters and digits.
  case teamID
  /// The text is not PEM, or its content is damaged.
  case malformed
  /// The text has a public key or a certificate, but no private key.
  case notPrivate
  /// The key is encrypted with a password; Apple's are not.
  case encrypted
  /// The private key is in another format than PKCS#8, such as `EC PRIVATE KEY`.
  case notPKCS8
  /// The key is not a P-256 key.
  case notP256
  /// The text has several private keys.
  case notOneKey

  init(_ error: PEMError) {
    switch error {
    case .malformed, .mismatch: self = .malformed
    case .encrypted: self = .encrypted
    case .notPrivate: self = .notPrivate
    case .unsupported: self = .notP256
    case .notPKCS8: self = .notPKCS8
    case .notOneKey: self = .notOneKey
    }
  }
}

extension ProviderTokenError: CustomStringConvertible {
  /// What is wrong with the key or its IDs.
  public var description: String {
    switch self {
    case .file(let error, let path): "cannot read \(PrintableText.escaped(path)): \(error)"
    case .keyID: "the key ID must have 10 uppercase letters and digits, as in AuthKey_ABCDE12345.p8"
    case .teamID: "the team ID must have 10 uppercase letters and digits"
    case .malformed: "the key is not PEM, or is damaged: it must be the text of Apple's .p8 file"
    case .notPrivate: "the text has no private key: it must be that of Apple's .p8 file"
    case .encrypted: "the key is encrypted with a password"
    case .notPKCS8: "the key is not PKCS#8 ('BEGIN PRIVATE KEY'), as Apple's .p8 files are"
    case .notP256: "the key is not a P-256 key, as Apple's .p8 files have"
    case .notOneKey: "the text has several private keys"
    }
  }
}
