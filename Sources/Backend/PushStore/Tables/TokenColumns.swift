internal import PushCore

/// The columns of the registration that a device's tokens are for.
package struct TokenHolderColumns: RowColumns {
  private let name, topic, environment: Column

  package init(in names: some ColumnNames) {
    name = names.column("name")
    topic = names.column("topic")
    environment = names.column("environment")
  }

  package func registration(in row: borrowing some StoreRow & ~Copyable) -> TokenClaimant.Registration {
    TokenClaimant.Registration(
      name: row.text(in: name) ?? "", topic: row.text(in: topic) ?? "",
      environment: row.text(in: environment) ?? "")
  }
}

/// The columns of the tokens that a device has handed in last.
package struct TokenSetColumns: RowColumns {
  private let serial, signed: Column

  package init(in names: some ColumnNames) {
    serial = names.column("serial")
    signed = names.column("signed")
  }

  package func last(in row: borrowing some StoreRow & ~Copyable) -> (serial: Int64, signed: String) {
    (row.integer(in: serial), row.text(in: signed) ?? "")
  }
}

/// The columns of a device's tokens; `alive` is a JSON array of those that have not ended.
package struct StoredTokensColumns: RowColumns {
  private let identity, registration, signed, alive: Column

  package init(in names: some ColumnNames) {
    identity = names.column("identity")
    registration = names.column("registration")
    signed = names.column("signed")
    alive = names.column("alive")
  }

  /// The tokens in a row; nil if something else has written the row.
  package func tokens(in row: borrowing some StoreRow & ~Copyable) -> StoredTokens? {
    StoredTokens(
      identity: row.text(in: identity) ?? "", registration: row.text(in: registration) ?? "",
      signed: row.text(in: signed) ?? "", alive: Shares.persons(in: row.text(in: alive)) ?? [])
  }
}
