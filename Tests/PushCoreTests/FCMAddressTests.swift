import PushCore
import Testing

@Suite("An address of FCM")
struct FCMAddressTests {
  @Test("a token is 1 to 1024 letters, digits, -, _ and :", arguments: ["a", "Z9", "-_:", "fX9:APA91b-H_"])
  func good(text: String) throws {
    #expect(try FCMToken(text).text == text)
    #expect(try FCMToken(String(repeating: "a", count: 1024)).text.utf8.count == 1024)
  }

  @Test(
    "no other text is a token",
    arguments: [("", nil), (String(repeating: "a", count: 1025), nil), ("a.b", 1), ("ab=", 2), ("ａ", 0)])
  func bad(text: String, offset: Int?) {
    let rule = "1 to 1024 letters, digits, -, _ and :"
    #expect(throws: ValueError("token of FCM", is: rule, notAt: offset)) { try FCMToken(text) }
  }

  @Test("a token does not show itself") func secret() throws {
    #expect("\(try FCMToken("fX9:secret"))" == "FCMToken(10 bytes)")
    #expect("\(PushToken.fcm(try FCMToken("fX9:secret")))" == "FCMToken(10 bytes)")
  }

  @Test("its topic is an application ID") func topic() throws {
    let token = try FCMToken("a")
    #expect(throws: ValueError.self) { try FCMAddress(topic: Topic("com.example.my-app"), token: token) }
    #expect(try FCMAddress(topic: Topic("com.example.my_app"), token: token).pushAddress.service == .fcm)
  }

  @Test("tokens of two services are never the same") func apart() throws {
    #expect(PushToken.apns(try DeviceToken("00ff")) != .fcm(try FCMToken("00ff")))
  }
}

@Suite("What FCM is told of a delivery")
struct FCMDeliveryTests {
  private func delivery(
    _ type: PushType = .alert, lifetime: Int64 = 2_419_200, _ options: HeaderOptions = HeaderOptions()
  ) throws(HeaderError) -> FCMDelivery {
    let claims = Claims(
      messageID: .random(), issuedAt: UnixTime(clamping: 1_000_000),
      lifetime: Lifetime(seconds: lifetime) ?? .zero)
    return try FCMDelivery(pushType: type, claims: claims, options: options)
  }

  @Test("an alert is HIGH, and data NORMAL") func priorities() throws {
    #expect(try delivery().json["priority"] == "HIGH")
    #expect(try delivery(.background).json["priority"] == "NORMAL")
    #expect(try delivery(.alert, HeaderOptions(priority: .considerate)).priority == .normal)
    #expect(throws: HeaderError.priority(.immediate, .background)) {
      try delivery(.background, HeaderOptions(priority: .immediate))
    }
  }

  @Test("the ttl is the lifetime, and at most 28 days") func times() throws {
    #expect(try delivery(lifetime: 60).json["ttl"] == "60s")
    #expect(try delivery(lifetime: 2_592_000).timeToLive == 2_419_200)
    #expect(try delivery(lifetime: 0).timeToLive == 0)
    let (never, soon) = (UnixTime(clamping: 0), UnixTime(clamping: 1_000_090))
    #expect(try delivery(.alert, HeaderOptions(expiration: never)).timeToLive == 0)
    #expect(try delivery(.alert, HeaderOptions(expiration: soon)).timeToLive == 90)
    #expect(throws: HeaderError.expirationOutsideLifetime) {
      try delivery(lifetime: 60, HeaderOptions(expiration: soon))
    }
  }

  @Test("a collapse key is the caller's, or absent") func collapsing() throws {
    #expect(try delivery().json["collapse_key"] == nil)
    #expect(try delivery(.alert, HeaderOptions(collapseID: "chat")).json["collapse_key"] == "chat")
    #expect(throws: HeaderError.collapseID) {
      try delivery(.alert, HeaderOptions(collapseID: String(repeating: "a", count: 65)))
    }
  }
}
