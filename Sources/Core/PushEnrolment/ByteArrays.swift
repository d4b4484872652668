public import PushCore
public import PushKeys

// Array overloads of functions that take a span: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension Enrolment {
  /// Parses an enrolment in an array.
  ///
  /// - Throws: ``SignedSetError``.
  public init(
    parsing json: some Sequence<UInt8>, for topic: Topic? = nil, audience: Audience,
    challenge: Challenge? = nil, services: Set<PushService> = [.apns]
  ) throws(SignedSetError) {
    try self.init(
      parsing: Array(json).span, for: topic, audience: audience, challenge: challenge, services: services)
  }
}

extension ProofRequest {
  /// Parses a proof request in an array.
  ///
  /// - Throws: `ValueError`.
  public init(parsing content: some Sequence<UInt8>) throws(ValueError) {
    try self.init(parsing: Array(content).span)
  }
}

extension Registration {
  /// Parses a registration's line in an array.
  ///
  /// - Throws: ``SignedSetError``.
  public init(
    parsing line: some Sequence<UInt8>, services: Set<PushService> = [.apns]
  ) throws(SignedSetError) {
    try self.init(parsing: Array(line).span, services: services)
  }
}

extension SenderKeySet {
  /// Parses a signed set in an array.
  ///
  /// - Throws: ``SignedSetError``.
  public init(parsing text: some Sequence<UInt8>, roots: PublicKeySet, topic: Topic) throws(SignedSetError) {
    try self.init(parsing: Array(text).span, roots: roots, topic: topic)
  }
}

extension SenderKeyFile {
  /// Stores a signed set that is in an array.
  ///
  /// - Throws: ``SenderKeyFileError``.
  @discardableResult
  public func accept(_ text: some Sequence<UInt8>) throws(SenderKeyFileError) -> Bool {
    try accept(Array(text).span)
  }
}
