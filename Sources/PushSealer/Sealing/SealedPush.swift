/// A sealed notification, ready for an APNs client.
public struct SealedPush: Hashable, Sendable {
  /// The body of the request: JSON of at most 4096 bytes, 5120 for `voip`.
  public let payload: [UInt8]

  /// The headers of the request.
  public let headers: APNsHeaders

  /// How the bytes are spent.
  public let budget: Budget

  /// What was left out to make it fit, in order; empty unless the policy's ``Fitting`` allows it.
  public let cuts: [Cut]
}
