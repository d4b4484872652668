internal import PushEnvelope

/// Where each key of a set stands, by the name that envelopes use; made only of keys that may form a set.
struct KeyDirectory: Sendable {
  /// The most keys that a set may have.
  static let maximumCount = 16_384

  /// Whose keys they are.
  let role: KeyRole

  private var positions: [KeyID: Int] = [:]

  /// Checks the invariants that every set has.
  ///
  /// - Throws: ``KeySetError``: empty, too many, mixed roles, a key twice, two keys under one name.
  init(_ records: [KeyRecord]) throws(KeySetError) {
    guard let first = records.first else { throw .empty }
    guard records.count <= Self.maximumCount else { throw .tooManyKeys }
    role = first.algorithm.role
    positions.reserveCapacity(records.count)
    for (position, record) in records.enumerated() {
      guard record.algorithm.role == role else { throw .mixedRoles }
      if let other = positions.updateValue(position, forKey: record.id.keyID) {
        throw records[other].id == record.id ? .duplicateKey : .collidingKeyIDs
      }
    }
  }

  /// The position of a key.
  func position(of id: KeyID) -> Int? { positions[id] }
}

extension [KeyRecord] {
  /// Checks that no algorithm has two active keys and, if `isRequired`, that each has one.
  ///
  /// - Throws: ``KeySetError/twoActiveKeys``, ``KeySetError/noActiveKey``.
  func checkActiveKeys(isRequired: Bool) throws(KeySetError) {
    for algorithm in KeyAlgorithm.allCases {
      let keys = lazy.filter { $0.algorithm == algorithm }
      let activeCount = keys.count { $0.life.status == .active }
      guard activeCount <= 1 else { throw .twoActiveKeys }
      guard activeCount == 1 || keys.isEmpty || !isRequired else { throw .noActiveKey }
    }
  }
}
