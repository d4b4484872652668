internal import PushCore
internal import PushKeys

/// The columns of a proof request that is due.
package struct RequestColumns: RowColumns {
  private let registration, claimant, topic, environment, token, isHolder, isForeign, openClaims: Column
  private let othersAt, holderAt, holderCount, isDead, answers, count, first, last: Column

  package init(in names: some ColumnNames) {
    registration = names.column("registration")
    claimant = names.column("claimant")
    topic = names.column("topic")
    environment = names.column("environment")
    token = names.column("token")
    isHolder = names.column("is_holder")
    isForeign = names.column("is_foreign")
    openClaims = names.column("open_claims")
    othersAt = names.column("others_at")
    holderAt = names.column("holder_at")
    holderCount = names.column("holder_count")
    isDead = names.column("dead")
    answers = names.column("answers")
    count = names.column("claims")
    first = names.column("first_claim")
    last = names.column("last_claim")
  }

  /// The request in a row; nil, with the registration's name, if something else has written the row.
  package func candidate(
    in row: borrowing some StoreRow & ~Copyable
  ) -> (registration: String, candidate: RequestCandidate?) {
    let name = row.text(in: registration) ?? ""
    guard let claimant = row.text(in: claimant), let topic = row.text(in: topic).flatMap({ try? Topic($0) }),
      let environment = row.text(in: environment).flatMap(APNsEnvironment.init),
      let token = row.text(in: token).flatMap({ try? DeviceToken($0) })
    else { return (name, nil) }
    var (asked, person) = (AskedToken(), AskedPerson())
    (asked.othersAt, asked.holderAt) = (row.real(in: othersAt), row.real(in: holderAt))
    asked.holderCount = Int(clamping: row.integer(in: holderCount))
    (asked.isDead, asked.answers) = (row.boolean(in: isDead), row.integer(in: answers))
    person.count = Int(clamping: row.integer(in: count))
    (person.first, person.last) = (row.real(in: first), row.real(in: last))
    person.openClaims = Set((row.text(in: openClaims) ?? "").split(separator: ",").map(String.init))
    let candidate = RequestCandidate(
      registration: name, claimant: claimant,
      address: DeviceAddress(topic: topic, environment: environment, token: token),
      isHolder: row.boolean(in: isHolder), isForeign: row.boolean(in: isForeign), token: asked, person: person
    )
    return (name, candidate)
  }
}
