/// How a sealed payload's bytes are spent.
///
/// All figures are in bytes.
package struct Budget: Hashable, Sendable {
  /// The largest payload that APNs accepts.
  package let limit: Int

  /// The visible part of the payload.
  package let skeleton: Int

  /// The longest plaintext that fits.
  package let capacity: Int

  /// The shortest plaintext: the claims, the signature, the content and one byte of padding.
  package let needed: Int

  /// The length of the payload when it is sealed without further padding.
  package let neededPayload: Int

  package init(limit: Int, skeleton: Int, capacity: Int, needed: Int, neededPayload: Int) {
    self.limit = limit
    self.skeleton = skeleton
    self.capacity = capacity
    self.needed = needed
    self.neededPayload = neededPayload
  }
}
