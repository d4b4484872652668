#if os(Linux)
  @testable import PushDelivery
  import PushNetwork

  extension Harness {
    /// APNs' answers: a client's reading of one is bounded, and one of the verdicts.
    static let answers = Harness(name: "apns-answers") { bytes in
      var input = Input(bytes)
      let status = 100 + input.index(below: 500)
      let names = ["apns-id", "apns-unique-id", "retry-after"]
      let fields = names.compactMap { name in input.optionalText().map { HTTPField(name: name, value: $0) } }
      let answer = HTTP2Response(status: status, fields: fields, body: input.remainder())
      guard let response = APNsResponse(answer, at: Keys.now) else {
        let text = StrangeAnswer(answer, retryAfter: nil).text
        try require(text.utf8.count <= 128, "what answered is told in a line")
        try require(text.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "and in printable characters")
        return
      }
      let letters = response.reason?.rawValue.utf8.allSatisfy { $0 < 0x80 } ?? true
      try require(letters && response.reason?.rawValue.utf8.count ?? 1 <= 64, "a reason is a short word")
      if let wait = response.retryAfter {
        try require(wait >= .zero && wait <= .seconds(86_400), "a wait is bounded")
      }
      try require((response.verdict == .accepted) == (status == 200), "only 200 is an acceptance")
      if case .pauseRoute(let pause) = RetryPolicy().action(for: response) {
        try require(pause <= .seconds(3600), "a pause is bounded")
      }
    }

    /// A `.p8` file: a key that is accepted signs tokens.
    static let providerKeys = Harness(name: "provider-keys") { bytes in
      guard let token = try? ProviderToken(p8: bytes, keyID: "ABCDE12345", teamID: "FGHIJ67890") else {
        return
      }
      let value = token.authorization(at: Keys.now)
      try require(token.authorization(at: Keys.now) == value, "a token stays for its time")
      let parts = value.split(separator: ".", omittingEmptySubsequences: false)
      try require(
        parts.count == 3 && parts[2].utf8.count == 86, "a token has a header, claims and a signature")
    }
  }
#endif
