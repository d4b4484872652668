public import PushEnvelope

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
