internal import PushEnvelope

/// Where each key of a set stands, by the name that envelopes use; made only of keys that may form a set.
struct KeyDirectory: Sendable {
  /// Whose keys they are.
  let role: KeyRole

  private var positions: [KeyID: Int] = [:]

  /// Lists keys of one role.
  ///
  /// - Throws: ``KeySetError/duplicateKey``, ``KeySetError/collidingKeyIDs``.
  init(_ records: [KeyRecord], role: KeyRole) throws(KeySetError) {
    self.role = role
    positions.reserveCapacity(records.count)
    for (position, record) in records.enumerated() {
      if let other = positions.updateValue(position, forKey: record.id.keyID) {
        throw records[other].id == record.id ? .duplicateKey : .collidingKeyIDs
      }
    }
  }

  /// The position of a key.
  func position(of id: KeyID) -> Int? { positions[id] }
}
