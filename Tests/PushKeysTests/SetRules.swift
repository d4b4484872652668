import PushCore
import PushKeys
import Testing

/// The rules of a set and of its changes (``KeySetRules``), checked on the records alone.
struct SetRules {
  /// The step that is checked.
  let place: Comment

  /// Checks the rules for every set.
  func judge(_ set: KeySet) {
    let records = set.records
    #expect((1...16_384).contains(records.count), place)
    let algorithms: [KeyAlgorithm] =
      switch set.role {
      case .device: [.x25519, .p256]
      case .sender, .identity, .root: [.ed25519]
      case .shared: [.shared]
      }
    #expect(records.allSatisfy { algorithms.contains($0.algorithm) }, place)
    #expect(Set(records.map(\.id)).count == records.count, place)
    #expect(Set(records.map(\.id.keyID)).count == records.count, place)
    let active = records.filter { $0.life.status == .active }.map(\.algorithm)
    #expect(active.count == Set(active).count && Set(active) == Set(records.map(\.algorithm)), place)
    #expect(records.count { $0.life.status == .next } == (set.role == .sender ? 1 : 0), place)
  }

  /// Checks the rules for changes.
  func judge(_ new: [KeyRecord], after old: [KeyRecord], revoked: Set<Thumbprint>, at now: UnixTime) {
    let lives = Dictionary(uniqueKeysWithValues: new.map { ($0.id, $0.life) })
    for record in old {
      if let life = lives[record.id] {
        #expect(isAllowed(life, after: record.life, at: now), place)
      } else {
        let isOver = record.life.status == .accepted && (record.life.expiresAt.map { $0 < now } ?? false)
        #expect(isOver || revoked.contains(record.id), place)
      }
    }
    let kept = old.map(\.id).filter { lives[$0] != nil }
    #expect(Array(new.map(\.id).prefix(kept.count)) == kept, place)
    #expect(new.dropFirst(kept.count).allSatisfy { $0.life.status != .accepted }, place)
  }

  private func isAllowed(_ new: KeyLife, after old: KeyLife, at now: UnixTime) -> Bool {
    if new == old { return true }
    guard new.notBefore == old.notBefore else { return false }
    let isLate = new.expiresAt.map { $0.seconds >= now.seconds + month } ?? true
    switch (old.status, new.status) {
    case (.active, .accepted): return new.issuedAt == old.issuedAt && isLate
    case (.accepted, .accepted):
      return new.issuedAt == old.issuedAt && old.expiresAt == nil && new.expiresAt != nil && isLate
    case (.next, .active): return new.issuedAt == now && new.expiresAt == old.expiresAt
    default: return false
    }
  }
}
