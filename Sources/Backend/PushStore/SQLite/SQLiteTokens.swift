internal import PushCore
internal import PushEnrolment

/// The tables `token_set` and `token` in SQLite.
final class SQLiteTokens: TokenTable {
  private let database: Database
  private let holder: Query<TokenHolderColumns>
  private let last: Query<TokenSetColumns>
  private let rival: Statement
  private let removeSet: Statement
  private let removeTokens: Statement
  private let addSet: Statement
  private let add: Statement
  private let find: Query<StoredTokensColumns>
  private let end: Statement

  /// Prepares the statements.
  init(on database: Database) throws(SQLiteError) {
    self.database = database
    holder = try Query(
      on: database,
      "SELECT name, topic, environment FROM device WHERE identity = ?1 AND keys IS NOT NULL LIMIT 1")
    last = try Query(on: database, "SELECT serial, signed FROM token_set WHERE identity = ?1")
    rival = try Statement(
      on: database,
      """
      SELECT token_set.registration FROM token JOIN token_set ON token_set.identity = token.identity
      JOIN device ON device.name = token_set.registration AND device.identity = token.identity
        AND device.keys IS NOT NULL
      WHERE token.token = ?1 AND token.topic = ?2 AND token.environment = ?3 AND token.push_type = ?4
        AND token.identity <> ?5 LIMIT 1
      """)
    removeTokens = try Statement(
      on: database,
      """
      DELETE FROM token WHERE identity IN (SELECT identity FROM token_set WHERE identity = ?1 OR registration = ?2)
      """)
    removeSet = try Statement(on: database, "DELETE FROM token_set WHERE identity = ?1 OR registration = ?2")
    addSet = try Statement(
      on: database, "INSERT INTO token_set (identity, registration, serial, signed) VALUES (?1, ?2, ?3, ?4)")
    add = try Statement(
      on: database,
      """
      INSERT INTO token (identity, push_type, token, topic, environment) VALUES (?1, ?2, ?3, ?4, ?5)
      """)
    find = try Query(
      on: database,
      """
      SELECT identity, registration, signed, (SELECT json_group_array(push_type || ' ' || token) FROM token
        WHERE token.identity = token_set.identity) AS alive
      FROM json_each(?1) CROSS JOIN token_set ON token_set.identity = json_each.value
      """)
    end = try Statement(
      on: database,
      "DELETE FROM token WHERE token = ?1 AND topic = ?2 AND environment = ?3 AND push_type = ?4")
  }

  func accept(_ tokens: DeviceTokens) throws(SQLiteError) -> Result<Void, SignedSetError> {
    let identity = tokens.identity.thumbprint.text
    let addresses = tokens.all.map { use, token in
      DeviceAddress(topic: tokens.topic, environment: tokens.environment, token: token).values + [
        .text(use.pushType.rawValue)
      ]
    }
    return try database.transaction(.writing) { () throws(SQLiteError) -> Result<Void, SignedSetError> in
      var other: String?
      for address in addresses where other == nil {
        other = try rival.all(address + [.text(identity)]) { $0.text(in: .only) ?? "" }.first
      }
      let claimant = TokenClaimant(
        registration: try holder.all(.text(identity)) { $1.registration(in: $0) }.first,
        last: try last.all(.text(identity)) { $1.last(in: $0) }.first, rival: other)
      switch claimant.decision(on: tokens) {
      case .refuse(let error): return .failure(error)
      case .keep: return .success(())
      case .take(let name):
        try removeTokens.run(.text(identity), .text(name))
        try removeSet.run(.text(identity), .text(name))
        try addSet.run(.text(identity), .text(name), .integer(tokens.serial), .text(tokens.signed))
        for (use, token) in tokens.all {
          let place = DeviceAddress(topic: tokens.topic, environment: tokens.environment, token: token)
          // Whoever had it has no proven keys any more.
          try end.run(place.values + [.text(use.pushType.rawValue)])
          try add.run(
            .text(identity), .text(use.pushType.rawValue), .text(token.text), .text(tokens.topic.text),
            .text(tokens.environment.rawValue))
        }
        return .success(())
      }
    } ?? .success(())
  }

  func tokens(of identities: [String]) throws(SQLiteError) -> [StoredTokens] {
    try find.all(.list(identities.map { .string($0) })) { $1.tokens(in: $0) }.compactMap(\.self)
  }

  func end(_ address: DeviceAddress, for pushType: PushType) throws(SQLiteError) -> Bool {
    try end.run(address.values + [.text(pushType.rawValue)]) > 0
  }
}
