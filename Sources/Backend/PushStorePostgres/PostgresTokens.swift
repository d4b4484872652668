internal import PushCore
internal import PushEnrolment
internal import PushStore

/// The tables `token_set` and `token` in PostgreSQL.
struct PostgresTokens: TokenTable {
  let server: Server

  func accept(_ tokens: DeviceTokens) throws(PostgresError) -> Result<Void, SignedSetError> {
    try server.connected { (connection) throws(PostgresError) in
      do throws(PostgresError) {
        return try accept(tokens, on: connection)
      } catch {
        if !error.isLost { _ = try connection.run([.rollback]) }
        throw error
      }
    }
  }

  /// Takes tokens in a transaction, one device after the other: two may have the same ones.
  private func accept(
    _ tokens: DeviceTokens, on connection: Connection
  ) throws(PostgresError) -> Result<Void, SignedSetError> {
    let identity = Value.text(tokens.identity.thumbprint.text)
    let (types, texts) = (tokens.all.keys.map(\.pushType.rawValue), tokens.all.values.map(\.text))
    let places = [
      .texts(types), .texts(texts), .text(tokens.topic.text), .text(tokens.environment.rawValue), identity,
    ]
    let found = try connection.run([
      .begin,
      Command("SELECT pg_advisory_xact_lock($1::integer, 5)", with: [.integer(PostgresSchema.lock)]),
      Command(
        """
        SELECT name, topic, environment FROM sealpush.device WHERE identity = $1::text AND keys IS NOT NULL
        LIMIT 1 FOR KEY SHARE
        """, with: [identity]),
      Command("SELECT serial, signed FROM sealpush.token_set WHERE identity = $1::text", with: [identity]),
      Command(
        """
        SELECT token_set.registration FROM unnest($1::text[], $2::text[]) AS new (push_type, token)
        JOIN sealpush.token ON token.token = new.token AND token.push_type = new.push_type
          AND token.topic = $3::text AND token.environment = $4::text AND token.identity <> $5::text
        JOIN sealpush.token_set ON token_set.identity = token.identity
        JOIN sealpush.device ON device.name = token_set.registration AND device.identity = token.identity
          AND device.keys IS NOT NULL
        LIMIT 1
        """, with: places),
    ])
    let claimant = TokenClaimant(
      registration: found[2].map(TokenHolderColumns.self) { $1.registration(in: $0) }.first,
      last: found[3].map(TokenSetColumns.self) { $1.last(in: $0) }.first,
      rival: found[4].first?.text(in: .only))
    switch claimant.decision(on: tokens) {
    case .refuse(let error):
      _ = try connection.run([.rollback])
      return .failure(error)
    case .keep: _ = try connection.run([.rollback])
    case .take(let name):
      _ = try connection.run([
        Command(
          "DELETE FROM sealpush.token_set WHERE identity = $1::text OR registration = $2::text",
          with: [identity, .text(name)]),
        // Whoever had them has no proven keys any more.
        Command(
          """
          DELETE FROM sealpush.token USING unnest($1::text[], $2::text[]) AS new (push_type, token)
          WHERE token.token = new.token AND token.push_type = new.push_type AND token.topic = $3::text
            AND token.environment = $4::text AND token.identity <> $5::text
          """, with: places),
        Command(
          """
          INSERT INTO sealpush.token_set (identity, registration, serial, signed)
          VALUES ($1::text, $2::text, $3::bigint, $4::text)
          """, with: [identity, .text(name), .integer(tokens.serial), .text(tokens.signed)]),
        Command(
          """
          INSERT INTO sealpush.token (identity, push_type, token, topic, environment)
          SELECT $5::text, push_type, token, $3::text, $4::text
          FROM unnest($1::text[], $2::text[]) AS new (push_type, token)
          """, with: places),
        .commit,
      ])
    }
    return .success(())
  }

  func tokens(of identities: [String]) throws(PostgresError) -> [StoredTokens] {
    try server.run(
      """
      SELECT identity, registration, signed, (SELECT coalesce(json_agg(push_type || ' ' || token)::text, '[]')
        FROM sealpush.token WHERE token.identity = token_set.identity) AS alive
      FROM sealpush.token_set WHERE identity = ANY ($1::text[])
      """, with: .texts(identities)
    ).map(StoredTokensColumns.self) { $1.tokens(in: $0) }.compactMap(\.self)
  }

  func end(_ address: DeviceAddress, for pushType: PushType) throws(PostgresError) -> Bool {
    try server.run(
      Command(
        """
        DELETE FROM sealpush.token
        WHERE token = $1::text AND topic = $2::text AND environment = $3::text AND push_type = $4::text
        """, with: address.values + [.text(pushType.rawValue)])
    ).changes > 0
  }
}
