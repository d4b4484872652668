public import PushCore

/// A finding of an audit: something the owner of a set should know.
public struct KeyFinding: Hashable, Sendable {
  /// How serious the finding is.
  public enum Severity: String, Sendable, CaseIterable {
    /// Pushes are lost or unsigned, or a removed key is still in use.
    case error
    /// Action is overdue.
    case warning
    /// Action is due soon.
    case note
  }

  /// The kind of finding.
  ///
  /// The raw values are stable, for use in scripts.
  public enum Code: String, Sendable, CaseIterable {
    /// The active key has expired: nothing is sealed to it or signed with it.
    case activeEnded = "active-ended"
    /// The active key is not valid yet (`nbf`): receivers would reject its signatures.
    case activeNotBegun = "active-not-begun"
    /// An accepted key has expired but was not pruned.
    case acceptedEnded = "accepted-ended"
    /// An accepted key has no expiration.
    case acceptedWithoutEnd = "accepted-without-end"
    /// The active key is due for rotation: by default after 30 days. From 90 days on, this is a warning.
    case oldActiveKey = "old-active-key"
    /// The active key was issued after `now`.
    case madeInFuture = "made-in-future"
    /// The copy does not have a key of the set, or does not use it.
    case notHandedOut = "not-handed-out"
    /// The copy uses a key that is not in the set, or has expired there.
    ///
    /// For senders this is a warning, because a copy may have several senders' keys.
    case goneKeyInUse = "gone-key-in-use"
  }

  /// How serious the finding is.
  public let severity: Severity

  /// What was found.
  public let code: Code

  /// The key.
  public let key: Thumbprint

  /// Makes a finding.
  fileprivate init(severity: Severity, code: Code, key: Thumbprint) {
    self.severity = severity
    self.code = code
    self.key = key
  }
}

extension KeySet {
  /// Audits the set at `now`, and returns the findings: its own in key order, then those of the copy.
  ///
  /// `copy` is the public half as others have it: the backends' copy of a device's keys, or the devices' copy of a
  /// sender's keys. `days` is the age from which on a key is due for rotation.
  ///
  /// - Throws: ``KeySetError/noPublicHalf`` if a copy is given for shared keys, ``KeySetError/wrongRole`` if the copy
  ///   has another role.
  public func findings(
    at now: UnixTime = .now, copy: PublicKeySet? = nil, rotatedAfter days: Int64 = 30
  ) throws(KeySetError) -> [KeyFinding] {
    var findings = role.name == nil ? records.flatMap { $0.findings(at: now, rotatedAfter: days) } : []
    guard let copy else { return findings }
    let handedOut = try publicKeys.records
    guard copy.role == role else { throw .wrongRole }
    for record in handedOut where !record.life.hasExpired(at: now) && !copy.uses(record.id, at: now) {
      findings.append(
        KeyFinding(
          severity: severityIfMissing(record, in: copy, at: now), code: .notHandedOut, key: record.id))
    }
    let good = Set(records.filter { !$0.life.hasExpired(at: now) }.map(\.id))
    for record in copy.records where !good.contains(record.id) && copy.uses(record.id, at: now) {
      findings.append(
        KeyFinding(severity: role == .sender ? .warning : .error, code: .goneKeyInUse, key: record.id))
    }
    return findings
  }

  /// How serious it is that the copy lacks a key.
  ///
  /// A sender's active key is an error: receivers cannot verify its messages. A sender's other keys are a warning. A
  /// device's key is a warning while others seal to an older key that still opens, otherwise an error.
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
  /// Whether the holder of this set uses the key: seals to it, or trusts it.
  fileprivate func uses(_ id: Thumbprint, at now: UnixTime) -> Bool {
    guard let record = record(of: id), !record.life.hasExpired(at: now) else { return false }
    return record.life.status == .active || role == .sender
  }
}

extension KeyRecord {
  /// The findings for this key alone.
  fileprivate func findings(at now: UnixTime, rotatedAfter days: Int64) -> [KeyFinding] {
    switch life.status {
    case .accepted:
      if life.hasExpired(at: now) { return [KeyFinding(severity: .warning, code: .acceptedEnded, key: id)] }
      return life.expiresAt == nil ? [KeyFinding(severity: .warning, code: .acceptedWithoutEnd, key: id)] : []
    case .active: return activeFindings(at: now, rotatedAfter: days)
    case .next: return []
    }
  }

  private func activeFindings(at now: UnixTime, rotatedAfter days: Int64) -> [KeyFinding] {
    var findings: [KeyFinding] = []
    if life.hasExpired(at: now) { findings.append(KeyFinding(severity: .error, code: .activeEnded, key: id)) }
    // Only signature checks look at `nbf`.
    if algorithm == .ed25519, !life.hasBegun(at: now) {
      findings.append(KeyFinding(severity: .error, code: .activeNotBegun, key: id))
    }
    let age = life.age(at: now) / 86_400
    if age >= days {
      findings.append(KeyFinding(severity: age >= 90 ? .warning : .note, code: .oldActiveKey, key: id))
    }
    if life.issuedAt > now { findings.append(KeyFinding(severity: .warning, code: .madeInFuture, key: id)) }
    return findings
  }
}
