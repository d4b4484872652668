/// A sealed notification, ready for an APNs client.
public struct SealedNotification: Hashable, Sendable {
  /// The body of the request: JSON of at most 4096 bytes, 5120 for `voip`.
  public let payload: [UInt8]

  /// The headers of the request.
  public let headers: APNsHeaders

  /// How the payload's bytes are spent.
  package let budget: Budget

  /// What was cut to make the message fit, in order; empty unless the sealer's policy allows cuts.
  public let cuts: [Cut]

  /// Whether it asks a device for a proof: FORMAT.md, [11.19].
  ///
  /// It goes to a token that an enrolment claims and no device has proven, so APNs' refusal of it says nothing about the
  /// route: see ``AddressedPush/isProven``.
  public let isProofRequest: Bool

  package init(
    payload: [UInt8], headers: APNsHeaders, budget: Budget, cuts: [Cut], isProofRequest: Bool = false
  ) {
    self.payload = payload
    self.headers = headers
    self.budget = budget
    self.cuts = cuts
    self.isProofRequest = isProofRequest
  }
}

/// Something that was cut from a message to make it fit.
public enum Cut: Hashable, Sendable {
  /// A member, by its path.
  case dropped(String)

  /// The end of the body: how many bytes of its UTF-8 were kept, and how many there were.
  case truncatedBody(kept: Int, of: Int)
}

/// Keeps the envelope out of logs.
extension SealedNotification: CustomStringConvertible, CustomReflectable {
  /// The message's ID, and the size of the payload.
  public var description: String { "push \(headers.messageID), \(payload.count) bytes" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
