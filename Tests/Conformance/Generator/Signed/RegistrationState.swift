/// A registration before or after an enrolment: the newest enrolment, and what of it is proven.
struct RegistrationState {
  let name: String
  /// The newest enrolment.
  let newest: EnrolmentForge
  /// Whose device it is, in order.
  private var persons: [String] = []
  /// What is proven; null where all of the newest is.
  private var part: Part?

  private struct Part {
    /// The enrolment that is proven, its keys that are, and whether its token is.
    let proven: (forge: EnrolmentForge, kids: [String], token: Bool)?
    /// The proof that was asked for, whether the token is to be proven by it, the key if it is not the first one, and
    /// whether a login stands behind it.
    let pending: (proof: String, token: Bool, kid: String?, isClaim: Bool)?
  }

  /// All of the newest enrolment is proven.
  init(_ name: String, _ newest: EnrolmentForge) {
    self.name = name
    self.newest = newest
  }

  /// The newest enrolment is pending, unless the proof is null; what is proven is an older one, or nothing.
  ///
  /// Of the older one all keys are proven, or those that are named.
  init(
    _ name: String, _ newest: EnrolmentForge, over proven: EnrolmentForge? = nil, kids: [String]? = nil,
    hasToken: Bool = true, asking proof: String? = RegistrationVectors.proof, forToken: Bool = true,
    of kid: String? = nil, isClaim: Bool = false
  ) {
    self.init(name, newest)
    part = Part(
      proven: proven.map { ($0, kids ?? $0.signed.kids, hasToken) },
      pending: proof.map { ($0, forToken, kid, isClaim) })
  }

  /// The same registration, which has these persons.
  func of(_ persons: String...) -> RegistrationState { of(persons) }

  /// The same registration, which has these persons.
  func of(_ persons: [String]) -> RegistrationState {
    var state = self
    state.persons = persons
    return state
  }

  /// The line if all of it is pending.
  func pendingLine() throws -> String { try RegistrationState(name, newest, over: nil).line() }

  /// The line.
  func line(_ change: (inout RawObject) -> Void = { _ in }) throws -> String {
    let members = try part.map { part in
      [("proven", try proven(part)?.text ?? "null")]
        + (part.pending.map { proof, token, kid, isClaim in
          let more = (kid.map { [("kid", $0.quoted)] } ?? []) + (isClaim ? [("claim", "true")] : [])
          return [("pending", RawObject([("proof", proof.quoted), ("token", "\(token)")] + more).text)]
        } ?? [])
    }
    return try newest.line(name, of: persons) { line in
      for (name, json) in members ?? [] { line.append(name, json) }
      change(&line)
    }
  }

  private func proven(_ part: Part) throws -> RawObject? {
    guard let (forge, kids, token) = part.proven else { return nil }
    return RawObject([
      ("keys", try forge.signed.text().quoted),
      ("kids", "[" + kids.map(\.quoted).joined(separator: ",") + "]"), ("token", "\(token)"),
    ])
  }
}
