internal import PushCrypto
internal import PushEnvelope

/// A message, as a ledger remembers it: hashes that name nobody, and a date.
struct ReplayRecord: Equatable {
  /// The length of each hash, in bytes.
  static let hashSize = 32

  /// SHA-256 of who sent which message: which keys there are (1: the sender's, 2: the device's), they themselves,
  /// the message's identity.
  let key: [UInt8]

  /// SHA-256 of the same and the content's digest.
  ///
  /// The identity in it keeps anybody who reads a ledger from trying contents that he can guess.
  let content: [UInt8]

  /// The last moment at which the message can be opened.
  let expiresAt: UnixTime

  /// Hashes an entry.
  init(_ entry: ReplayEntry) {
    let (sender, recipient) = (entry.key.sender, entry.key.recipient)
    var bytes: [UInt8] = [(sender == nil ? 0 : 1) | (recipient == nil ? 0 : 2)]
    if let sender { bytes += sender.bytes }
    if let recipient { bytes += recipient.bytes }
    bytes += entry.key.messageID.bytes
    key = SHA256.digest(bytes.span)
    bytes += entry.digest
    content = SHA256.digest(bytes.span)
    expiresAt = entry.expiresAt
  }

  /// Puts a record together that was read.
  init(key: [UInt8], content: [UInt8], expiresAt: UnixTime) {
    self.key = key
    self.content = content
    self.expiresAt = expiresAt
  }
}
