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
    var findings = records.flatMap { $0.findings(at: now) }
    guard let copy else { return findings }
    let handedOut = try publicKeys.records
    guard copy.role == role else { throw .wrongRole }
    for record in handedOut where !copy.has(record.id, at: now) {
      findings.append(KeyFinding(severityIfMissing(record, in: copy), .notHandedOut, record.id))
    }
    let own = Set(records.map(\.id))
    for record in copy.records where !own.contains(record.id) && record.isUsed(at: now) {
      findings.append(KeyFinding(.error, .goneKeyInUse, record.id))
    }
    return findings
  }

  /// Nothing opens what a sender's unknown key signs; a device's new key may be late, since the old one still opens.
  private func severityIfMissing(_ record: KeyRecord, in copy: PublicKeySet) -> KeyFinding.Severity {
    if role == .sender { return record.life.status == .active ? .error : .warning }
    let hasOlder = records.contains { older in
      older.algorithm == record.algorithm && copy.record(of: older.id)?.life.status == .active
    }
    return hasOlder ? .warning : .error
  }
}

extension PublicKeySet {
  /// Whether the set has a key of that name that has not ended.
  fileprivate func has(_ id: Thumbprint, at now: UnixTime) -> Bool {
    record(of: id).map { !$0.life.hasExpired(at: now) } ?? false
  }
}

extension KeyRecord {
  /// Whether whoever has this record uses the key: seals to it, or trusts it.
  fileprivate func isUsed(at now: UnixTime) -> Bool {
    !life.hasExpired(at: now) && (life.status == .active || algorithm.role == .sender)
  }

  /// What is to be known of the key itself.
  fileprivate func findings(at now: UnixTime) -> [KeyFinding] {
    switch life.status {
    case .accepted:
      if life.hasExpired(at: now) { return [KeyFinding(.warning, .acceptedEnded, id)] }
      return life.expiresAt == nil ? [KeyFinding(.warning, .acceptedWithoutEnd, id)] : []
    case .active:
      var findings: [KeyFinding] = []
      if life.hasExpired(at: now) { findings.append(KeyFinding(.error, .activeEnded, id)) }
      let days = life.age(at: now) / 86_400
      if days >= 30 { findings.append(KeyFinding(days >= 90 ? .warning : .note, .oldActiveKey, id)) }
      if life.issuedAt > now { findings.append(KeyFinding(.warning, .madeInFuture, id)) }
      return findings
    case .next: return []
    }
  }
}
