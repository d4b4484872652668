internal import PushCore

/// The column `sender`: the thumbprints of the keys that signed a job's first attempt, with spaces in between.
package enum FirstSenders {
  /// How many there may be.
  package static let maximumCount = 32

  /// The column's text; nil if there are no keys.
  ///
  /// Of too many keys, some are left out.
  package static func text(of keys: Set<Thumbprint>) -> String? {
    // One worker's jobs have one text, whatever the order of a set is.
    keys.isEmpty ? nil : keys.map(\.text).sorted().prefix(maximumCount).joined(separator: " ")
  }

  /// The keys in a column's text; what is no thumbprint is left out.
  static func keys(in text: String?) -> Set<Thumbprint> {
    guard let text else { return [] }
    if let key = try? Thumbprint(text) { return [key] }
    return Set(text.split(separator: " ").prefix(maximumCount).compactMap { try? Thumbprint(String($0)) })
  }
}

extension JobQueue {
  /// For how many senders a lease can record the keys: 32.
  public static var maximumSenders: Int { FirstSenders.maximumCount }

  /// Leases ready jobs as `lease(atMost:for:senders:)` does, for one sender or none.
  ///
  /// - Throws: ``StoreError``.
  public func lease(
    atMost count: Int, for time: Duration, sender: Thumbprint?
  ) async throws(StoreError) -> [LeasedJob] {
    try await lease(atMost: count, for: time, senders: sender.map { [$0] } ?? [])
  }
}
