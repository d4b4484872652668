public import PushCore

/// The result of a change of the active keys.
public struct Rotation: Hashable, Sendable {
  /// The keys that were active and are now accepted.
  public let replaced: [KeyRecord]

  /// The new active keys.
  public let added: [KeyRecord]

  /// The active keys that stay active.
  public let kept: [KeyRecord]

  /// A sender's new next key.
  ///
  /// Publish it before the next rotation makes it active.
  public let next: KeyRecord?

  /// Whether nothing changed.
  public var isEmpty: Bool { added.isEmpty && next == nil }

  /// Makes a result from its parts.
  init(replaced: [KeyRecord] = [], added: [KeyRecord] = [], kept: [KeyRecord], next: KeyRecord? = nil) {
    self.replaced = replaced
    self.added = added
    self.kept = kept
    self.next = next
  }
}

/// The result of revoking a key, and until when pushes are lost.
public struct Revocation: Hashable, Sendable {
  /// The destroyed key, as it was before.
  public let record: KeyRecord

  /// The new active or next key that took its place; nil if the destroyed key was accepted.
  public let replacement: KeyRecord?

  /// The last second at which APNs may still deliver a push that can no longer be opened or verified without the key;
  /// nil if no push is lost, because the key had expired or was never in use.
  public let lossEnds: UnixTime?
}
