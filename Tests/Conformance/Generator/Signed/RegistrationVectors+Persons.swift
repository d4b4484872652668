/// Devices of several persons: `persons` in [11.17], and [11.24].
extension RegistrationVectors {
  private static let sixteen = (0..<16).map { "person \($0 < 10 ? "0" : "")\($0)" }

  // MARK: Lines

  func readPersons() throws -> [RegistrationVector] {
    func read(_ name: String, _ comment: String, _ persons: [String]) throws -> RegistrationVector {
      let lines = [try RegistrationState("ada", ada).of(persons).line()]
      return RegistrationVector(
        id: "registration-read-\(name)", comment: comment, lines: lines, expect: "read", after: lines)
    }
    return [
      try read("person", "a person", ["ada"]), try read("persons", "two persons", ["ada", "bob"]),
      try read("persons-16", "as many as there may be", Self.sixteen),
      try read("persons-bytes", "capital letters come first, and others last", ["Bob", "ada", "\u{E9}va"]),
      try read("persons-utf-8", "in UTF-16 the order would be another", ["\u{FF5E}", "\u{1F389}"]),
      try read(
        "persons-decomposed", "the same name to Unicode, and not byte by byte", ["cafe\u{301}", "caf\u{E9}"]),
      try read("persons-prefix", "the shorter one comes first", ["ada", "ada "]),
    ]
  }

  func personFaults() throws -> [RegistrationVector] {
    func fault(
      _ name: String, _ comment: String, _ json: String, besides person: String? = nil
    ) throws -> RegistrationVector {
      let line = try ada.line("ada") { line in
        if let person { line.append("person", person.quoted) }
        line.append("persons", json)
      }
      return RegistrationVector(
        id: "registration-line-persons-\(name)", comment: comment, rule: "11.17", lines: [line],
        expect: "malformed-enrolment")
    }
    func array(_ persons: [String]) -> String { "[" + persons.map(\.quoted).joined(separator: ",") + "]" }
    return [
      try fault("17", "one too many", array(Self.sixteen + ["person 16"])),
      try fault("one", "one alone is a person", array(["ada"])), try fault("none", "nobody", "[]"),
      try fault("order", "not in order", array(["bob", "ada"])),
      try fault("order-utf-16", "in the order of UTF-16", array(["\u{1F389}", "\u{FF5E}"])),
      try fault("order-case", "in an order without regard to case", array(["ada", "Bob"])),
      try fault("twice", "one of them twice", array(["ada", "ada"])),
      try fault("both", "beside a person", array(["ada", "bob"]), besides: "ada"),
      try fault("empty", "one without a name", array(["", "ada"])),
      try fault("256", "a name with one byte too many", array(["ada", String(repeating: "b", count: 256)])),
      try fault("nul", "U+0000", array(["a\\u0000", "ada"])), try fault("number", "a number", #"["ada",1]"#),
      try fault("null", "no array", "null"), try fault("string", "a text", "ada".quoted),
      try fault("object", "an object", #"{"ada":true,"bob":true}"#),
    ]
  }

  // MARK: Logins

  func joined() throws -> [RegistrationVector] {
    try sameDevice() + otherDevice() + replaced() + kept()
  }

  /// The enrolment of a login whose challenge joins.
  private func joins(_ vector: RegistrationVector, by person: String) -> RegistrationVector {
    var vector = replaces(vector, by: person)
    vector.joins = true
    return vector
  }

  /// The enrolment of a login whose challenge replaces.
  private func replaces(_ vector: RegistrationVector, by person: String) -> RegistrationVector {
    var vector = login(vector)
    vector.person = person
    return vector
  }

  /// Somebody logs in on a phone that is registered.
  private func sameDevice() throws -> [RegistrationVector] {
    let new = challenged(adaLater())
    let rotated = challenged(adaLater()) { $0.signed.keys = [keys.rotated] }
    func updated(
      _ name: String, _ comment: String, from persons: [String], by person: String, to after: [String]
    ) throws -> RegistrationVector {
      joins(
        try accepted(
          "join-\(name)", "updated", comment, [.init("phone", ada).of(persons)], new, as: "phone",
          after: [.init("phone", new).of(after)]), by: person)
    }
    return [
      try updated("second", "somebody else on the phone", from: ["ada"], by: "bob", to: ["ada", "bob"]),
      try updated("order", "who comes later may be the first", from: ["bob"], by: "ada", to: ["ada", "bob"]),
      try updated("third", "and a third one", from: ["ada", "cleo"], by: "bob", to: ["ada", "bob", "cleo"]),
      try updated(
        "utf-8", "names are in the order of their bytes", from: ["\u{1F389}"], by: "\u{FF5E}",
        to: ["\u{FF5E}", "\u{1F389}"]),
      try updated(
        "decomposed", "the same name to Unicode is another person", from: ["caf\u{E9}"], by: "cafe\u{301}",
        to: ["cafe\u{301}", "caf\u{E9}"]),
      try updated("again", "who is there already", from: ["ada", "bob"], by: "bob", to: ["ada", "bob"]),
      try updated("alone", "the same person", from: ["ada"], by: "ada", to: ["ada"]),
      try updated("nobody", "a phone of nobody's", from: [], by: "ada", to: ["ada"]),
      try updated(
        "sixteenth", "the sixteenth", from: Array(Self.sixteen.dropLast()), by: Self.sixteen[15],
        to: Self.sixteen),
      try updated("sixteen", "one of sixteen", from: Self.sixteen, by: Self.sixteen[3], to: Self.sixteen),
      joins(
        try pending(
          "join-key", "with a new key, which is to be proven: the person is there at once",
          [.init("phone", ada).of("ada")], rotated, as: "phone",
          after: [.init("phone", rotated, over: ada, isClaim: true).of("ada", "bob")]), by: "bob"),
      joins(
        try pending(
          "join-first", "a phone that is new", [], new, as: "phone",
          after: [.init("phone", new, over: nil, isClaim: true).of("ada")]), by: "ada"),
      joins(
        try refused(
          "join-seventeenth", "11.24", "too-many-persons", "one too many",
          states: [.init("phone", ada).of(Self.sixteen)], new, as: "phone"), by: "person 16"),
      joins(
        try refused(
          "join-older", "11.15", "older-serial", "an older enrolment",
          states: [.init("phone", adaLater()).of("ada")], challenged(ada), as: "phone"), by: "bob"),
    ]
  }

  /// Another phone under the name, or the phone under another one.
  private func otherDevice() throws -> [RegistrationVector] {
    let other = challenged(ben)
    let new = challenged(adaLater())
    func isOther(_ name: String, _ comment: String, of persons: [String], by person: String) throws
      -> RegistrationVector
    {
      joins(
        try refused(
          "join-identity-\(name)", "11.24", "other-identity", comment,
          states: [.init("phone", ada).of(persons)], other, as: "phone"), by: person)
    }
    return [
      try isOther("other", "another phone under a name of somebody else's", of: ["ada"], by: "bob"),
      try isOther("shared", "and under one of several persons'", of: ["ada", "bob"], by: "ada"),
      try isOther("case", "names are compared byte by byte", of: ["Ada"], by: "ada"),
      try isOther("nobody", "and under one of nobody's", of: [], by: "ada"),
      joins(
        try pending(
          "join-anew-own", "a phone that was erased, under its person's own name",
          [.init("phone", ada).of("ada")], other, as: "phone",
          after: [.init("phone", other, over: nil, isClaim: true).of("ada")]), by: "ada"),
      joins(
        try refused(
          "join-in-use", "11.24", "identity-in-use", "the phone is registered under another name",
          states: [.init("phone", ada).of("ada")], new, as: "other"), by: "bob"),
      joins(
        try refused(
          "join-in-use-key", "11.24", "identity-in-use", "and has a new key",
          states: [.init("phone", ada).of("ada")],
          challenged(adaLater()) { $0.signed.keys = [keys.rotated] }, as: "other"), by: "bob"),
      joins(
        try refused(
          "join-in-use-own", "11.24", "identity-in-use", "and under this name, too, where nothing is proven",
          states: [.init("phone", ada).of("ada"), .init("other", ada, over: nil, asking: nil).of("bob")], new,
          as: "other"), by: "cleo"),
      joins(
        try pending(
          "join-not-in-use", "what is not proven under another name is not in use",
          [.init("phone", ada, over: nil).of("ada")], new, as: "other",
          after: [
            .init("phone", ada, over: nil).of("ada"), .init("other", new, over: nil, isClaim: true).of("bob"),
          ]),
        by: "bob"),
    ]
  }

  /// A challenge that replaces leaves the person of the login alone.
  private func replaced() throws -> [RegistrationVector] {
    let (new, other) = (challenged(adaLater()), challenged(ben))
    return [
      replaces(
        try accepted(
          "replace-one", "updated", "the phone has another person", [.init("phone", ada).of("ada")], new,
          as: "phone", after: [.init("phone", new).of("bob")]), by: "bob"),
      replaces(
        try accepted(
          "replace-several", "updated", "and had several", [.init("phone", ada).of("ada", "bob", "cleo")],
          new, as: "phone", after: [.init("phone", new).of("bob")]), by: "bob"),
      replaces(
        try accepted(
          "replace-sixteen", "updated", "and had as many as there may be",
          [.init("phone", ada).of(Self.sixteen)], new, as: "phone", after: [.init("phone", new).of("bob")]),
        by: "bob"),
      replaces(
        try pending(
          "replace-anew", "another phone under the name of several persons",
          [.init("phone", ada).of("ada", "bob")], other, as: "phone",
          after: [.init("phone", other, over: nil, isClaim: true).of("cleo")]), by: "cleo"),
      replaces(
        try accepted(
          "replace-moved", "registered", "the phone of several persons, under another name",
          [.init("phone", ada).of("ada", "bob")], new, as: "other", after: [.init("other", new).of("cleo")]),
        by: "cleo"),
    ]
  }

  /// Without a login the persons stay.
  private func kept() throws -> [RegistrationVector] {
    let rival = challenged(ben) { $0.signed.claims["token"] = ada.signed.claims["token"] }
    let answer = with(rival) {
      $0.signed.serial += 1
      $0.signed.claims["challenge"] = nil
      $0.signed.claims["proof"] = Self.asked.quoted
    }
    return [
      try accepted(
        "persons-stay", "updated", "an enrolment without a login", [.init("phone", ada).of("ada", "bob")],
        adaLater(), as: "phone", after: [.init("phone", adaLater()).of("ada", "bob")]),
      try accepted(
        "persons-stay-unchanged", "unchanged", "the same again", [.init("phone", ada).of("ada", "bob")], ada,
        as: "phone", after: [.init("phone", ada).of("ada", "bob")]),
      try accepted(
        "persons-stay-answered", "updated", "the answer to a request",
        [
          .init("phone", adaLater { $0.signed.keys = [keys.rotated] }, over: ada, asking: Self.asked).of(
            "ada", "bob")
        ],
        saying { $0.signed.keys = [keys.rotated] }, as: "phone",
        after: [.init("phone", saying { $0.signed.keys = [keys.rotated] }).of("ada", "bob")]),
      try accepted(
        "persons-stay-lost", "registered", "what the phone has proven is another's",
        [
          .init("phone", ada).of("ada", "bob"),
          .init("other", rival, over: nil, asking: Self.asked, isClaim: true).of("cleo"),
        ], answer, as: "other",
        after: [
          .init("phone", ada, over: nil, asking: nil).of("ada", "bob"), .init("other", answer).of("cleo"),
        ]),
    ]
  }
}
