public import PushCore
public import PushKeys
internal import PushStore

/// The backend's keys: one set for all apps, or sets for some apps, of which each has its own sender.
public struct Senders: Sendable {
  /// The keys for all apps without their own; nil if nothing is sent to those.
  public let standard: KeySet?

  /// The keys of the apps that have their own.
  public let byTopic: [Topic: KeySet]

  /// One set of keys for all apps.
  public init(_ keys: KeySet) { (standard, byTopic) = (keys, [:]) }

  /// Sets of keys for some apps, and perhaps one for the others: at most 32 different sets.
  ///
  /// - Throws: `ConfigurationError` if there are none, or too many.
  public init(_ byTopic: [Topic: KeySet], others standard: KeySet? = nil) throws(ConfigurationError) {
    (self.standard, self.byTopic) = (standard, byTopic)
    let check = PropertyCheck()
    try check.require("senders", mustBe: "at least one", standard != nil || !byTopic.isEmpty)
    let count = Set(byTopic.values.compactMap(\.firstKey)).count + (standard == nil ? 0 : 1)
    let maximum = FirstSenders.maximumCount
    try check.require("senders", mustBe: "at most \(maximum)", count <= maximum)
  }

  /// The keys that sign for an app; nil if none do.
  public func keys(for topic: Topic) -> KeySet? { byTopic[topic] ?? standard }

  /// Whether any sender has a key that signs at a time.
  package func canSign(at now: UnixTime) -> Bool { !signingKeys(at: now).isEmpty }

  /// The keys that sign at a time, one a sender.
  func signingKeys(at now: UnixTime) -> Set<Thumbprint> {
    let all = (standard.map { [$0] } ?? []) + byTopic.values
    return Set(all.compactMap { try? $0.signingKey(at: now).publicKey.thumbprint })
  }
}

extension KeySet {
  /// What tells a set from others.
  fileprivate var firstKey: Thumbprint? { records.first?.id }
}
