package import PushCore
internal import PushKeys

/// How often APNs has refused an address (400, `BadDeviceToken` or `DeviceTokenNotForTopic`), and since when.
///
/// All times are the store's, in seconds since 1970.
package struct AddressRefusals: Hashable, Sendable {
  /// The first refusal that counts.
  package let first: Double
  /// The last one that was counted.
  package let last: Double
  package let count: Int64

  /// The time in which refusals count as one, in seconds.
  private static let burst: Double = 3600
  /// How long a device must have been refused, in seconds.
  private static let span: Double = 86_400
  /// How many refusals settle a device.
  private static let limit: Int64 = 3
  /// The time after which refusals count no longer, in seconds.
  package static let memory: Double = 7 * 86_400

  /// What is in a store.
  package init(first: Double, last: Double, count: Int64) {
    (self.first, self.last, self.count) = (first, last, count)
  }

  /// One refusal more; times that are in the future count as now, because clocks go back.
  package init(after old: AddressRefusals?, at now: Double) {
    guard let old, !old.isOver(at: now) else {
      (first, last, count) = (now, now, 1)
      return
    }
    first = min(old.first, now)
    let isNext = min(old.last, now) + Self.burst <= now
    last = isNext ? now : min(old.last, now)
    count = isNext ? min(old.count, 1000) + 1 : old.count
  }

  /// Whether they count no longer.
  package func isOver(at now: Double) -> Bool { last + Self.memory <= now }

  /// Whether the device is to blame: its route has accepted another push since the first refusal, `age` ago.
  package func isSettled(at now: Double, acceptedAgo age: Duration?) -> Bool {
    guard let age, count >= Self.limit, first + Self.span <= now else { return false }
    return now - age.inSeconds > first
  }
}

/// The columns of the table `refusal`.
package struct RefusalColumns: RowColumns {
  private let first, last, count: Column

  package init(in names: some ColumnNames) {
    first = names.column("first_at")
    last = names.column("last_at")
    count = names.column("count")
  }

  package func refusals(in row: borrowing some StoreRow & ~Copyable) -> AddressRefusals {
    AddressRefusals(
      first: row.real(in: first) ?? 0, last: row.real(in: last) ?? 0, count: row.integer(in: count))
  }
}

/// The columns of an address.
package struct AddressColumns: RowColumns {
  private let topic, environment, token: Column

  package init(in names: some ColumnNames) {
    topic = names.column("topic")
    environment = names.column("environment")
    token = names.column("token")
  }

  /// Nil if something else has written the row.
  package func address(in row: borrowing some StoreRow & ~Copyable) -> DeviceAddress? {
    guard let topic = row.text(in: topic).flatMap({ try? Topic($0) }),
      let environment = row.text(in: environment).flatMap(APNsEnvironment.init),
      let token = row.text(in: token).flatMap({ try? DeviceToken($0) })
    else { return nil }
    return DeviceAddress(topic: topic, environment: environment, token: token)
  }
}
