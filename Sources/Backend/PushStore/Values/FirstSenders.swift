internal import PushCore

/// The keys that signed a job's first attempt: the column `sender`, which has their thumbprints with spaces in between.
///
/// Thousands of jobs have the same keys, so the text is compared, and read once for all of them.
package struct FirstSenders: Hashable, Sendable {
  /// How many keys there may be.
  package static let maximumCount = 32

  /// The column's text; nil if there are no keys.
  package let text: String?

  /// Takes the column's text.
  package init(text: String?) { self.text = text }

  /// Of too many keys, some are left out.
  package init(_ keys: Set<Thumbprint>) {
    // One worker's jobs have one text, whatever the order of a set is.
    text = keys.isEmpty ? nil : keys.map(\.text).sorted().prefix(Self.maximumCount).joined(separator: " ")
  }

  /// The keys; what is no thumbprint is left out.
  package var keys: Set<Thumbprint> {
    guard let text else { return [] }
    if let key = try? Thumbprint(text) { return [key] }
    let texts = text.split(separator: " ").prefix(Self.maximumCount)
    return Set(texts.compactMap { try? Thumbprint(String($0)) })
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
