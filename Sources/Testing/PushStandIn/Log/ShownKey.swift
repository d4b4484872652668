package import PushCore

/// A key that was shown for an app, in a provider token that is valid.
package struct ShownKey: Hashable, Sendable {
  /// The key's ID.
  package let keyID: String
  /// The app.
  package let topic: Topic

  /// The most pairs of keys and apps that are kept: the first 1,000.
  static let capacity = 1000

  /// Names a key and an app.
  package init(keyID: String, topic: Topic) { (self.keyID, self.topic) = (keyID, topic) }
}

extension Set<ShownKey> {
  /// Notes a key, as long as there is room.
  mutating func note(_ bearer: BearerToken, for topic: Topic?) {
    guard let topic, count < ShownKey.capacity else { return }
    insert(ShownKey(keyID: bearer.keyID, topic: topic))
  }
}
