public import PushEnvelope

/// What a change of active keys did.
public struct Rotation: Hashable, Sendable {
  /// The keys that were active, accepted from now on.
  public let replaced: [KeyRecord]

  /// The new active keys.
  public let added: [KeyRecord]

  /// The active keys that stay.
  public let kept: [KeyRecord]

  /// A sender's new next key, which is to be handed out before the rotation that makes it the active one.
  public let next: KeyRecord?

  /// Whether nothing was done.
  public var isEmpty: Bool { added.isEmpty && next == nil }

  /// Puts together what was done.
  init(replaced: [KeyRecord] = [], added: [KeyRecord] = [], kept: [KeyRecord], next: KeyRecord? = nil) {
    self.replaced = replaced
    self.added = added
    self.kept = kept
    self.next = next
  }
}

/// What a key took with it when it was destroyed before its end.
public struct Revocation: Hashable, Sendable {
  /// The destroyed key, as it was.
  public let record: KeyRecord

  /// What took its place as the active key, or as the next one; null if it was accepted.
  public let replacement: KeyRecord?

  /// The last second at which APNs may deliver a push that was made with the key before it was revoked, and that
  /// the key would still have been accepted for; null if there is none, because its end had come.
  public let lossEnds: UnixTime?
}
