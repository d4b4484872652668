internal import PushEnrolment

/// What a leave has done to the registrations that have its identity.
package struct LeaveOutcome {
  /// The names of those that were removed.
  package let names: [String]

  /// Those that stay.
  package let rest: [Rest]

  /// A registration that stays.
  package struct Rest {
    package let topic: String
    package let serial: Int64

    package init(topic: String, serial: Int64) { (self.topic, self.serial) = (topic, serial) }
  }

  package init(names: [String], rest: [Rest]) { (self.names, self.rest) = (names, rest) }

  /// The names, or why there are none although registrations have the identity: FORMAT.md, [11.27].
  func result(of leave: Leave) -> Result<[String], SignedSetError> {
    guard names.isEmpty, !rest.isEmpty else { return .success(names) }
    let serials = rest.filter { $0.topic == leave.topic.text }.map(\.serial)
    return .failure(serials.max().map { .olderSerial(last: $0) } ?? .otherTopic)
  }
}

extension LeaveOutcome.Rest {
  /// The columns `topic` and `serial` of `device`.
  package struct Columns: RowColumns {
    private let topic, serial: Column

    package init(in names: some ColumnNames) {
      topic = names.column("topic")
      serial = names.column("serial")
    }

    package func rest(in row: borrowing some StoreRow & ~Copyable) -> LeaveOutcome.Rest {
      LeaveOutcome.Rest(topic: row.text(in: topic) ?? "", serial: row.integer(in: serial))
    }
  }
}
