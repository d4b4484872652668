/// How a sealed payload's bytes are spent.
///
/// All figures are in bytes.
public struct Budget: Hashable, Sendable {
  /// The largest payload that APNs accepts.
  public let limit: Int

  /// The visible part of the payload.
  public let skeleton: Int

  /// The longest plaintext that fits.
  public let capacity: Int

  /// The shortest plaintext: the claims, the signature, the content and one byte of padding.
  public let needed: Int

  /// The length of the payload when it is sealed without further padding.
  public let neededPayload: Int

  package init(limit: Int, skeleton: Int, capacity: Int, needed: Int, neededPayload: Int) {
    self.limit = limit
    self.skeleton = skeleton
    self.capacity = capacity
    self.needed = needed
    self.neededPayload = neededPayload
  }
}
