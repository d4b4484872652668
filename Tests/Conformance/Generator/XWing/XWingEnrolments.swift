import PushCore

/// Enrolments with X-Wing keys, and what backends with and without the suite make of them.
struct XWingEnrolments {
  let pairs: SigningPairs
  let keys: PublicKeys
  /// The device's X-Wing key.
  let xwing: RawObject

  private static let lacking = ["xwing-aesgcm"]

  private var vectors: RegistrationVectors { RegistrationVectors(pairs: pairs, keys: keys) }

  /// A phone with both kinds of keys.
  private var both: EnrolmentForge { EnrolmentForge([keys.x25519, xwing], by: pairs.identity) }

  func enrolments() throws -> [EnrolmentVector] {
    let enrolments = EnrolmentVectors(pairs: pairs, keys: keys)
    return [
      try enrolments.accepted("xwing-both", "keys of two suites") { $0.signed.keys = both.signed.keys },
      try enrolments.accepted("xwing-alone", "a key of this suite alone") { $0.signed.keys = [xwing] },
    ]
      + (try faults().map { name, comment, change in
        try enrolments.refused(
          SetFault("keys-xwing-\(name)", "11.7", "invalid-keys", comment) {
            $0.keys = [keys.x25519, xwing.with(change)]
          })
      })
  }

  private func faults() -> [(String, String, (inout RawObject) -> Void)] {
    [
      ("alg-absent", "no `alg`", { $0["alg"] = nil }),
      ("alg-other", "another `alg`", { $0["alg"] = "ML-KEM-768".quoted }),
      ("crv", "a `crv`, which such a key does not have", { $0["crv"] = "X25519".quoted }),
      ("priv", "the member of the seed, empty as it is", { $0["priv"] = "null" }),
      (
        "coefficient", "the first two coefficients are 4095",
        { ($0["pub"], $0["kid"]) = ($0["pub"].map { "\"____" + $0.dropFirst(5) }, nil) }
      ),
    ]
  }

  func registrations() throws -> [RegistrationVector] {
    try proving() + lacking()
  }

  /// Where the backend has the suite.
  private func proving() throws -> [RegistrationVector] {
    let answer = later(both, proof: RegistrationVectors.asked)
    let (first, second) = (both.signed.kids[1], both.signed.kids[0])
    return [
      try vectors.pending(
        "xwing-first", "the X-Wing key is proven first", [], both, as: "ada", kid: first,
        after: [.init("ada", both, over: nil)]),
      try vectors.pending(
        "xwing-answered", "it is proven, and the other key has a request of its own",
        [.init("ada", both, over: nil, asking: RegistrationVectors.asked)], answer, as: "ada", kid: second,
        after: [.init("ada", answer, over: answer, kids: [first])]),
      try vectors.accepted(
        "xwing-answered-second", "updated", "the other key is proven, too",
        [.init("ada", both, over: both, kids: [first], asking: RegistrationVectors.asked)], answer, as: "ada",
        after: [.init("ada", answer)]),
      try vectors.pending(
        "xwing-asked-elsewhere", "a machine without the suite asked for the other key, which is proven",
        [.init("ada", both, over: nil, asking: RegistrationVectors.asked, of: second)], answer, as: "ada",
        kid: first, after: [.init("ada", answer, over: answer, kids: [second])]),
      try vectors.pending(
        "xwing-added", "a phone that was updated has a key more",
        [.init("ada", vectors.ada)], later(both), as: "ada", kid: first,
        after: [.init("ada", later(both), over: vectors.ada)]),
      try vectors.pending(
        "xwing-available", "the key was left aside, and the backend has the suite now",
        [.init("ada", both, over: both, kids: [second], asking: nil)], later(both), as: "ada", kid: first,
        after: [.init("ada", later(both), over: both, kids: [second])]),
    ]
  }

  /// Where the backend's system does not have the suite.
  private func lacking() throws -> [RegistrationVector] {
    let answer = later(both, proof: RegistrationVectors.asked)
    let alone = EnrolmentForge([xwing], by: pairs.identity)
    let (left, other) = (both.signed.kids[1], both.signed.kids[0])
    let renamed = later(both) { $0.signed.claims["token"] = "0e".quoted }
    let vectors = [
      try vectors.pending(
        "xwing-lacking-first", "the backend cannot seal to the X-Wing key: the other one is proven", [], both,
        as: "ada", kid: other, after: [.init("ada", both, over: nil, of: other)]),
      try vectors.accepted(
        "xwing-lacking-answered", "registered", "the other key is proven, and the X-Wing key is left aside",
        [.init("ada", both, over: nil, asking: RegistrationVectors.asked, of: other)], answer, as: "ada",
        after: [.init("ada", answer, over: answer, kids: [other], asking: nil)]),
      try vectors.accepted(
        "xwing-lacking-again", "updated", "it stays aside",
        [.init("ada", both, over: both, kids: [other], asking: nil)], later(both), as: "ada",
        after: [.init("ada", later(both), over: later(both), kids: [other], asking: nil)]),
      try vectors.accepted(
        "xwing-lacking-added", "updated", "a phone that was updated has a key more, which nobody can seal to",
        [.init("ada", vectors.ada)], later(both), as: "ada",
        after: [.init("ada", later(both), over: later(both), kids: [other], asking: nil)]),
      try vectors.pending(
        "xwing-lacking-token", "a new token is proven with the other key",
        [.init("ada", both, over: both, kids: [other], asking: nil)], renamed, as: "ada", kid: other,
        after: [.init("ada", renamed, over: both, kids: [other], of: other)]),
      try vectors.pending(
        "xwing-lacking-asked-elsewhere", "a machine with the suite asked for the X-Wing key, which is proven",
        [.init("ada", both, over: nil, asking: RegistrationVectors.asked)], answer, as: "ada", kid: other,
        after: [.init("ada", answer, over: answer, kids: [left])]),
      try vectors.pending(
        "xwing-lacking-asked-again",
        "nothing can be sealed to the key that was asked for: the other one is asked for",
        [.init("ada", both, over: nil, asking: RegistrationVectors.asked)], later(both), as: "ada",
        kid: other,
        after: [.init("ada", later(both), over: nil, of: other)]),
      try vectors.accepted(
        "xwing-lacking-proven", "updated", "a key that was proven where the suite was stays proven",
        [.init("ada", both)], later(both), as: "ada", after: [.init("ada", later(both))]),
      try vectors.pending(
        "xwing-lacking-alone", "there is no other key, so what is proven stays",
        [.init("ada", vectors.ada)], later(alone), as: "ada", kid: left,
        after: [.init("ada", later(alone), over: vectors.ada)]),
      try vectors.pending(
        "xwing-lacking-alone-key-alone", "no key is proven where none can be sealed to", [], alone, as: "ada",
        isKeyAlone: true, kid: left, after: [.init("ada", alone, over: nil, forToken: false)]),
    ]
    return vectors.map { vector in
      var vector = vector
      vector.lacks = Self.lacking
      return vector
    }
  }

  /// The same phone a second later, which may say a proof.
  private func later(
    _ forge: EnrolmentForge, proof: String? = nil, _ change: (inout EnrolmentForge) -> Void = { _ in }
  ) -> EnrolmentForge {
    vectors.with(forge) {
      $0.signed.serial = RegistrationVectors.later
      $0.signed.issuedAt = RegistrationVectors.later
      if let proof { $0.signed.claims["proof"] = proof.quoted }
      change(&$0)
    }
  }
}
