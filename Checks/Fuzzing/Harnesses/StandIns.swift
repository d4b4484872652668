#if os(Linux)
  import PushCore
  import PushKeys
  @testable import PushNetwork
  @testable import PushStandIn
  import PushTesting

  extension Harness {
    /// Requests to the stand-in for APNs: each is answered, and its row on the page is JSON.
    static let standIn = Harness(name: "stand-in") { bytes in
      var input = Input(bytes)
      let apns = model()
      for _ in 0...input.index(below: 3) {
        let request = request(&input)
        let answer = apns.answer(
          to: request, id: RequestID(of: request), on: APNsModel.Connection(), with: [])
        let reason = (try? JSONObject(parsing: answer.body.span))?["reason"]?.string
        try require((answer.status == 200) == (reason == nil), "every refusal has its reason")
      }
      for push in apns.pushes {
        try require(push.payload.count <= 5120, "the log keeps no more of a payload than Apple takes")
        for object in [push.row, push.details] {
          _ = try JSONObject(parsing: object.encoded().span)
        }
      }
      _ = try JSONObject(parsing: apns.pageState.encoded().span)
    }

    /// Requests to the page: they mean the same in any pieces, and a command changes the model or is refused.
    static let page = Harness(name: "stand-in-page") { bytes in
      var input = Input(bytes)
      let size = 1 + input.index(below: 300)
      let text = input.remainder()
      let (whole, pieces) = (read(text, in: max(1, text.count)), read(text, in: size))
      try require(whole == pieces || text.count > PlainRequest.limits.head, "pieces change nothing")
      guard case .success(let request?) = whole else { return }
      try require(
        request.body.count <= PlainRequest.limits.body + PlainRequest.limits.head, "a body is bounded")
      let apns = model()
      try? PageCommand(parsing: request.body).carryOut(on: apns)
      try require(apns.faults.lines.count <= 1, "a command makes at most one fault")
    }

    private static let token = "00ff"

    private static func model() -> APNsModel {
      var settings = APNsSettings()
      settings.acceptsUnknownTokens = true
      let apns = APNsModel(settings: settings, clock: ManualClock(Keys.now))
      guard let token = try? DeviceToken(token) else { preconditionFailure("two bytes are a token") }
      let phone = apns.phone(
        name: "Ada", address: DeviceAddress(topic: Keys.topic, environment: .sandbox, token: token))
      // The phone is off, so pushes wait, and nothing runs after the input.
      phone.switchOff()
      return apns
    }

    /// A valid request with changes.
    private static func request(_ input: inout Input) -> APNsRequest {
      var headers = ["authorization": "bearer \(bearer)", "apns-topic": Keys.topic.text]
      for _ in 0..<input.index(below: 4) {
        headers[input.choice(of: names)] = input.optionalText()
      }
      let path = input.optionalText() ?? "/3/device/\(token)"
      let fields = headers.sorted { $0.key < $1.key }.map {
        APNsRequest.Header(name: $0.key, value: $0.value)
      }
      return APNsRequest(
        method: input.optionalText() ?? "POST", path: path, headers: fields,
        body: input.piece() + input.piece()
      )
    }

    private static let names = [
      "authorization", "apns-topic", "apns-push-type", "apns-priority", "apns-expiration", "apns-id",
      "apns-collapse-id",
    ]

    /// A provider token that is well-formed.
    private static let bearer = [
      #"{"alg":"ES256","kid":"ABCDE12345"}"#, #"{"iss":"FGHIJ67890","iat":1800000000}"#,
      String(repeating: "s", count: 64),
    ].map { Base64URL.encode(Array($0.utf8).span) }.joined(separator: ".")

    private static func read(_ text: [UInt8], in size: Int) -> Result<PlainRequest?, PlainRefusal> {
      var rest = text[...]
      do throws(PlainRefusal) {
        return .success(
          try PlainRequest.read { limit in
            defer { rest = rest.dropFirst(min(size, limit)) }
            return Array(rest.prefix(min(size, limit)))
          })
      } catch {
        return .failure(error)
      }
    }
  }
#endif
