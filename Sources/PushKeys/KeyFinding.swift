public import PushEnvelope

/// Something about a set that its owner should know.
public struct KeyFinding: Hashable, Sendable {
  /// How much it matters.
  public enum Severity: String, Sendable, CaseIterable {
    /// Pushes are lost or not signed, or a key that should be gone is in use.
    case error
    /// Something is overdue.
    case warning
    /// Something will be due.
    case note
  }

  /// What was found; the raw value is for machines, and stays.
  public enum Code: String, Sendable, CaseIterable {
    /// The active key's end has passed: nothing is sealed to it or signed with it.
    case activeEnded = "active-ended"
    /// The active key's `nbf` has not come: what it signed would not be taken.
    case activeNotBegun = "active-not-begun"
    /// An accepted key's end has passed, and it is still there.
    case acceptedEnded = "accepted-ended"
    /// An accepted key has no end.
    case acceptedWithoutEnd = "accepted-without-end"
    /// The active key is older than 30 days, or 90, which is a warning.
    case oldActiveKey = "old-active-key"
    /// The active key was made after the moment that is said to be now.
    case madeInFuture = "made-in-future"
    /// Others do not have a key of the set, or do not seal to it.
    case notHandedOut = "not-handed-out"
    /// Others use a key that is not in the set, or has ended there; of senders a warning, since a copy may have several
    /// senders' keys.
    case goneKeyInUse = "gone-key-in-use"
  }

  /// How much it matters.
  public let severity: Severity

  /// What was found.
  public let code: Code

  /// The key.
  public let key: Thumbprint

  /// Puts a finding together.
  fileprivate init(_ severity: Severity, _ code: Code, _ key: Thumbprint) {
    self.severity = severity
    self.code = code
    self.key = key
  }
}

extension KeySet {
  /// What the set's owner should know at `now`, in the order of the keys.
  ///
  /// `copy` is the public half as others have it: the backends' copy of a device's keys, or the devices' of a sender's.
  ///
  /// - Throws: ``KeySetError/noPublicHalf`` if there is a copy of shared keys, ``KeySetError/wrongRole`` if it is one
  ///   of another role's keys.
  public func findings(
    at now: UnixTime, copy: PublicKeySet? = nil
  ) throws(KeySetError) -> [KeyFinding] {
    var findings = role.name == nil ? records.flatMap { $0.findings(at: now) } : []
    guard let copy else { return findings }
    let handedOut = try publicKeys.records
    guard copy.role == role else { throw .wrongRole }
    for record in handedOut where !record.life.hasExpired(at: now) && !copy.uses(record.id, at: now) {
      findings.append(KeyFinding(severityIfMissing(record, in: copy, at: now), .notHandedOut, record.id))
    }
    let good = Set(records.filter { !$0.life.hasExpired(at: now) }.map(\.id))
    for record in copy.records where !good.contains(record.id) && copy.uses(record.id, at: now) {
      findings.append(KeyFinding(role == .sender ? .warning : .error, .goneKeyInUse, record.id))
    }
    return findings
  }

  /// Nothing opens what a sender's unknown key signs, and its next one signs nothing yet; a device's new key may be late
  /// while others seal to an older one that still opens.
  private func severityIfMissing(
    _ record: KeyRecord, in copy: PublicKeySet, at now: UnixTime
  ) -> KeyFinding.Severity {
    if role == .sender { return isActive(record.id) ? .error : .warning }
    let hasOlder = records.contains { older in
      older.algorithm == record.algorithm && !older.life.hasExpired(at: now) && copy.uses(older.id, at: now)
    }
    return hasOlder ? .warning : .error
  }

  private func isActive(_ id: Thumbprint) -> Bool {
    records.contains { $0.id == id && $0.life.status == .active }
  }
}

extension PublicKeySet {
  /// Whether whoever has this set uses the key: seals to it, or trusts it.
  fileprivate func uses(_ id: Thumbprint, at now: UnixTime) -> Bool {
    guard let record = record(of: id), !record.life.hasExpired(at: now) else { return false }
    return record.life.status == .active || role == .sender
  }
}

extension KeyRecord {
  /// What is to be known of the key itself.
  fileprivate func findings(at now: UnixTime) -> [KeyFinding] {
    switch life.status {
    case .accepted:
      if life.hasExpired(at: now) { return [KeyFinding(.warning, .acceptedEnded, id)] }
      return life.expiresAt == nil ? [KeyFinding(.warning, .acceptedWithoutEnd, id)] : []
    case .active: return activeFindings(at: now)
    case .next: return []
    }
  }

  private func activeFindings(at now: UnixTime) -> [KeyFinding] {
    var findings: [KeyFinding] = []
    if life.hasExpired(at: now) { findings.append(KeyFinding(.error, .activeEnded, id)) }
    // Only who checks a signature asks when its key begins.
    if algorithm == .ed25519, !life.hasBegun(at: now) {
      findings.append(KeyFinding(.error, .activeNotBegun, id))
    }
    let days = life.age(at: now) / 86_400
    if days >= 30 { findings.append(KeyFinding(days >= 90 ? .warning : .note, .oldActiveKey, id)) }
    if life.issuedAt > now { findings.append(KeyFinding(.warning, .madeInFuture, id)) }
    return findings
  }
}
